import type { SendContext, TemplateContext } from "#db/engine.ts";
import type { Variant } from "#db/schema/index.ts";
import {
  type ComposedMessage,
  finishMessage,
  type MessageSource,
  renderMessage,
} from "./compose.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import type { DkimSigner } from "#src/mime/dkim.ts";
import type { TrackTokens } from "#src/domain/tracking/track-token.ts";
import { variantIndex } from "#src/domain/engine/chance.ts";
import type { RefusedSend } from "#src/domain/engine/tick.ts";

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

/** References of a long thread: the first message and the newest ones (RFC 5322 leaves the number open). */
const MAX_REFERENCES = 20;

/** Chooses the variant and fills in its text; the same lead and step give the same text, whoever asks. */
export function writeStep(context: SendContext): WrittenStep | RefusedSend {
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

export interface StepEnvelope {
  sendId: string;
  messageId: string;
  /** The recipient, its domain as an A-label. */
  to: string;
  date: Date;
  tokens: TrackTokens;
  trackingBaseUrl: string;
  /** The message's own return path; null where bounces go to the alias. */
  returnPath: string | null;
  dkim: readonly DkimSigner[];
}

/** A written step as finished bytes: footer, tracking, thread, signatures. */
export function finishStep(
  context: SendContext,
  { subject, html, threaded }: WrittenStep,
  { to, returnPath, ...envelope }: StepEnvelope,
): Promise<ComposedMessage> {
  const { alias, campaign, workspace, step } = context;
  return finishMessage(
    { subject, html },
    {
      ...envelope,
      from: { name: alias.displayName, email: alias.email },
      to: { email: to },
      ...(alias.replyTo === null ? {} : { replyTo: { email: alias.replyTo } }),
      ...(threaded ? { thread: threadOf(context) } : {}),
      tracking: { opens: step.track_opens, clicks: step.track_clicks, patterns: [] },
      ...(alias.signature === null ? {} : { signature: alias.signature }),
      ...(workspace.postalAddress === null ? {} : { postalAddress: workspace.postalAddress }),
      ...(returnPath === null ? {} : { unsubscribeAddress: returnPath }),
      feedbackId: `${campaign.id}:${workspace.id}:campaign:overture`,
    },
  );
}

interface ChosenText {
  ok: true;
  variant: Variant;
  source: MessageSource;
  template: TemplateContext | null;
  profile: SendContext["senderProfiles"][number] | null;
}

/** The variant by weight, its text, and the profile it speaks for. */
function chooseText(context: SendContext): ChosenText | RefusedSend {
  const { step, lead } = context;
  const variant =
    step.variants[
      variantIndex(
        lead.campaignLeadId,
        step.step,
        step.variants.map(({ weight }) => weight),
      )
    ];
  if (variant === undefined)
    return { ok: false, skip: false, reason: `Step ${step.step} has no text to send.` };
  const wanted = variant.sender_profile_id;
  const profile =
    context.senderProfiles.find(({ id, isDefault }) =>
      wanted === undefined ? isDefault : id === wanted,
    ) ?? null;
  if (variant.type === "INLINE") {
    return {
      ok: true,
      variant,
      source: {
        subject: variant.subject ?? "",
        body: variant.body,
        format: bodyFormat(variant.body),
      },
      template: null,
      profile,
    };
  }
  const template = context.templates.find(({ id }) => id === variant.template_id);
  if (template === undefined)
    return { ok: false, skip: false, reason: `The template of step ${step.step} was deleted.` };
  const source = { subject: template.subject ?? "", body: template.body, format: template.format };
  return { ok: true, variant, source, template, profile };
}

function threadOf({ previous }: SendContext): { inReplyTo: string; references: string[] } {
  const ids = previous.map(({ messageId }) => messageId);
  const [root, ...rest] = ids;
  return { inReplyTo: ids.at(-1)!, references: [root!, ...rest.slice(-(MAX_REFERENCES - 1))] };
}
