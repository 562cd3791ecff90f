import type { Template, TemplateChange, TemplateCreate } from "../api/schema.ts";

export interface TemplateValues {
  name: string;
  channel: string;
  subject: string;
  body: string;
  /** "" lets the service tell it by the text. */
  format: string;
  tags: string;
}

export const NEW_TEMPLATE: TemplateValues = {
  name: "",
  channel: "email",
  subject: "",
  body: "",
  format: "",
  tags: "",
};

export const templateValues = (template: Template): TemplateValues => ({
  name: template.name,
  channel: template.channel,
  subject: template.subject ?? "",
  body: template.body,
  format: template.format,
  tags: template.tags.join(", "),
});

export function templateBody(values: TemplateValues): TemplateCreate {
  const isMail = values.channel === "email";
  return {
    name: values.name,
    channel: isMail ? "email" : "socialnet",
    subject: isMail && values.subject.trim() !== "" ? values.subject : null,
    body: values.body,
    format: values.format === "" || !isMail ? null : (values.format as "html" | "text"),
    tags: values.tags
      .split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ""),
  };
}

export function templateChange(
  values: TemplateValues,
  changes: Partial<TemplateValues>,
): TemplateChange {
  const whole = Object.entries(templateBody(values));
  return Object.fromEntries(whole.filter(([name]) => name in changes));
}

/** What the variables of a preview stand for until a person is chosen. */
const SAMPLES: Record<string, string> = {
  email: "ada@example.com",
  first_name: "Ada",
  last_name: "Lovelace",
  full_name: "Ada Lovelace",
  company: "Analytical Engines",
  title: "Head of Research",
  phone: "+44 20 7946 0000",
  website: "https://example.com",
  profile_url: "https://www.linkedin.com/in/ada-lovelace",
  location: "London",
  country: "GB",
  timezone: "Europe/London",
};

/** Of the variables of a text those that a sample stands for, and what was typed for the others. */
export function sampleValues(
  variables: readonly string[],
  typed: Readonly<Record<string, string>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of variables) {
    const value = typed[name] ?? SAMPLES[name] ?? "";
    if (value !== "") found[name] = value;
  }
  return found;
}

/** Variables that a person's own fields may lack; those of the sender and of paths are not typed in. */
export const isTypedIn = (name: string): boolean => !name.includes(".");
