import * as z from "zod";
import {
  ALIAS_ERROR_KINDS,
  ALIAS_STATUSES,
  type AliasWithLane,
  countsOf,
  TRANSPORT_KINDS,
} from "#src/domain/senders/aliases.ts";
import { REPLIES_RETURN, repliesReturn } from "#src/domain/senders/replies-return.ts";
import { snakeKeys } from "#src/http/case.ts";
import { emailAddress, instant, line, optionalText, ownedFields, uuid } from "#src/http/fields.ts";
import { Inbox, InboxBody, inboxToWire } from "./mail-inbox-fields.ts";
import { OauthBody, OauthInput } from "./mail-login-input.ts";
import { secretOf, Transport } from "./mail-transport-input.ts";

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
  // Not `nullable()`, which would make the named schema itself nullable in the description.
  inbox: Inbox.or(z.null()).optional(),
  oauth: OauthInput.or(z.null()).optional(),
  daily_limit: z.int().min(1).max(10_000),
  min_interval_seconds: z.int().min(1).max(86_400).nullable().optional(),
  ramp: Ramp.or(z.null()).optional(),
  signature: optionalText(5000),
  is_default: z.boolean(),
});
export const AliasCreate = Fields.extend({
  // Not described here, which would describe the named schema anew for all that use it.
  transport: Transport.optional(),
  daily_limit: Fields.shape.daily_limit.default(50),
  is_default: z.boolean().default(false),
})
  .superRefine(({ transport, oauth }, context) => {
    const missing = (path: string[], message: string) =>
      context.addIssue({ code: "custom", path: ["transport", ...path], message });
    if (transport === undefined) {
      if (oauth == null || oauth.provider === "other") missing([], "is missing");
      return;
    }
    const { name, secret } = secretOf(transport);
    if (secret != null) return;
    if (transport.kind !== "smtp") missing([name], "is missing");
    else if (transport.username != null && oauth == null)
      missing([name], "A username needs a password, or oauth.");
  })
  .openapi("MailAliasCreate", {
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
    transport: z
      .object({
        kind: z.enum(TRANSPORT_KINDS),
        host: z.string().optional(),
        port: z.int().optional(),
        security: z.string().optional(),
        username: z.string().nullable().optional(),
        region: z.string().optional(),
        access_key_id: z.string().optional(),
        domain: z.string().optional(),
        message_stream: z.string().nullable().optional(),
      })
      .openapi("MailTransportBody", { description: "The settings of its kind, without secrets." }),
    inbox: InboxBody.nullable(),
    oauth: OauthBody.nullable(),
    status: z.enum(ALIAS_STATUSES),
    daily_limit: z.int(),
    min_interval_seconds: z.int().nullable(),
    ramp: Ramp.nullable(),
    sent_today: z.int(),
    cap_today: z.int(),
    signature: z.string().nullable(),
    is_default: z.boolean(),
    last_error: z.string().nullable(),
    last_error_kind: z.enum(ALIAS_ERROR_KINDS).nullable().openapi({
      description:
        "Whose it is: the account's, which its owner has to mend (the status is error then, and nothing is sent), the line's or its server's, or that of the vault which keeps its secret. Null without an error, and for limits and policy, which the sender rests after. Whatever goes well with the account ends it.",
    }),
    replies_return: z.enum(REPLIES_RETURN).openapi({
      description:
        "Whether replies to its mail reach this service, by the last test of the address to which they go.",
    }),
  })
  .openapi("MailAlias");

export const AliasTestReport = z
  .object({
    ok: z.boolean(),
    stage: z.enum(["connect", "greeting", "tls", "ehlo", "auth", "sender", "ready"]),
    message: z.string(),
    capabilities: z.array(z.string()),
    replies_return: z.enum(REPLIES_RETURN),
    token_mailed_to: z.string().nullable().openapi({
      description: "Where a mail went whose return is waited for; null when none went out.",
    }),
    inbox: z.object({ ok: z.boolean(), message: z.string() }).optional().openapi({
      description: "Of the alias's inbox, where it has one: connect, TLS, login and folder.",
    }),
    checked_at: instant,
  })
  .openapi("MailAliasTest");

export function aliasToWire(alias: AliasWithLane, now: Date): z.input<typeof AliasBody> {
  const { sentToday, capToday } = countsOf(alias, now);
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
    transport: {
      kind: alias.transportKind,
      // An SMTP account without a login says so.
      ...(alias.transportKind === "smtp" ? { username: null } : {}),
      ...snakeKeys(alias.transportSettings),
    },
    inbox: alias.inbox && inboxToWire(alias.inbox),
    oauth: alias.login && snakeKeys(alias.login),
    status: alias.status,
    daily_limit: alias.dailyLimit,
    min_interval_seconds: alias.minIntervalSeconds,
    ramp,
    sent_today: sentToday,
    cap_today: capToday,
    signature: alias.signature,
    is_default: alias.isDefault,
    last_error: alias.lastError,
    last_error_kind: alias.lastErrorKind,
    replies_return: repliesReturn(alias, now),
  };
}
