import { z } from "@hono/zod-openapi";
import { ALIAS_STATUSES, type AliasWithLane, countsOf } from "#src/domain/mail/aliases.ts";
import { emailAddress, instant, optionalText, ownedFields, text, uuid } from "#src/http/fields.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*\.[a-z][a-z0-9-]*$/i;

/** What goes into a header or a login: one line. */
const line = (max: number) =>
  text(max).refine((value) => !/[\t\r\n]/.test(value), "must be one line");

const Transport = z
  .object({
    kind: z.literal("smtp", {
      error: "Only smtp is available so far; ses, postmark, resend and mailgun are not built yet.",
    }),
    host: z
      .string()
      .max(253)
      .refine(
        (host) => LOOPBACK.test(host) || HOST_NAME.test(host),
        "must be a host name, which its certificate is checked against",
      ),
    port: z.int().min(1).max(65_535),
    security: z.enum(["tls", "starttls", "none"]),
    username: line(320).nullable().optional(),
    password: z
      .string()
      .min(1)
      .max(1000)
      .refine((value) => !value.includes("\u0000") && value.isWellFormed(), "must be text")
      .nullable()
      .optional(),
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
  .openapi("MailTransport");

const Ramp = z
  .object({
    enabled: z.boolean(),
    start: z.int().min(1).max(10_000).default(10),
    step: z.int().min(0).max(10_000).default(5),
    ceiling: z.int().min(1).max(10_000).default(50),
  })
  .openapi("Ramp");

const Fields = z.object({
  email: emailAddress,
  display_name: line(255),
  domain_id: uuid.nullable().optional(),
  reply_to: emailAddress.nullable().optional(),
  transport: Transport,
  daily_limit: z.int().min(1).max(10_000),
  min_interval_seconds: z.int().min(1).max(86_400).nullable().optional(),
  ramp: Ramp.nullable().optional(),
  signature: optionalText(5000),
  is_default: z.boolean(),
});
export const AliasCreate = Fields.extend({
  transport: Transport.superRefine(({ username, password }, context) => {
    if (username != null && password == null)
      context.addIssue({
        code: "custom",
        path: ["password"],
        message: "A username needs a password.",
      });
  }),
  daily_limit: Fields.shape.daily_limit.default(50),
  is_default: z.boolean().default(false),
}).openapi("MailAliasCreate", {
  example: {
    email: "ada@example.com",
    display_name: "Ada Lovelace",
    transport: {
      kind: "smtp",
      host: "smtp.example.com",
      port: 587,
      security: "starttls",
      username: "ada@example.com",
      password: "secret",
    },
  },
});
export const AliasChange = Fields.partial()
  .extend({ status: z.enum(["active", "paused", "disabled"]).optional() })
  .openapi("MailAliasChange");

export const AliasBody = z
  .object({
    ...ownedFields,
    domain_id: uuid.nullable(),
    email: z.string(),
    display_name: z.string(),
    reply_to: z.string().nullable(),
    transport: z.object({
      kind: z.string(),
      host: z.string(),
      port: z.int(),
      security: z.string(),
      username: z.string().nullable(),
    }),
    status: z.enum(ALIAS_STATUSES),
    daily_limit: z.int(),
    min_interval_seconds: z.int().nullable(),
    ramp: Ramp.nullable(),
    sent_today: z.int(),
    cap_today: z.int(),
    signature: z.string().nullable(),
    is_default: z.boolean(),
    last_error: z.string().nullable(),
  })
  .openapi("MailAlias");

export const AliasTestReport = z
  .object({
    ok: z.boolean(),
    stage: z.enum(["connect", "greeting", "tls", "ehlo", "auth", "ready"]),
    message: z.string(),
    capabilities: z.array(z.string()),
    checked_at: instant,
  })
  .openapi("MailAliasTest");

/** The transport by our names; keys that the body lacks stay absent. */
export function transportOf({ transport }: { transport: z.output<typeof Transport> }) {
  const { kind: _kind, username, password, ...place } = transport;
  return {
    transport: {
      ...place,
      ...(username == null ? {} : { username }),
      ...(password == null ? {} : { password }),
    },
  };
}

export function aliasToWire(alias: AliasWithLane, now: Date): z.input<typeof AliasBody> {
  const { sentToday, capToday } = countsOf(alias, now);
  const { host, port, security, username = null } = alias.transportSettings;
  const ramp = alias.ramp && {
    enabled: alias.ramp.enabled,
    start: alias.ramp.start,
    step: alias.ramp.step,
    ceiling: alias.ramp.ceiling,
  };
  return {
    id: alias.id,
    user_id: alias.userId,
    workspace_id: alias.workspaceId,
    created_at: alias.createdAt.toISOString(),
    updated_at: alias.updatedAt.toISOString(),
    domain_id: alias.domainId,
    email: alias.email,
    display_name: alias.displayName,
    reply_to: alias.replyTo,
    transport: { kind: alias.transportKind, host, port, security, username },
    status: alias.status,
    daily_limit: alias.dailyLimit,
    min_interval_seconds: alias.minIntervalSeconds,
    ramp,
    sent_today: sentToday,
    cap_today: capToday,
    signature: alias.signature,
    is_default: alias.isDefault,
    last_error: alias.lastError,
  };
}
