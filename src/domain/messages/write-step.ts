import type { SendContext, TemplateContext } from "#db/engine.ts";
import type { Variant } from "#db/schema/index.ts";
import { renderMessage } from "./compose.ts";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";
import type { RefusedAction } from "#src/domain/engine/channel.ts";
import type { Letter } from "./hand-over.ts";
import { threadAfter } from "./thread.ts";

/** A step's text for one lead, before footer and tracking. */
export interface WrittenStep {
  ok: true;
  variant: Variant;
  template: TemplateContext | null;
  profile: SendContext["senderProfiles"][number] | null;
  subject: string;
  html: string;
  /** Continues the thread of the messages before it. */
  threaded: boolean;
}

/** Chooses the variant and fills in its text; the same lead and step give the same text, whoever asks. */
export function writeStep(context: SendContext): WrittenStep | RefusedAction {
  const chosen = chooseText(context);
  if (!chosen.ok) return chosen;
  const { variant, template, source, profile } = chosen;
  const variables = {
    ...context.lead.fields,
    lead: context.lead.fields,
    sender: profile?.fields ?? {},
  };
  const seed = `${context.lead.campaignLeadId}/${context.step.step}`;
  const rendered = renderMessage(source, variables, seed);
  if (!rendered.ok)
    return { ok: false, skip: true, reason: `MISSING_VARIABLE: ${rendered.missing.join(", ")}` };
  const continues = source.subject === "";
  const subject = continues ? (context.firstSubject ?? "") : rendered.message.subject;
  if (subject === "")
    return {
      ok: false,
      skip: false,
      reason: "The step has no subject and there is no thread to continue.",
    };
  const threaded = continues && context.previous.length > 0;
  return { ok: true, variant, template, profile, subject, html: rendered.message.html, threaded };
}

/** A written step as a letter, in the thread of the messages before it. */
export function letterOf(
  { sendId, alias, campaign, workspace, step, previous }: SendContext,
  { subject, html, threaded }: WrittenStep,
  envelope: Pick<Letter, "messageId" | "to" | "date">,
): Letter {
  return {
    ...envelope,
    sendId,
    subject,
    html,
    ...threadAfter(threaded ? previous.map(({ messageId }) => messageId) : []),
    tracking: { opens: step.track_opens, clicks: step.track_clicks, patterns: [] },
    ...(alias.signature === null ? {} : { signature: alias.signature }),
    ...(workspace.postalAddress === null ? {} : { postalAddress: workspace.postalAddress }),
    feedbackId: `${campaign.id}:${workspace.id}:campaign:overture`,
  };
}
