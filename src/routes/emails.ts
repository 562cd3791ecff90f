import { z } from "@hono/zod-openapi";
import { emailKey } from "#src/domain/leads/email-address.ts";
import {
  cancel,
  EMAIL_STATUSES,
  type EmailEvent,
  eventsOf,
  findEmails,
  requireEmail,
  statusOf,
} from "#src/domain/mail/emails/read.ts";
import { type Email, sendEmail } from "#src/domain/mail/emails/send.ts";
import { readSendAt } from "#src/domain/mail/emails/send-at.ts";
import { instant, text, uuid } from "#src/http/fields.ts";
import { MIB } from "#src/http/body.ts";
import { Answer, type Mount, operation } from "#src/http/operation.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";
import { fromBase64 } from "#src/platform/encoding.ts";

const tag = "Emails";
const PATH = "/api/v1/mailer/emails";
const ONE = "/api/v1/mailer/emails/{email_id}";
const params = z.object({ email_id: uuid });

/** Sizes as the contract promises them. */
const MAX_ATTACHMENTS = 10;
const MAX_ATTACHED_BYTES = 7 * MIB;
const BODY_LIMIT = 10 * MIB;

const Attachment = z.object({
  filename: text(255),
  content_type: z
    .string()
    .max(255)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/, "must be a media type such as application/pdf")
    .default("application/octet-stream"),
  content: z
    .string()
    .refine((value) => fromBase64(value) !== null, "must be base64")
    .openapi({ format: "byte" }),
});

const MESSAGE_ID = /^<?([^\s<>@]{1,200}@[^\s<>@]{1,200})>?$/;

const Send = z
  .object({
    alias_id: uuid,
    to_email: z.string().min(3).max(320),
    subject: text(998).refine((value) => !/[\r\n]/.test(value), "must be one line"),
    body: text(2_000_000).openapi({
      description: "HTML if it contains a tag, else text.",
    }),
    track_opens: z.boolean().default(true),
    track_clicks: z.boolean().default(false),
    click_tracking_patterns: z.array(text(200)).max(50).nullable().optional().openapi({
      description:
        "Host and path globs such as `acme.com/*`; a leading `!` excludes, the last match wins. Absent or empty: every http(s) link.",
    }),
    send_at: text(40).nullable().optional(),
    send_at_timezone: text(100).nullable().optional().openapi({
      description: "IANA zone of a `send_at` without an offset; UTC when absent.",
    }),
    conversation_id: uuid.nullable().optional(),
    in_reply_to: z
      .string()
      .max(400)
      .regex(MESSAGE_ID, "must be a Message-ID such as <abc@example.com>")
      .nullable()
      .optional(),
    attachments: z.array(Attachment).max(MAX_ATTACHMENTS).nullable().optional(),
  })
  .transform((wire, context) => {
    const fault = (field: string, message: string) => {
      context.addIssue({ code: "custom", path: [field], message });
      return z.NEVER;
    };
    const key = emailKey(wire.to_email);
    if (key === null) return fault("to_email", "is not a plain email address");
    const sendAt = wire.send_at
      ? readSendAt(wire.send_at, wire.send_at_timezone ?? undefined)
      : null;
    if (sendAt !== null && !sendAt.ok) {
      const isZone = sendAt.message.includes("time zone");
      return fault(isZone ? "send_at_timezone" : "send_at", sendAt.message);
    }
    const attachments = wire.attachments ?? [];
    const bytes = attachments.reduce((sum, { content }) => sum + (content.length * 3) / 4, 0);
    if (bytes > MAX_ATTACHED_BYTES)
      return fault("attachments", "must be at most 7 MiB together, decoded");
    return {
      aliasId: wire.alias_id,
      toEmail: wire.to_email.trim(),
      emailKey: key,
      subject: wire.subject,
      body: wire.body,
      trackOpens: wire.track_opens,
      trackClicks: wire.track_clicks,
      clickTrackingPatterns: wire.click_tracking_patterns ?? [],
      sendAt: sendAt?.at ?? null,
      conversationId: wire.conversation_id ?? null,
      inReplyTo: wire.in_reply_to ? MESSAGE_ID.exec(wire.in_reply_to)![1]! : null,
      attachments,
    };
  })
  .openapi("EmailSend", {
    example: {
      alias_id: "7f0c5a3e-5f1e-4a53-9d0a-3a6f0f6f2b11",
      to_email: "ada@example.com",
      subject: "A question",
      body: "<p>Hello Ada, may I ask you something?</p>",
      track_opens: true,
      send_at: "2026-03-02T09:00",
      send_at_timezone: "Europe/Berlin",
    },
  });

