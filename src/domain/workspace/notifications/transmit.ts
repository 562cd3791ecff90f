import type { ClaimedDelivery } from "#db/workspace/notice-deliveries.ts";
import type { Deps } from "#src/deps.ts";
import type { MailTransport } from "#src/providers/mail/index.ts";
import type {
  Messaging,
  MessagingOutcome,
  TemplateMessage,
} from "#src/providers/messaging/index.ts";
import type { OutboxKind } from "#db/base/fragments/outbox.ts";
import { emailText } from "./email-text.ts";
import type { NoticeText } from "./notice-text.ts";
import { type Attempt, noticeMail, transmitMail } from "./system-mail.ts";
import { oneLine } from "#src/platform/one-line.ts";

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

type Templates = Deps["settings"]["whatsappTemplates"];

const SAID = 250;
const FIRST = 250;

const concernsCampaign = (kind: OutboxKind): boolean => kind.startsWith("campaign_");

/** A notice as one of the three templates, whose parameters `WhatsappTemplates` names. Pure. */
export function templateMessage(
  { campaign, counts, entries }: NoticeText,
  templates: Templates,
): Pick<TemplateMessage, "template" | "language" | "parameters"> {
  const { language } = templates;
  const [entry] = entries;
  const { happened, quote, advice } = entry!;
  const where = campaign ?? "single messages";
  if (counts !== null) {
    const first = oneLine(entries.map((each) => each.happened).join("; "), FIRST);
    return { template: templates.digest, language, parameters: [where, counts, first, advice] };
  }
  if (concernsCampaign(entry!.kind))
    return { template: templates.campaign, language, parameters: [where, happened, advice] };
  const said = oneLine(quote.join(" "), SAID);
  return { template: templates.lead, language, parameters: [happened, where, said, advice] };
}
