import * as z from "zod";
import { emailKey } from "#src/mime/email-key.ts";
import { readSendAt } from "#src/domain/messages/emails/send-at.ts";
import { isTooDeep, MAX_OPEN_TAGS } from "#src/mime/read-html.ts";
import { MIB } from "#src/http/body.ts";
import { line, text, uuid } from "#src/http/fields.ts";
import { fromBase64 } from "#src/platform/encoding.ts";

/** Sizes as the contract promises them. */
const MAX_ATTACHMENTS = 10;
const MAX_ATTACHED_BYTES = 7 * MIB;
export const BODY_LIMIT = 10 * MIB;

const Attachment = z.object({
  filename: line(255),
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

/** Of base64, by its characters alone. */
const decodedLength = (content: string) =>
  Math.floor((content.replace(/[\s=]/g, "").length * 3) / 4);

/** Printable ASCII without what delimits it (RFC 5322 section 3.6.4): anything else no header can carry. */
const MESSAGE_ID = /^<?([!-;=?A-~]{1,200}@[!-;=?A-~]{1,200})>?$/;

/** The body of a send, parsed into the domain's fields. */
export const Send = z
  .object({
    alias_id: uuid,
    to_email: z.string().min(3).max(320),
    subject: text(998)
      .refine((value) => !/[\r\n]/.test(value), "must be one line")
      .openapi({
        pattern: String.raw`^[^\u0000-\u0008\u000a-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u0008\u000a-\u001f\u007f]*$`,
      }),
    body: text(2_000_000)
      .refine((body) => !isTooDeep(body), `has more than ${MAX_OPEN_TAGS} tags open at once`)
      .openapi({ description: "HTML if it contains a tag, else text." }),
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
      .regex(MESSAGE_ID, "must be a Message-ID of printable ASCII such as <abc@example.com>")
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
    const bytes = attachments.reduce((sum, { content }) => sum + decodedLength(content), 0);
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
