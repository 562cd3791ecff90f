import type { OutboxKind } from "#db/base/fragments/outbox.ts";
import type { Deps } from "#src/deps.ts";
import type { TemplateMessage } from "#src/providers/messaging/index.ts";
import { oneLine } from "./one-line.ts";
import type { NoticeText } from "./notice-text.ts";

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
