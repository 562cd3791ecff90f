import type { Campaign } from "#db/campaigns/campaigns.ts";
import { getAlias } from "#db/senders/aliases.ts";
import { healAlias } from "#db/senders/alias-health.ts";
import { isUsable } from "#db/base/fragments/usable.ts";
import { recipientsOf } from "#db/people/suppressions.ts";
import {
  loadPreview,
  type PreviewContext,
  type PreviewFor,
  type PreviewOrder,
} from "#db/campaigns/step-preview.ts";
import type { Step } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { AppError, conflict, notFound, unprocessable } from "#src/errors.ts";
import type { ComposedMessage } from "./compose.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { requireCampaign } from "#src/domain/campaigns/read.ts";
import { fillSteps, type StepInput } from "#src/domain/campaigns/steps.ts";
import { wordsOf } from "#src/domain/engine/outcome.ts";
import { textToShow } from "./drafted-text.ts";
import { createHandOver, type Letter, previewLetter } from "./deliver.ts";
import { previewAction, type PreviewedAction } from "./network/preview.ts";
import { letterOf, writeStep, type WrittenStep } from "./write-step.ts";

export { TEXT_SOURCES } from "./drafted-text.ts";
export type { PreviewFor } from "#db/campaigns/step-preview.ts";

export type StepPreview = LetterPreview | ({ channel: "socialnet" } & PreviewedAction);

interface LetterPreview {
  channel: "email";
  context: PreviewContext;
  written: WrittenStep;
  message: ComposedMessage;
}

/**
 * A step as one lead would get it, to the letter: the same variant, spintax and
 * text that the send will have, or of these steps instead of the campaign's. Sends
 * and counts nothing; its links lead straight to their targets.
 */
export async function previewStep(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  step: number,
  { target, steps: written }: { target: PreviewFor; steps?: StepInput[] | undefined },
): Promise<StepPreview> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  const steps = written === undefined ? null : fillSteps(written, campaign.type);
  const shown = { target, steps };
  if (requireStep(steps ?? campaign.steps, step).channel === "socialnet")
    return { channel: "socialnet", ...(await previewAction(deps, campaign, step, shown)) };
  const context = await requireContext(deps, campaign, step, shown);
  const text = await write(context);
  const letter = previewOf(deps, context, text, context.lead.email);
  const message = await previewLetter(deps, context, letter).catch(refuse);
  return { channel: "email", context, written: text, message };
}

/**
 * Sends a step as a test, at once, to any address that is not suppressed (`to`, in its compared form). It counts in no
 * limit and no report; it only shows that the alias's account works. Answers what the relay said, or why it could
 * not be asked.
 */
export async function sendTest(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  step: number,
  { to: wanted, target }: { to: string; target: PreviewFor },
) {
  const context = await requireLetter(deps, principal, campaignId, { step, target });
  const { workspaceId } = principal;
  const now = deps.clock.now();
  const known = await recipientsOf(deps.db, workspaceId, [wanted], now);
  const reason = known.get(wanted)!.suppressionReason;
  if (reason !== null)
    throw conflict("SUPPRESSED", `${wanted} is suppressed (${reason}); nothing is sent to it.`);
  const alias = await getAlias(deps.db, workspaceId, context.alias.id);
  if (alias === undefined || !isUsable(alias.status))
    throw conflict("ALIAS_NOT_READY", "The campaign's first mail alias is not active.");
  const written = await write(context);
  const handOver = createHandOver(deps);
  try {
    const letter = previewOf(deps, context, written, wanted);
    const ready = await handOver.prepare(context, letter).catch(refuse);
    const result = await handOver.perform(ready);
    if (result.state === "accepted" && (alias.status === "error" || alias.lastError !== null))
      await healAlias(deps.db, alias.id, deps.clock.now());
    return {
      to: ready.outgoing.to,
      from: alias.email,
      subject: written.subject,
      source: written.source,
      reply: wordsOf(result),
      accepted: result.state === "accepted",
    };
  } finally {
    await handOver.close();
  }
}

/** A campaign's step of email as it would be written for a lead now, from whichever sender. */
export async function writeForLead(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  wish: { step: number; target: PreviewFor },
): Promise<{ context: PreviewContext; written: WrittenStep }> {
  const context = await requireLetter(deps, principal, campaignId, wish);
  return { context, written: await write(context) };
}

async function requireLetter(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  { step, target }: { step: number; target: PreviewFor },
): Promise<PreviewContext> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  if (requireStep(campaign.steps, step).channel !== "email")
    throw unprocessable(
      "STEP_NOT_AN_EMAIL",
      `Step ${step} acts on the professional network, where nothing can be tried out; /render shows what it says.`,
    );
  return requireContext(deps, campaign, step, { target, steps: null });
}

function requireStep(steps: Step[], step: number): Step {
  const config = steps[step - 1];
  if (config !== undefined) return config;
  throw unprocessable(
    "STEP_INDEX_OUT_OF_RANGE",
    `The campaign has ${steps.length} steps; there is no step ${step}.`,
  );
}

async function requireContext(
  deps: Deps,
  campaign: Campaign,
  step: number,
  { target, steps }: Pick<PreviewOrder, "target" | "steps">,
): Promise<PreviewContext> {
  const { id: campaignId, workspaceId } = campaign;
  const load = (number: number) =>
    loadPreview(deps.db, {
      workspaceId,
      campaignId,
      step: number,
      target,
      steps,
      sendId: deps.ids.uuid(),
    });
  const context = await load(step);
  if (context === undefined)
    throw target === null
      ? unprocessable("VALIDATION_ERROR", "The campaign has no lead with an email, or no alias.")
      : notFound("campaignLeadId" in target ? "Campaign lead" : "Lead");
  const firstMail = (steps ?? campaign.steps).findIndex(({ channel }) => channel === "email") + 1;
  if (context.firstSubject !== null || step === firstMail) return context;
  // No mail was sent yet: the thread's subject is that of the first one to come.
  const first = await load(firstMail);
  return { ...context, firstSubject: first === undefined ? null : (await write(first)).subject };
}

/** Writes a step; if a model writes it, with the text that would be sent, or else its newest draft. */
async function write(context: PreviewContext): Promise<WrittenStep> {
  const written = await writeStep(context, (_, chosen) =>
    textToShow(context, chosen, context.newestDraft),
  ).catch(refuse);
  if (written.ok) return written;
  if ("waits" in written) throw draftNotFound(context.step.step);
  const isMissing = written.reason.startsWith("MISSING_VARIABLE");
  throw unprocessable(isMissing ? "MISSING_VARIABLE" : "VALIDATION_ERROR", written.reason);
}

const draftNotFound = (step: number): AppError =>
  new AppError(
    "not_found",
    "DRAFT_NOT_FOUND",
    `Step ${step} has no text for this lead yet; POST /api/v1/campaigns/{campaign_id}/playground/generate writes one.`,
  );

/** A text that makes no message is its writer's problem. */
export function refuse(error: unknown): never {
  if (error instanceof TemplateError || error instanceof MailInputError)
    throw unprocessable("VALIDATION_ERROR", error.message);
  throw error;
}

function previewOf(deps: Deps, context: PreviewContext, written: WrittenStep, to: string): Letter {
  // Never the id that the send will have: receivers that de-duplicate would drop it.
  const messageId = `${context.sendId}@${context.alias.email.split("@")[1]}`;
  return letterOf(context, written, { messageId, to, date: deps.clock.now() });
}
