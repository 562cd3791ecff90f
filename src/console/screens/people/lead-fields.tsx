import { LEAD_TEXTS } from "../../api/lists.ts";
import { TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import type { LeadText, LeadValues } from "../../pure/lead-form.ts";

/** Where it is not the field's name in words. */
const OWN_LABELS: Partial<Record<LeadText, string>> = {
  email: "Address",
  profile_url: "Profile on the network",
  phone: "Telephone",
  location: "Place",
  timezone: "Time zone",
};

const inWords = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("_", " ")}`;

export const LABELS = Object.fromEntries(
  LEAD_TEXTS.map((name) => [name, OWN_LABELS[name] ?? inWords(name)]),
) as Record<LeadText, string>;

const HINTS: Partial<Record<LeadText, string>> = {
  country: "A code such as DE, or a name.",
  timezone: "Such as Europe/Berlin.",
};

export function LeadFields({ form, isShort }: { form: FormState<LeadValues>; isShort?: boolean }) {
  const names = isShort === true ? LEAD_TEXTS.slice(0, SHORT) : LEAD_TEXTS;
  return (
    <>
      {names.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={LABELS[name]}
          autocomplete="off"
          {...(HINTS[name] === undefined ? {} : { hint: HINTS[name] })}
        />
      ))}
      {isShort !== true && (
        <>
          <TextField form={form} name="tags" label="Tags" hint="With commas between them." />
          <TextField
            form={form}
            name="custom"
            label="More fields"
            hint="A line each, such as “team: Platform”. Texts read them as {{ team }}."
            rows={4}
          />
        </>
      )}
    </>
  );
}

/** Of a lead that is added by hand: up to the profile. */
const SHORT = LEAD_TEXTS.indexOf("profile_url") + 1;
