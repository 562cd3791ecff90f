import type { NetworkContext } from "#db/network/step-contexts.ts";
import { actionOf, type Step } from "#db/schema/index.ts";
import { chooseText, type ChosenText, ofOtherChannel, variablesOf } from "./choose-text.ts";
import type { RefusedAction } from "#src/domain/engine/channel.ts";
import { renderTemplate } from "#src/domain/senders/templates/template.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { MAX_MESSAGE_LENGTH, noteLengthOf } from "#src/domain/senders/network-limits.ts";

/** The text of a step on the network; null for a step without one, such as a visit, or a request without a note. */
export interface NetworkText {
  ok: true;
  text: string | null;
  variantLabel: string | null;
  drawn: ChosenText["drawn"];
  template: ChosenText["template"];
  profile: ChosenText["profile"];
}

/** The lead, step and account that a text is for. */
export interface NetworkTextChoice extends Pick<
  NetworkContext,
  "step" | "templates" | "senderProfiles"
> {
  lead: Pick<NetworkContext["lead"], "campaignLeadId" | "fields">;
  account: Pick<NetworkContext["account"], "isPremium">;
  draw?: NetworkContext["draw"];
}

export const NOTE_TOO_LONG = "NOTE_TOO_LONG";

/** Whether a step invites with a note. */
export const isNoted = (step: Step): boolean =>
  step.action_type === "connection_request" &&
  (step.message_template !== undefined || step.variants.length > 0);

const SILENT: NetworkText = {
  ok: true,
  text: null,
  variantLabel: null,
  drawn: null,
  template: null,
  profile: null,
};

/**
 * Chooses the variant and fills in its text, which is plain: a network shows what one would type. The same lead and
 * step give the same text in preview, forecast and send.
 */
export function writeNetworkStep(context: NetworkTextChoice): NetworkText | RefusedAction {
  const { step } = context;
  if (step.channel !== "socialnet") return ofOtherChannel(step);
  if (actionOf(step.action_type).isSilent) return SILENT;
  const chosen = textOf(context);
  if (chosen === null) return SILENT;
  if (!chosen.ok) return chosen;
  const { lead } = context;
  const rendered = tryRender(
    chosen.source.body,
    variablesOf(lead.fields, chosen.profile),
    `${lead.campaignLeadId}/${step.step}/body`,
  );
  if (!rendered.ok) return rendered;
  const text = rendered.text.trim();
  const fault = lengthFault(context, text);
  if (fault !== null) return fault;
  const { variant, drawn, template, profile } = chosen;
  return {
    ok: true,
    text: text === "" ? null : text,
    variantLabel: variant?.label ?? null,
    drawn,
    template,
    profile,
  };
}

type ChosenNetworkText = Pick<ChosenText, "ok" | "drawn" | "template" | "profile"> & {
  variant: ChosenText["variant"] | null;
  source: { body: string };
};

/** Null where the step has no text at all. */
function textOf(context: NetworkTextChoice): ChosenNetworkText | RefusedAction | null {
  const { step, senderProfiles } = context;
  if (step.message_template !== undefined) {
    const profile = senderProfiles.find(({ isDefault }) => isDefault) ?? null;
    const source = { body: step.message_template };
    return { ok: true, variant: null, drawn: null, template: null, profile, source };
  }
  return step.variants.length === 0 ? null : chooseText(context);
}

function tryRender(
  source: string,
  variables: Record<string, unknown>,
  seed: string,
): { ok: true; text: string } | RefusedAction {
  try {
    const rendered = renderTemplate(source, variables, "text", seed);
    if (rendered.ok) return rendered;
    return refused(`MISSING_VARIABLE: ${rendered.missing.join(", ")}`, true);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return refused(`The message could not be written: ${error.message.slice(0, 300)}`, false);
  }
}

/** The network counts UTF-16 units, as JavaScript does: an emoji is two. */
function lengthFault({ step, account }: NetworkTextChoice, text: string): RefusedAction | null {
  if (step.action_type === "message") {
    if (text === "") return refused(`Step ${step.step} has no text to send.`, false);
    if (text.length <= MAX_MESSAGE_LENGTH) return null;
    return refused(`MESSAGE_TOO_LONG: ${text.length} of ${MAX_MESSAGE_LENGTH} characters`, true);
  }
  const most = noteLengthOf(account);
  if (text.length <= most) return null;
  return refused(`${NOTE_TOO_LONG}: ${text.length} of ${most} characters`, true);
}

const refused = (reason: string, skip: boolean): RefusedAction => ({ ok: false, reason, skip });
