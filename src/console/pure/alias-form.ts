/** What the form of a mail alias holds, and the request that it makes. */
import type { MailAlias, MailAliasChange, MailAliasCreate, MailTransport } from "../api/schema.ts";

export type AccountKind =
  | "smtp"
  | "google"
  | "microsoft"
  | "ses"
  | "mailgun"
  | "postmark"
  | "resend";

export interface AliasValues {
  email: string;
  display_name: string;
  domain_id: string;
  account: string;
  host: string;
  port: string;
  security: string;
  username: string;
  /** A password, a token or a key: never answered, and empty where it stays as it is. */
  secret: string;
  region: string;
  access_key_id: string;
  mailgun_domain: string;
  message_stream: string;
  has_inbox: boolean;
  inbox_host: string;
  inbox_port: string;
  inbox_username: string;
  inbox_password: string;
  inbox_folder: string;
  daily_limit: string;
  min_interval_seconds: string;
  is_ramped: boolean;
  ramp_start: string;
  ramp_step: string;
  ramp_ceiling: string;
  reply_to: string;
  signature: string;
}

export const SECRETS: (keyof AliasValues)[] = ["secret", "inbox_password"];

export const NEW_ALIAS: AliasValues = {
  email: "",
  display_name: "",
  domain_id: "",
  account: "smtp",
  host: "",
  port: "587",
  security: "starttls",
  username: "",
  secret: "",
  region: "",
  access_key_id: "",
  mailgun_domain: "",
  message_stream: "",
  has_inbox: false,
  inbox_host: "",
  inbox_port: "993",
  inbox_username: "",
  inbox_password: "",
  inbox_folder: "INBOX",
  daily_limit: "50",
  min_interval_seconds: "",
  is_ramped: true,
  ramp_start: "10",
  ramp_step: "5",
  ramp_ceiling: "50",
  reply_to: "",
  signature: "",
};

const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);

export function valuesOf(alias: MailAlias): AliasValues {
  const { transport, inbox, oauth, ramp } = alias;
  const isOauth = oauth !== null && oauth.provider !== "other";
  return {
    ...NEW_ALIAS,
    email: alias.email,
    display_name: alias.display_name,
    domain_id: text(alias.domain_id),
    account: isOauth ? oauth.provider : transport.kind,
    host: text(transport.host),
    port: text(transport.port),
    security: transport.security ?? NEW_ALIAS.security,
    username: text(transport.username),
    region: text(transport.region),
    access_key_id: text(transport.access_key_id),
    mailgun_domain: text(transport.domain),
    message_stream: text(transport.message_stream),
    has_inbox: inbox !== null,
    inbox_host: text(inbox?.host),
    inbox_port: text(inbox?.port ?? NEW_ALIAS.inbox_port),
    inbox_username: text(inbox?.username),
    inbox_folder: inbox?.folder ?? NEW_ALIAS.inbox_folder,
    daily_limit: text(alias.daily_limit),
    min_interval_seconds: text(alias.min_interval_seconds),
    is_ramped: ramp?.enabled ?? false,
    ramp_start: text(ramp?.start ?? NEW_ALIAS.ramp_start),
    ramp_step: text(ramp?.step ?? NEW_ALIAS.ramp_step),
    ramp_ceiling: text(ramp?.ceiling ?? NEW_ALIAS.ramp_ceiling),
    reply_to: text(alias.reply_to),
    signature: text(alias.signature),
  };
}

/** What is no number is sent as it is: the API says what is wrong with it, at its field. */
const number = (value: string): number => {
  const read = Number(value);
  return (value.trim() !== "" && Number.isFinite(read) ? read : value) as number;
};
const orNull = (value: string): string | null => (value.trim() === "" ? null : value);

const GROUPS = {
  transport: [
    "account",
    "host",
    "port",
    "security",
    "username",
    "secret",
    "region",
    "access_key_id",
    "mailgun_domain",
    "message_stream",
  ],
  inbox: [
    "has_inbox",
    "inbox_host",
    "inbox_port",
    "inbox_username",
    "inbox_password",
    "inbox_folder",
  ],
  ramp: ["is_ramped", "ramp_start", "ramp_step", "ramp_ceiling"],
} satisfies Record<string, (keyof AliasValues)[]>;

/** Of an alias that is there only what was changed; what belongs together is sent together. */
export function aliasChange(values: AliasValues, changes: Partial<AliasValues>): MailAliasChange {
  const isChanged = (group: keyof typeof GROUPS) => GROUPS[group].some((name) => name in changes);
  const whole = aliasBody(values);
  const { transport, oauth, inbox, ramp, ...plain } = whole;
  const body: MailAliasChange = Object.fromEntries(
    Object.entries(plain).filter(([name]) => name in changes),
  );
  if (isChanged("transport")) {
    if (transport !== undefined) body.transport = transport;
    if ("account" in changes) body.oauth = oauth ?? null;
  }
  if (isChanged("inbox")) body.inbox = inbox ?? null;
  if (isChanged("ramp")) body.ramp = ramp ?? null;
  return body;
}

export function aliasBody(values: AliasValues): MailAliasCreate {
  const transport = transportOf(values);
  const isOauth = values.account === "google" || values.account === "microsoft";
  return {
    email: values.email,
    display_name: values.display_name,
    domain_id: orNull(values.domain_id),
    ...(transport === undefined ? {} : { transport }),
    ...(isOauth ? { oauth: { provider: values.account as "google" | "microsoft" } } : {}),
    inbox: values.has_inbox
      ? {
          kind: "imap",
          host: values.inbox_host,
          port: number(values.inbox_port),
          folder: values.inbox_folder,
          username: orNull(values.inbox_username),
          ...(values.inbox_password === "" ? {} : { password: values.inbox_password }),
        }
      : null,
    daily_limit: number(values.daily_limit),
    min_interval_seconds:
      orNull(values.min_interval_seconds) === null ? null : number(values.min_interval_seconds),
    ramp: values.is_ramped
      ? {
          enabled: true,
          start: number(values.ramp_start),
          step: number(values.ramp_step),
          ceiling: number(values.ramp_ceiling),
        }
      : null,
    reply_to: orNull(values.reply_to),
    signature: orNull(values.signature),
  };
}

function transportOf(values: AliasValues): MailTransport | undefined {
  const secret = <Name extends string>(name: Name) =>
    (values.secret === "" ? {} : { [name]: values.secret }) as { [Each in Name]?: string };
  switch (values.account as AccountKind) {
    // Their hosts are known.
    case "google":
    case "microsoft":
      return undefined;
    case "smtp":
      return {
        kind: "smtp",
        host: values.host,
        port: number(values.port),
        security: values.security as "tls" | "starttls" | "none",
        ...(orNull(values.username) === null ? {} : { username: values.username }),
        ...secret("password"),
      };
    case "ses":
      return {
        kind: "ses",
        region: values.region,
        access_key_id: values.access_key_id,
        ...secret("secret_access_key"),
      };
    case "mailgun":
      return {
        kind: "mailgun",
        domain: values.mailgun_domain,
        ...(values.region === "" ? {} : { region: values.region as "us" | "eu" }),
        ...secret("api_key"),
      };
    case "postmark":
      return {
        kind: "postmark",
        message_stream: orNull(values.message_stream),
        ...secret("server_token"),
      };
    case "resend":
      return { kind: "resend", ...secret("api_key") };
  }
}
