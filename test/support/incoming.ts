import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import type { TestApi } from "./api.ts";

export interface Incoming {
  from: string;
  to: string;
  subject?: string;
  /** Further header lines. */
  headers?: string[];
  body: string;
  contentType?: string;
}

/** A mail as it stands on the wire. */
export function rawMail({
  from,
  to,
  subject = "Re: Hello",
  headers = [],
  body,
  contentType = "text/plain; charset=utf-8",
}: Incoming): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${crypto.randomUUID()}@elsewhere.zz>`,
    "MIME-Version: 1.0",
    `Content-Type: ${contentType}`,
    ...headers,
    "",
    body,
  ].join("\r\n");
}

/** A delivery report (RFC 3464) about a message to `recipient`, with the returned headers. */
export function bounceMail(order: {
  to: string;
  recipient: string;
  status: string;
  diagnostic: string;
  originalMessageId?: string;
  action?: string;
}): string {
  const { to, recipient, status, diagnostic, originalMessageId, action = "failed" } = order;
  const boundary = "report-boundary";
  return rawMail({
    from: "Mail Delivery System <MAILER-DAEMON@mx.elsewhere.zz>",
    to,
    subject: "Undelivered Mail Returned to Sender",
    headers: ["Auto-Submitted: auto-replied"],
    contentType: `multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    body: [
      `--${boundary}`,
      "Content-Type: text/plain",
      "",
      `I'm sorry to have to inform you that your message could not be delivered.\r\n\r\n<${recipient}>: ${diagnostic}`,
      `--${boundary}`,
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.elsewhere.zz",
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
      `--${boundary}`,
      "Content-Type: text/rfc822-headers",
      "",
      ...(originalMessageId === undefined ? [] : [`Message-ID: <${originalMessageId}>`]),
      `To: ${recipient}`,
      "Subject: Hello",
      "",
      `--${boundary}--`,
      "",
    ].join("\r\n"),
  });
}

/** A complaint (RFC 5965) about a message. */
export function complaintMail(
  to: string,
  originalMessageId: string,
  feedbackType = "abuse",
): string {
  const boundary = "arf-boundary";
  return rawMail({
    from: "feedback@provider.zz",
    to,
    subject: "FW: Hello",
    contentType: `multipart/report; report-type=feedback-report; boundary="${boundary}"`,
    body: [
      `--${boundary}`,
      "Content-Type: text/plain",
      "",
      "This is an email abuse report.",
      `--${boundary}`,
      "Content-Type: message/feedback-report",
      "",
      `Feedback-Type: ${feedbackType}`,
      "User-Agent: Provider/1.0",
      "Version: 1",
      "",
      `--${boundary}`,
      "Content-Type: message/rfc822",
      "",
      `Message-ID: <${originalMessageId}>`,
      "Subject: Hello",
      "",
      "The message.",
      `--${boundary}--`,
      "",
    ].join("\r\n"),
  });
}

/** Posts a raw mail as a relay does; `from` null: as one that does not tell the envelope's sender. */
export async function postMail(
  api: TestApi,
  raw: string | Uint8Array<ArrayBuffer>,
  to: string,
  change: { signature?: string; from?: string | null; type?: string } = {},
) {
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
  const signature =
    change.signature ??
    (await signInbound("inbound-secret-for-tests", { at: api.deps.clock.now(), to, raw: bytes }));
  const reply = await api.request("/api/v1/mailer/inbound", {
    method: "POST",
    headers: {
      "content-type": change.type ?? "message/rfc822",
      "overture-signature": signature,
      "x-envelope-to": to,
      ...(change.from !== null && { "x-envelope-from": change.from ?? "" }),
    },
    body: bytes as BodyInit,
  });
  return { status: reply.status, body: JSON.parse(await reply.text()) };
}
