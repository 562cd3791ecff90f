import { SelectField, TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import type { AliasValues } from "../../pure/alias-form.ts";

const ACCOUNTS: [value: string, label: string][] = [
  ["smtp", "SMTP server, by password"],
  ["google", "Google, by signing in"],
  ["microsoft", "Microsoft, by signing in"],
  ["ses", "Amazon SES"],
  ["mailgun", "Mailgun"],
  ["postmark", "Postmark"],
  ["resend", "Resend"],
];

/** Where the mail is handed over, and by which login. */
export function AccountFields(props: { form: FormState<AliasValues>; isNew: boolean }) {
  const { form, isNew } = props;
  const { account } = form.values.value;
  const secret = (label: string, name: string) => (
    <TextField
      form={form}
      name="secret"
      at={`transport/${name}`}
      label={label}
      type="password"
      autocomplete="new-password"
      {...(isNew ? {} : { hint: "Empty: it stays as it is." })}
    />
  );
  return (
    <fieldset class="choices stack">
      <legend>Account</legend>
      <SelectField
        form={form}
        name="account"
        at="transport/kind"
        label="Mail goes out by"
        options={ACCOUNTS}
      />
      {(account === "google" || account === "microsoft") && (
        <p class="hint">
          Nothing more is needed here: save it, then give access at{" "}
          {account === "google" ? "Google" : "Microsoft"}. No password is kept.
        </p>
      )}
      {account === "smtp" && (
        <>
          <div class="three">
            <TextField form={form} name="host" at="transport/host" label="Host" />
            <TextField
              form={form}
              name="port"
              at="transport/port"
              label="Port"
              hint="587, or 465 for TLS"
            />
            <SelectField
              form={form}
              name="security"
              at="transport/security"
              label="Encryption"
              options={[
                ["starttls", "STARTTLS"],
                ["tls", "TLS"],
                ["none", "none"],
              ]}
            />
          </div>
          <TextField
            form={form}
            name="username"
            at="transport/username"
            label="User name"
            hint="Most often the address."
            autocomplete="off"
          />
          {secret("Password", "password")}
        </>
      )}
      {account === "ses" && (
        <>
          <TextField form={form} name="region" at="transport/region" label="Region" />
          <TextField
            form={form}
            name="access_key_id"
            at="transport/access_key_id"
            label="Access key id"
            autocomplete="off"
          />
          {secret("Secret access key", "secret_access_key")}
        </>
      )}
      {account === "mailgun" && (
        <>
          <TextField
            form={form}
            name="mailgun_domain"
            at="transport/domain"
            label="Domain at Mailgun"
          />
          <SelectField
            form={form}
            name="region"
            at="transport/region"
            label="Region"
            options={[
              ["", "United States"],
              ["eu", "European Union"],
            ]}
          />
          {secret("API key", "api_key")}
        </>
      )}
      {account === "postmark" && (
        <>
          <TextField
            form={form}
            name="message_stream"
            at="transport/message_stream"
            label="Message stream"
            hint="Empty: the server's own."
          />
          {secret("Server token", "server_token")}
        </>
      )}
      {account === "resend" && secret("API key", "api_key")}
    </fieldset>
  );
}
