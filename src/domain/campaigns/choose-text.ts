import type { Draw, SendContext, SenderProfileContext, TemplateContext } from "#db/engine/index.ts";
import type { Step, Variant } from "#db/schema/index.ts";
import { type DrawnVariant, drawVariant } from "./experiments/draw.ts";
import type { RefusedAction } from "#src/domain/engine/channel.ts";
import { bodyFormat } from "#src/mime/body-format.ts";

/** The lead and step whose text is chosen, and the templates and profiles for it. */
export interface TextChoice extends Pick<SendContext, "step" | "templates" | "senderProfiles"> {
  lead: { campaignLeadId: string };
  /** Of a step that is tried out; without it by the configured weights. */
  draw?: Draw | null;
  /** A step that a model writes keeps the variant that its text was written for: its weights stay as configured. */
  drafts?: SendContext["drafts"];
}

export interface ChosenText {
  ok: true;
  variant: Variant;
  drawn: DrawnVariant["drawn"];
  source: { subject: string; body: string; format: "html" | "text" };
  template: TemplateContext | null;
  profile: SenderProfileContext | null;
}

/** The values of a text's variables: the lead's fields by their bare names and under `lead`, the profile's under `sender`. */
export const variablesOf = (
  fields: Readonly<Record<string, unknown>>,
  profile: SenderProfileContext | null,
): Record<string, unknown> => ({ ...fields, lead: fields, sender: profile?.fields ?? {} });

/** A step is never done on another channel than its own, whichever sender its lead has come to. */
export const ofOtherChannel = ({
  step,
  channel,
}: Pick<Step, "step" | "channel">): RefusedAction => ({
  ok: false,
  skip: false,
  reason: `WRONG_CHANNEL: step ${step} is of the channel ${channel}, of which its lead's sender is not.`,
});

/** The variant by weight, its text, and the profile it speaks for: the same for a send, a preview and a draft. */
export function chooseText({
  step,
  lead,
  templates,
  senderProfiles,
  draw = null,
  drafts = null,
}: TextChoice): ChosenText | RefusedAction {
  const inForce = draw !== null && drafts !== null ? { ...draw, version: 0, weights: null } : draw;
  const { index, drawn } = drawVariant(lead.campaignLeadId, step.step, step.variants, inForce);
  const variant = step.variants[index];
  if (variant === undefined)
    return { ok: false, skip: false, reason: `Step ${step.step} has no text to send.` };
  const wanted = variant.sender_profile_id;
  const profile =
    senderProfiles.find(({ id, isDefault }) =>
      wanted === undefined ? isDefault : id === wanted,
    ) ?? null;
  if (variant.type === "INLINE") {
    const { subject = "", body } = variant;
    return {
      ok: true,
      variant,
      drawn,
      source: { subject, body, format: bodyFormat(body) },
      template: null,
      profile,
    };
  }
  const template = templates.find(({ id }) => id === variant.template_id);
  if (template === undefined)
    return { ok: false, skip: false, reason: `The template of step ${step.step} was deleted.` };
  const source = { subject: template.subject ?? "", body: template.body, format: template.format };
  return { ok: true, variant, drawn, source, template, profile };
}
