import type { ClaimedDelivery } from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import type { MailTransport } from "#src/providers/mail/index.ts";
import type { Messaging, MessagingOutcome } from "#src/providers/messaging/index.ts";
import { emailText } from "./email-text.ts";
import type { NoticeText } from "./notice-text.ts";
import { type Attempt, noticeMail, transmitMail } from "./system-mail.ts";
import { templateMessage } from "./template-message.ts";

/** A message that is written and addressed; nothing is left but to hand it over, at most once. */
export type Ready = () => Promise<Attempt>;

/** Writes a notice for its channel; null where this deployment has not got it. */
export function prepareNotice(
  deps: Deps,
  transport: MailTransport,
  { id, channel }: ClaimedDelivery,
  notice: NoticeText,
  to: string,
): Ready | null {
  const { settings, messaging, clock } = deps;
  if (channel === "whatsapp") {
    if (messaging === null) return null;
    const message = templateMessage(notice, settings.whatsappTemplates);
    return () => transmitTemplate(messaging, { ...message, to, reference: id });
  }
  const { systemMail, publicBaseUrl } = settings;
  if (systemMail === null) return null;
  const text = emailText(notice, publicBaseUrl);
  const message = noticeMail(systemMail, text, { id, to, date: clock.now() });
  return () => transmitMail(transport, systemMail, message);
}

async function transmitTemplate(
  messaging: Messaging,
  message: Parameters<Messaging["sendTemplate"]>[0],
): Promise<Attempt> {
  return judge(await messaging.sendTemplate(message));
}

function judge(outcome: MessagingOutcome): Attempt {
  switch (outcome.kind) {
    case "sent":
      return { kind: "sent" };
    case "unknown":
      return { kind: "unknown", error: outcome.detail };
    case "refused":
      return { kind: "dead", error: `${outcome.code} ${outcome.detail}` };
    case "busy": {
      const notBeforeMs = (outcome.retryAfterSeconds ?? 0) * 1000;
      return { kind: "later", error: outcome.detail, notBeforeMs };
    }
  }
}
