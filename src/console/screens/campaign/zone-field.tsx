import { TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";

/** Spread, because the types of an input do not know `list`. */
const ZONES = { list: "zones" };

/** An IANA time zone: typed, with those that the browser knows as proposals. */
export function ZoneField<Values extends { timezone: string }>(props: { form: FormState<Values> }) {
  return (
    <>
      <TextField
        form={props.form as unknown as FormState<{ timezone: string }>}
        name="timezone"
        label="Time zone"
        {...ZONES}
        autocomplete="off"
        hint="Its window and its days are read on the clocks of this zone."
      />
      <datalist id="zones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
