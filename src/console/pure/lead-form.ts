/** What the form of a lead holds, and the request that it makes. */
import { LEAD_TEXTS } from "../api/lists.ts";
import type { Lead, LeadChange } from "../api/schema.ts";

export type LeadText = (typeof LEAD_TEXTS)[number];

export type LeadValues = Record<LeadText, string> & {
  /** With commas between them. */
  tags: string;
  /** The lead's own fields, a line each: "team: Platform". */
  custom: string;
};

export const NEW_LEAD: LeadValues = {
  ...(Object.fromEntries(LEAD_TEXTS.map((name) => [name, ""])) as Record<LeadText, string>),
  tags: "",
  custom: "",
};

export function leadValues(lead: Lead): LeadValues {
  const texts = Object.fromEntries(LEAD_TEXTS.map((name) => [name, lead[name] ?? ""]));
  return {
    ...(texts as Record<LeadText, string>),
    tags: lead.tags.join(", "),
    custom: Object.entries(lead.custom).map(customLine).join("\n"),
  };
}

export function leadBody(values: Partial<LeadValues>): LeadChange {
  const body: LeadChange = {};
  for (const name of LEAD_TEXTS)
    if (values[name] !== undefined) body[name] = values[name].trim() === "" ? null : values[name];
  if (values.tags !== undefined) body.tags = tagsOf(values.tags);
  if (values.custom !== undefined) body.custom = customOf(values.custom);
  return body;
}

const tagsOf = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** What is no plain text is written as JSON, and so is a text that reads like it or has lines. */
function customLine([key, value]: [string, unknown]): string {
  const isPlain = typeof value === "string" && !/[\r\n]/.test(value) && value === value.trim();
  const name = /^[^:"\r\n]+$/.test(key) && key === key.trim() ? key : JSON.stringify(key);
  return `${name}: ${isPlain && readJson(value) === null ? value : JSON.stringify(value)}`;
}

const LINE = /^\s*("(?:[^"\\]|\\.)*"|[^:]+?)\s*:\s*(.*?)\s*$/s;

export function customOf(text: string): Record<string, unknown> {
  const found: [string, unknown][] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) {
      // A line without a colon has a name and no value.
      if (line.trim() !== "") found.push([line.trim(), ""]);
      continue;
    }
    const [name, read] = [readJson(key), readJson(value)];
    found.push([key.startsWith('"') && name ? String(name.value) : key, read ? read.value : value]);
  }
  return Object.fromEntries(found);
}

/** Of a number, a text in quotes, a list and their like; null where it is a text as it stands. */
function readJson(text: string): { value: unknown } | null {
  if (!/^(["[{]|-?\d|true$|false$|null$)/.test(text)) return null;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}
