import { useQuery } from "../../api/use.ts";
import { CheckField, SelectField, TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import type { AliasValues } from "../../pure/alias-form.ts";
import { AccountFields } from "./account-fields.tsx";

type Props = { form: FormState<AliasValues>; isNew: boolean };

export function AliasFields({ form, isNew }: Props) {
  const values = form.values.value;
  const domains = useQuery("listMailDomains", { query: { limit: 200 } });
  return (
    <>
      <TextField form={form} name="email" label="Address" type="email" autocomplete="off" />
      <TextField
        form={form}
        name="display_name"
        label="Name that receivers see"
        autocomplete="off"
      />
      <AccountFields form={form} isNew={isNew} />
      <SelectField
        form={form}
        name="domain_id"
        label="Domain"
        hint="Its key signs the mail. Left open, the mail is signed by the provider alone."
        options={[
          ["", "none"],
          ...(domains.data?.items ?? []).map(({ id, domain }): [string, string] => [id, domain]),
        ]}
      />
      <Inbox form={form} isNew={isNew} />
      <fieldset class="choices stack">
        <legend>How much it sends</legend>
        <TextField
          form={form}
          name="daily_limit"
          label="At most a day"
          inputMode="numeric"
          hint="Over all campaigns."
        />
        <TextField
          form={form}
          name="min_interval_seconds"
          label="Seconds between two messages"
          inputMode="numeric"
          hint="Empty: as the campaign has it."
        />
        <CheckField
          form={form}
          name="is_ramped"
          at="ramp/enabled"
          label="Begin low and grow each day"
          hint="A new address that sends much at once is taken for spam."
        />
        {values.is_ramped && (
          <div class="three">
            <TextField form={form} name="ramp_start" at="ramp/start" label="First day" />
            <TextField form={form} name="ramp_step" at="ramp/step" label="More each day" />
            <TextField form={form} name="ramp_ceiling" at="ramp/ceiling" label="Up to" />
          </div>
        )}
      </fieldset>
      <TextField
        form={form}
        name="reply_to"
        label="Answers go to"
        hint="Empty: to the address itself."
        autocomplete="off"
      />
      <TextField form={form} name="signature" label="Signature" rows={3} />
    </>
  );
}

function Inbox({ form, isNew }: Props) {
  if (/^(google|microsoft)$/.test(form.values.value.account) && !form.values.value.has_inbox)
    return null;
  return (
    <fieldset class="choices stack">
      <legend>Inbox</legend>
      <CheckField
        form={form}
        name="has_inbox"
        at="inbox/kind"
        label="Read its inbox for answers and bounces (IMAP)"
        hint="What answers our mail is taken in; other mail is neither stored nor touched."
      />
      {form.values.value.has_inbox && (
        <>
          <div class="three">
            <TextField form={form} name="inbox_host" at="inbox/host" label="Host" />
            <TextField form={form} name="inbox_port" at="inbox/port" label="Port" />
            <TextField form={form} name="inbox_folder" at="inbox/folder" label="Folder" />
          </div>
          <TextField
            form={form}
            name="inbox_username"
            at="inbox/username"
            label="User name"
            hint="Empty: the address."
            autocomplete="off"
          />
          <TextField
            form={form}
            name="inbox_password"
            at="inbox/password"
            label="Password of the inbox"
            type="password"
            autocomplete="new-password"
            {...(isNew ? {} : { hint: "Empty: it stays as it is." })}
          />
        </>
      )}
    </fieldset>
  );
}