const EmailFields = {
  success: z.boolean(),
  id: uuid,
  message_id: z.string(),
  conversation_id: uuid,
  status: z.enum(EMAIL_STATUSES),
  alias_id: uuid,
  to_email: z.string(),
  from_email: z.string(),
  subject: z.string(),
  scheduled_at: instant.nullable(),
  sent_at: instant.nullable(),
  track_opens: z.boolean(),
  track_clicks: z.boolean(),
  suppression_reason: z.string().nullable(),
  error: z.string().nullable(),
  created_at: instant,
};
const Body = z.object(EmailFields).openapi("Email");

const Detail = z
  .object({
    ...EmailFields,
    events: z.array(
      z.object({
        id: uuid,
        type: z.string(),
        at: instant,
        url: z.string().nullable(),
        classification: z.string(),
        reasons: z.array(z.string()),
      }),
    ),
  })
  .openapi("EmailDetail");

function toWire(email: Email): z.input<typeof Body> {
  const status = statusOf(email);
  return {
    success: status !== "suppressed" && status !== "failed",
    id: email.id,
    message_id: `<${email.messageId}>`,
    conversation_id: email.conversationId,
    status,
    alias_id: email.aliasId,
    to_email: email.toEmail,
    from_email: email.fromEmail,
    subject: email.subject,
    scheduled_at: email.scheduledAt?.toISOString() ?? null,
    sent_at: email.sentAt?.toISOString() ?? null,
    track_opens: email.trackOpens,
    track_clicks: email.trackClicks,
    suppression_reason: email.suppressionReason,
    error: email.error,
    created_at: email.createdAt.toISOString(),
  };
}

const eventBody = ({ kind, at, ...event }: EmailEvent) => ({
  ...event,
  type: kind,
  at: at.toISOString(),
});

export const emailRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "sendEmail",
    tag,
    summary: "Send one email, now or later",
    description:
      "Never sent inline: 202 with `queued` or `scheduled`. 200 with `success` false when the recipient is suppressed; nothing is sent then.",
    access: "workspace",
    envelope: "legacy",
    limit: "mailer-emails",
    body: Send,
    bodyLimit: BODY_LIMIT,
    status: 202,
    alsoStatus: [200],
    response: Body,
    errors: [404, 409],
    handler: async ({ deps, principal, body }) => {
      const email = await sendEmail(deps, principal, body);
      return new Answer(email.state === "suppressed" ? 200 : 202, toWire(email));
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listEmails",
    tag,
    summary: "List emails sent through the API, newest first",
    access: "workspace",
    query: IdCursorQuery.extend({
      status: z.enum(EMAIL_STATUSES).optional(),
      alias_id: uuid.optional(),
    }),
    response: pageOf(Body),
    handler: async ({ deps, principal, query: { cursor, limit, status, alias_id: aliasId } }) => {
      const page = { before: cursor, limit };
      const rows = await findEmails(deps, principal, { status, aliasId }, page);
      return toPage(rows, limit, (row) => row.id, toWire);
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getEmail",
    tag,
    summary: "Get an email with its opens and clicks",
    access: "workspace",
    params,
    response: Detail,
    handler: async ({ deps, principal, params: { email_id } }) => {
      const email = await requireEmail(deps, principal, email_id);
      const events = await eventsOf(deps, email);
      return { ...toWire(email), events: events.map(eventBody) };
    },
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "cancelEmail",
    tag,
    summary: "Cancel an email that has not begun to leave",
    access: "workspace",
    params,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: { email_id } }) =>
      toWire(await cancel(deps, principal, email_id)),
  }),
];
