import type { Bounce, BouncedRecipient } from "./bounce-kinds.ts";
import { refusalReason } from "#src/domain/people/refusals/reason.ts";
import { sesMessageId } from "#src/providers/mail/index.ts";
import { messageIds } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { smtpCodes } from "./notice.ts";

/** What Amazon SES reports through SNS, as JSON (its "notification contents" page), when SNS mails it. */
export interface SesNotification {
  type: "bounce" | "complaint" | "delivery";
  recipients: readonly { address: string; status: string; diagnostic: string }[];
  /** `abuse`, `fraud`, `virus`, `not-spam` or empty. */
  feedbackType: string;
  /** What the ledger may call the message: what SES named it, and by SMTP the name that it was given here. */
  messageIds: readonly string[];
}

type Json = { readonly [key: string]: unknown };

export const isAmazons = ({ from }: Pick<InboundMail, "from">): boolean =>
  /@(\S+\.)?(amazonaws|amazonses)\.com$/i.test(from?.email ?? "");

/** Null for any other mail. */
export function readSesNotification({ text, from }: InboundMail): SesNotification | null {
  if (!isAmazons({ from })) return null;
  const start = text.search(/[{]/);
  if (start === -1) return null;
  const end = text.lastIndexOf("}") + 1;
  const outer = parsed(text.slice(start, end));
  const inner = outer && typeof outer["Message"] === "string" ? parsed(outer["Message"]) : outer;
  const type = String(inner?.["notificationType"] ?? inner?.["eventType"] ?? "").toLowerCase();
  if (!inner || !(type === "bounce" || type === "complaint" || type === "delivery")) return null;
  const details = object(inner[type]);
  const list = details["bouncedRecipients"] ?? details["complainedRecipients"] ?? [];
  return {
    type,
    recipients: (Array.isArray(list) ? list : []).slice(0, 50).map((each) => ({
      address: word(object(each)["emailAddress"]).toLowerCase(),
      status: word(object(each)["status"]),
      diagnostic: word(object(each)["diagnosticCode"]),
    })),
    feedbackType: word(details["complaintFeedbackType"]),
    messageIds: messageIdsOf(object(inner["mail"])),
  };
}

function messageIdsOf(mail: Json): string[] {
  const [, region] = /^arn:[\w-]+:ses:([\w-]+):/.exec(word(mail["sourceArn"])) ?? [];
  const id = word(mail["messageId"]);
  const given = word(object(mail["commonHeaders"])["messageId"]);
  return [
    ...(region === undefined || id === "" ? [] : [sesMessageId(region, id)]),
    ...messageIds(given),
  ];
}

/** The bounce in a notification; null when it reports something else. */
export function sesBounce(notification: SesNotification): Bounce | null {
  if (notification.type === "complaint") return null;
  if (notification.type === "delivery")
    return { class: "delivered", format: "report", recipients: [], evidence: ["ses"] };
  const recipients = notification.recipients.map(
    ({ address, status, diagnostic }): BouncedRecipient => {
      const codes = smtpCodes(diagnostic);
      const refusal = {
        format: "report",
        status: status || codes.status,
        reply: codes.reply,
      } as const;
      return {
        recipient: address,
        originalRecipient: null,
        ...refusalReason({ ...refusal, diagnostic }),
        status: refusal.status,
        reply: refusal.reply,
        diagnostic,
      };
    },
  );
  return { class: "bounce", format: "report", recipients, evidence: ["ses"] };
}

/** The lines of a mail cut long strings, which JSON does not allow. */
function parsed(text: string): Json | null {
  for (const candidate of [text, text.replace(/\n ?/g, "")]) {
    try {
      return object(JSON.parse(candidate));
    } catch {
      continue;
    }
  }
  return null;
}

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};
const word = (value: unknown): string => (typeof value === "string" ? value.slice(0, 1_000) : "");
