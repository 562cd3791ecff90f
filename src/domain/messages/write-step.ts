import type { SendContext, TemplateContext } from "#db/engine/index.ts";
import type { Variant } from "#db/schema/index.ts";
import { literalMessage, type RenderedMessage, renderMessage } from "./compose.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import {
  chooseText,
  type ChosenText,
  ofOtherChannel,
  variablesOf,
} from "#src/domain/campaigns/choose-text.ts";
import type { RefusedAction, WaitingAction } from "#src/domain/engine/channel.ts";
import { type DraftedText, type TextSource, textToSend } from "./drafted-text.ts";
import type { Letter } from "./deliver.ts";
import { threadAfter } from "./thread.ts";

/** A step's text for one lead, before footer and tracking. */
export interface WrittenStep {
  ok: true;
  variant: Variant;
  drawn: ChosenText["drawn"];
  template: TemplateContext | null;
  profile: SendContext["senderProfiles"][number] | null;
  source: TextSource;
  subject: string;
  html: string;
  /** Of a plain text. */
  text?: string;
  /** Continues the thread of the messages before it. */
  threaded: boolean;
}

type Unwritten = RefusedAction | WaitingAction;

/** Chooses the draft of a step that a model writes. */
type ChooseDraft = (
  context: SendContext,
  chosen: ChosenText,
) => Promise<DraftedText | WaitingAction>;

/** Chooses the variant and fills in its text; the same lead and step give the same text in preview, forecast and send. */
export async function writeStep(
  context: SendContext,
  chooseDraft: ChooseDraft = textToSend,
): Promise<WrittenStep | Unwritten> {
  if (context.step.channel !== "email") return ofOtherChannel(context.step);
  const chosen = chooseText(context);
  if (!chosen.ok) return chosen;
  const text =
    context.drafts === null
      ? renderedText(context, chosen)
      : literalText(await chooseDraft(context, chosen));
  if (!text.ok) return text;
  const { variant, drawn, template, profile } = chosen;
  const subject = text.continues ? (context.firstSubject ?? "") : text.message.subject;
  if (subject === "")
    return {
      ok: false,
      skip: false,
      reason: "The step has no subject and there is no thread to continue.",
    };
  const threaded = text.continues && context.previous.length > 0;
  const { html, text: plain } = text.message;
  const base = { ok: true as const, variant, drawn, template, profile, source: text.source };
  return { ...base, subject, html, ...(plain === undefined ? {} : { text: plain }), threaded };
}

interface StepText {
  ok: true;
  source: TextSource;
  message: RenderedMessage;
  /** It has no subject of its own. */
  continues: boolean;
}

function renderedText(context: SendContext, { source, profile }: ChosenText): StepText | Unwritten {
  const { campaignLeadId, fields } = context.lead;
  const variables = variablesOf(fields, profile);
  const rendered = renderMessage(source, variables, `${campaignLeadId}/${context.step.step}`);
  if (!rendered.ok)
    return { ok: false, skip: true, reason: `MISSING_VARIABLE: ${rendered.missing.join(", ")}` };
  return { ok: true, source: "step", message: rendered.message, continues: source.subject === "" };
}

/** Word by word, whatever stands in it. */
function literalText(drafted: DraftedText | WaitingAction): StepText | Unwritten {
  if (!drafted.ok) return drafted;
  const { source, text } = drafted;
  const { subject, body } = text;
  const message = literalMessage({ subject, body, format: bodyFormat(body) });
  return { ok: true, source, message, continues: subject === "" };
}

/** A written step as a letter, in the thread of the messages before it. */
export function letterOf(
  { sendId, alias, campaign, workspace, step, previous }: SendContext,
  { subject, html, text, threaded }: WrittenStep,
  envelope: Pick<Letter, "messageId" | "to" | "date">,
): Letter {
  return {
    ...envelope,
    sendId,
    subject,
    html,
    ...(text === undefined ? {} : { text }),
    ...threadAfter(threaded ? previous.map(({ messageId }) => messageId) : []),
    tracking: { opens: step.track_opens, clicks: step.track_clicks, patterns: [] },
    ...(alias.signature === null ? {} : { signature: alias.signature }),
    ...(workspace.postalAddress === null ? {} : { postalAddress: workspace.postalAddress }),
    feedbackId: `${campaign.id}:${workspace.id}:campaign:overture`,
  };
}
