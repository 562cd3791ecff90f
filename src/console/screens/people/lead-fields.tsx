import { TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import type { LeadText, LeadValues } from "../../pure/lead-form.ts";

export const LABELS: Record<LeadText, string> = {
  email: "Address",
  first_name: "First name",
  last_name: "Last name",
  full_name: "Full name",
  company: "Company",
  title: "Title",
  profile_url: "Profile on the network",
  phone: "Telephone",
  website: "Website",
  location: "Place",
  country: "Country",
  timezone: "Time zone",
};

const HINTS: Partial<Record<LeadText, string>> = {
  country: "A code such as DE, or a name.",
  timezone: "Such as Europe/Berlin.",
};

export function LeadFields({ form, isShort }: { form: FormState<LeadValues>; isShort?: boolean }) {
  const names = (Object.keys(LABELS) as LeadText[]).slice(0, isShort === true ? SHORT : undefined);
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

/** Of whom one adds by hand: up to the profile. */
const SHORT = 7;
