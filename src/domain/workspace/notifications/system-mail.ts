import type { DeliveryEnd } from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import { answerOf, wordsOf } from "#src/domain/engine/outcome.ts";
import { normalizeEmail } from "#src/mime/address.ts";
import { domainOfKey } from "#src/mime/email-key.ts";
import { buildMime } from "#src/mime/message.ts";
import type { MailTransport, OutgoingRaw, SendResult } from "#src/providers/mail/index.ts";
import type { EmailText } from "./email-text.ts";

type SystemMail = NonNullable<Deps["settings"]["systemMail"]>;

/**
 * A notice as bytes. Its Message-ID is the delivery's own, so that it is the same for every attempt, and names
 * nothing that a report could be matched to; robots are told not to answer it (RFC 3834).
 */
export function noticeMail(
  { from }: SystemMail,
  { subject, text, html }: EmailText,
  { id, to, date }: { id: string; to: string; date: Date },
): OutgoingRaw {
  const sender = normalizeEmail(from.email, "From");
  const recipient = normalizeEmail(to, "To");
  const raw = buildMime({
    from,
    to: { email: recipient },
    subject,
    messageId: `notice.${id}@${domainOfKey(sender)}`,
    date,
    headers: [
      ["Auto-Submitted", ["auto-generated"]],
      ["X-Auto-Response-Suppress", ["All"]],
    ],
    text,
    html,
  });
  return { id, from: sender, to: recipient, raw };
}

/** One attempt, once it is recorded as begun. */
export async function transmitMail(
  transport: MailTransport,
  { relay }: SystemMail,
  message: OutgoingRaw,
): Promise<Attempt> {
  const result = await answerOf<SendResult>(() =>
    transport.send({ kind: "smtp", ...relay }, message),
  );
  return judge(result);
}

/** An attempt's result; `later`: the relay did not accept the mail, and it may be tried again. */
export type Attempt =
  | Exclude<DeliveryEnd, { kind: "again" }>
  | { kind: "later"; error: string; notBeforeMs: number };

function judge(result: SendResult): Attempt {
  switch (result.state) {
    case "accepted":
      return { kind: "sent" };
    case "unknown":
      return { kind: "unknown", error: result.reason };
    case "rejected":
      // A refusal of the service's own sender is the operator's to mend; any other is for good.
      return result.scope === "sender"
        ? { kind: "later", error: wordsOf(result), notBeforeMs: 0 }
        : { kind: "dead", error: wordsOf(result) };
    case "deferred":
      return { kind: "later", error: wordsOf(result), notBeforeMs: 0 };
  }
}
