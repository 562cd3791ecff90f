import * as z from "zod";
import type { AccountInput } from "#src/domain/senders/alias-account.ts";
import { line } from "#src/http/fields.ts";
import { hostFault } from "#src/platform/public-host.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*\.[A-Za-z][A-Za-z0-9-]*$/;

export const secretText = z
  .string()
  .min(1)
  .max(1000)
  .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "must be text")
  .openapi({ pattern: String.raw`^[^\u0000]*$` });

export const mailHost = z
  .string()
  .max(253)
  .refine((host) => hostFault(host, { loopback: true }) === null, {
    error: ({ input }) =>
      `must be a public mail host: ${hostFault(String(input), { loopback: true })}`,
  });

const Smtp = z
  .object({
    kind: z.literal("smtp"),
    host: mailHost,
    port: z.int().min(1).max(65_535),
    security: z.enum(["tls", "starttls", "none"]),
    username: line(320).nullable().optional(),
    password: secretText.nullable().optional(),
  })
  .superRefine(({ host, port, security, username, password }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const isLocal = LOOPBACK.test(host);
    if (security === "none" && !isLocal)
      refuse("security", "none is allowed to this machine only; choose tls or starttls.");
    if (port === 25 && !isLocal)
      refuse("port", "Port 25 is for mail between servers; use 465 (tls) or 587 (starttls).");
    if (password != null && username == null) refuse("username", "A password needs a username.");
  })
  .openapi("SmtpTransport");

const Ses = z
  .object({
    kind: z.literal("ses"),
    region: z
      .string()
      .regex(/^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/, "must be an AWS region such as eu-west-1"),
    access_key_id: z.string().regex(/^\w{16,128}$/, "must be an AWS access key id"),
    secret_access_key: secretText.nullable().optional(),
  })
  .openapi("SesTransport");

const Mailgun = z
  .object({
    kind: z.literal("mailgun"),
    domain: z.string().max(253).regex(HOST_NAME, "must be the sending domain's name at Mailgun"),
    region: z.enum(["us", "eu"]).default("us"),
    api_key: secretText.nullable().optional(),
  })
  .openapi("MailgunTransport");

const Postmark = z
  .object({
    kind: z.literal("postmark"),
    message_stream: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be the id of a message stream")
      .nullable()
      .optional(),
    server_token: secretText.nullable().optional(),
  })
  .openapi("PostmarkTransport");

const Resend = z
  .object({ kind: z.literal("resend"), api_key: secretText.nullable().optional() })
  .openapi("ResendTransport");

export const Transport = z
  .discriminatedUnion("kind", [Smtp, Ses, Mailgun, Postmark, Resend])
  .openapi("MailTransport", {
    description:
      "Where the alias's mail is handed over. Passwords and keys are kept sealed and never answered; in a change they may be left out while the account stays the same. It may be left out where `oauth` is of Google or Microsoft, whose hosts are known.",
  });

type TransportInput = z.output<typeof Transport>;

/** The secret of each kind, by its name on the wire; a password that is null is taken away. */
export const secretOf = (
  transport: TransportInput,
): { name: string; secret: string | null | undefined } => {
  switch (transport.kind) {
    case "smtp":
      return { name: "password", secret: transport.password };
    case "ses":
      return { name: "secret_access_key", secret: transport.secret_access_key ?? undefined };
    case "mailgun":
    case "resend":
      return { name: "api_key", secret: transport.api_key ?? undefined };
    case "postmark":
      return { name: "server_token", secret: transport.server_token ?? undefined };
  }
};

/** The account by the domain's names. */
export function transportOf({ transport }: { transport: TransportInput }): {
  transport: AccountInput;
} {
  const { secret } = secretOf(transport);
  return { transport: { ...settingsOf(transport), ...(secret === undefined ? {} : { secret }) } };
}

function settingsOf(transport: TransportInput): AccountInput {
  switch (transport.kind) {
    case "smtp": {
      const { kind, host, port, security, username } = transport;
      const login = username == null ? {} : { username };
      return { kind, settings: { host, port, security, ...login } };
    }
    case "ses": {
      const { kind, region, access_key_id: accessKeyId } = transport;
      return { kind, settings: { region, accessKeyId } };
    }
    case "mailgun": {
      const { kind, domain, region } = transport;
      return { kind, settings: { domain: domain.toLowerCase(), region } };
    }
    case "postmark": {
      const { kind, message_stream: messageStream } = transport;
      return { kind, settings: messageStream == null ? {} : { messageStream } };
    }
    case "resend":
      return { kind: transport.kind, settings: {} };
  }
}
