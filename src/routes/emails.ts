import * as z from "zod";
import {
  cancel,
  EMAIL_STATUSES,
  type EmailEvent,
  eventsOf,
  findEmails,
  requireEmail,
  statusOf,
} from "#src/domain/messages/emails/read.ts";
import { type Email, sendEmail, sendEmails } from "#src/domain/messages/emails/send.ts";
import { AppError } from "#src/errors.ts";
import { emailAddress, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";
import { BODY_LIMIT, Send } from "./email-input.ts";

const tag = "Emails";
const PATH = "/api/v1/mailer/emails";
const ONE = "/api/v1/mailer/emails/{email_id}";
const params = z.object({ email_id: uuid });

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

const Batch = z
  .object({
    emails: z.array(Send).min(1).max(100),
    mode: z
      .enum(["strict", "permissive"])
      .default("strict")
      .describe("Whether one that is refused refuses all, or itself alone."),
  })
  .openapi("EmailBatch");

const BatchSent = z
  .object({
    accepted: z.int(),
    refused: z.int(),
    results: z
      .array(
        z.object({
          index: z.int().describe("In the request."),
          id: uuid.nullable(),
          status: z.enum(EMAIL_STATUSES).nullable(),
          code: z.string().nullable().describe("Why it was refused."),
          message: z.string().nullable(),
        }),
      )
      .describe("In the order of the request."),
  })
  .openapi("EmailBatchSent");

const resultOf = (sent: Email | AppError, index: number) =>
  sent instanceof AppError
    ? { index, id: null, status: null, code: sent.code, message: sent.message }
    : { index, id: sent.id, status: statusOf(sent), code: null, message: null };

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
    scope: "mailer:send",
    tag,
    summary: "Send one email, now or later",
    description:
      "Never sent inline: 202 with `queued` or `scheduled`. 200 with `success` false when the recipient is suppressed; nothing is sent then.",
    envelope: "legacy",
    limit: "mailer-emails",
    claims: "effect",
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
    method: "post",
    path: "/api/v1/mailer/emails/batch",
    id: "sendEmails",
    scope: "mailer:send",
    tag,
    summary: "Send up to 100 emails, now or later",
    description:
      "Each as `POST /mailer/emails` does it, and saved together. A suppressed recipient is no refusal: that email's `status` is `suppressed`. A body that does not fit its schema refuses all in either mode.",
    limit: "mailer-batches",
    claims: "effect",
    body: Batch,
    bodyLimit: BODY_LIMIT,
    status: 202,
    response: BatchSent,
    errors: [404, 409],
    handler: async ({ deps, principal, body }) => {
      const sent = await sendEmails(deps, principal, body.emails, body.mode);
      const refused = sent.filter((each) => each instanceof AppError).length;
      return { accepted: sent.length - refused, refused, results: sent.map(resultOf) };
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listEmails",
    scope: "mailer:read",
    tag,
    summary: "List emails sent through the API, newest first",
    query: IdCursorQuery.extend({
      status: z.enum(EMAIL_STATUSES).optional(),
      alias_id: uuid.optional(),
      campaign_id: uuid
        .optional()
        .openapi({ description: "Emails in a conversation of this campaign." }),
      to_email: emailAddress.optional(),
    }),
    response: pageOf(Body),
    handler: async ({ deps, principal, query: { cursor, limit, status, ...query } }) => {
      const { alias_id: aliasId, campaign_id: campaignId, to_email: emailKey } = query;
      const page = { before: cursor, limit };
      const wanted = { status, aliasId, campaignId, emailKey };
      const rows = await findEmails(deps, principal, wanted, page);
      return toPage(rows, limit, (row) => row.id, toWire);
    },
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getEmail",
    scope: "mailer:read",
    tag,
    summary: "Get an email with its opens and clicks",
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
    scope: "mailer:send",
    tag,
    summary: "Cancel an email that has not begun to leave",
    claims: "effect",
    params,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params: { email_id } }) =>
      toWire(await cancel(deps, principal, email_id)),
  }),
];
