import {
  type ApprovedEntry,
  approveDrafts,
  removeApproval,
  type ReviewedLead,
} from "#db/messages/approvals.ts";
import { loadStepTexts, type StepTexts } from "#db/messages/draft-inputs.ts";
import { type DraftRow, newestDrafts } from "#db/messages/drafts.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound, unprocessable } from "#src/errors.ts";
import { approvedSteps, requireCampaignLead } from "#src/domain/campaigns/leads.ts";
import { type Campaign, requireCampaign } from "#src/domain/campaigns/read.ts";
import { isTooDeep, MAX_OPEN_TAGS } from "#src/mime/read-html.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { requireStep } from "./playground.ts";
import { isStale } from "./stale.ts";

export interface ApproveOrder {
  step: number;
  /** The batch of the draft; without one, the newest draft. */
  batchId?: string | undefined;
  /** In the place of the draft's own. */
  subject?: string | undefined;
  body?: string | undefined;
  expectedDraftHash?: string | undefined;
  /** `approved_at` of the text that this one may take the place of; null where there must be none. */
  replacesApprovedAt?: string | null | undefined;
}

/** Where a lead stands after a review, and the text that was approved, or that was before. */
export interface Review {
  campaignId: string;
  campaignLeadId: string;
  updatedAt: Date;
  step: number | null;
  approvedSteps: number[];
  entry: ApprovedEntry | null;
}

type Path = { campaignId: string; campaignLeadId: string };

/** What an order would approve. */
export interface Approvable {
  campaign: Campaign;
  draft: DraftRow;
  text: { subject: string; body: string };
}

/** The draft that is ordered, and the text that would be sent. Throws where it could not be. */
export async function readApprovable(
  deps: Deps,
  principal: Principal,
  path: Path,
  order: ApproveOrder,
): Promise<Approvable> {
  const campaign = await requirePlace(deps, principal, path, order.step);
  const of = { campaignId: campaign.id, step: order.step };
  const which = {
    campaignLeadIds: [path.campaignLeadId],
    ...(order.batchId === undefined ? {} : { batchId: order.batchId }),
  };
  const [drafts, texts] = await Promise.all([
    newestDrafts(deps.db, of, which),
    loadStepTexts(deps.db, { ...of, workspaceId: campaign.workspaceId }),
  ]);
  const [draft] = drafts;
  if (draft === undefined) throw notFound("Draft");
  if (order.expectedDraftHash !== undefined && order.expectedDraftHash !== draft.draftHash)
    throw changed("The newest draft is another than the one that was looked at; read it again.");
  if (await isStaleHere(campaign, draft, texts))
    throw changed("Lead or step changed since the draft was written; generate a new one.");
  return { campaign, draft, text: requireText(draft, order) };
}

/** An approved text is sent to the letter, as long as the inputs of its draft (lead and step) are unchanged. */
export async function approve(
  deps: Deps,
  principal: Principal,
  path: Path,
  order: ApproveOrder,
): Promise<Review> {
  const { campaign, draft, text } = await readApprovable(deps, principal, path, order);
  const now = deps.clock.now();
  const entry = entryOf(draft, text, { by: principal.userId, now });
  const replaces = order.replacesApprovedAt;
  const approvals = [{ campaignLeadId: path.campaignLeadId, entry, replaces }];
  const place = { campaign, step: order.step, now };
  const [lead] = await approveDrafts(deps.db, place, approvals);
  if (lead === undefined) throw await refusal(deps, principal, path, order);
  return reviewOf(campaign, order.step, lead);
}

/** Why nothing was written: another text was approved meanwhile, or the step has gone out. */
async function refusal(deps: Deps, principal: Principal, path: Path, order: ApproveOrder) {
  const { replacesApprovedAt: expected, step } = order;
  if (expected === undefined) return alreadySent(step);
  const lead = await requireCampaignLead(deps, principal, path.campaignId, path.campaignLeadId);
  const all = lead.metadata["approved_emails"] as Record<string, ApprovedEntry> | undefined;
  const there = all?.[String(step)]?.approved_at ?? null;
  return there === expected
    ? alreadySent(step)
    : conflict(
        "APPROVED_MEANWHILE",
        there === null
          ? "The approval that this one was to replace was taken back meanwhile; read it again."
          : `Another text was approved at ${there}; read it again.`,
      );
}

async function requirePlace(
  deps: Deps,
  principal: Principal,
  { campaignId, campaignLeadId }: Path,
  step: number | null,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, campaignId);
  await requireCampaignLead(deps, principal, campaignId, campaignLeadId);
  if (step !== null) requireStep(campaign, step);
  return campaign;
}

const isStaleHere = ({ steps }: Campaign, draft: DraftRow, texts: StepTexts) =>
  isStale(draft, steps[draft.step - 1], texts);

const changed = (message: string) => conflict("DRAFT_CHANGED", message);

const alreadySent = (step: number) =>
  conflict("STEP_ALREADY_SENT", `Step ${step} was sent to this lead, or is on its way.`);

/** A person's own words are taken as they are, if they make a message. */
function requireText(draft: DraftRow, order: ApproveOrder): { subject: string; body: string } {
  const subject = order.subject ?? draft.subject!;
  const body = order.body ?? draft.body!;
  if (subject === "" && draft.subject !== "")
    throw unprocessable("VALIDATION_ERROR", "The step begins a thread: it needs a subject.");
  if (bodyFormat(body) === "html" && isTooDeep(body))
    throw unprocessable("VALIDATION_ERROR", `More than ${MAX_OPEN_TAGS} tags are open at once.`);
  return { subject, body };
}

export const entryOf = (
  draft: DraftRow,
  { subject, body }: { subject: string; body: string },
  { by, now }: { by: string; now: Date },
): ApprovedEntry => ({
  subject,
  body,
  prompt_snapshot: draft.promptSnapshot!,
  prompt_version_hash: draft.promptVersionHash,
  lead_identity_fingerprint: draft.leadIdentityFingerprint!,
  step_index: draft.step,
  variant_label: draft.variantLabel,
  step_config_fingerprint: draft.stepConfigFingerprint!,
  approved_at: now.toISOString(),
  approved_by: by,
  research_cache_fingerprint: draft.researchFingerprint,
  sender_profile_id: draft.senderProfileId,
  template_id: draft.templateId,
  model: draft.model!,
  generation_latency_ms: draft.latencyMs!,
});

function reviewOf(
  campaign: Campaign,
  step: number | null,
  { id, metadata, updatedAt, entry }: ReviewedLead,
): Review {
  return {
    campaignId: campaign.id,
    campaignLeadId: id,
    updatedAt,
    step,
    approvedSteps: approvedSteps({ metadata }),
    entry,
  };
}

/** Takes an approval back, which is a review too. Not an error where there is none. */
export const unapprove = (deps: Deps, principal: Principal, path: Path, step: number) =>
  remove(deps, principal, path, { step, isReview: true });

/** Takes back the approval of a step, or with null of all that were not sent; does not count as a review. */
export const resetReview = (deps: Deps, principal: Principal, path: Path, step: number | null) =>
  remove(deps, principal, path, { step, isReview: false });

async function remove(
  deps: Deps,
  principal: Principal,
  path: Path,
  { step, isReview }: { step: number | null; isReview: boolean },
): Promise<Review> {
  const campaign = await requirePlace(deps, principal, path, step);
  const place = { campaign, step, now: deps.clock.now() };
  const lead = await removeApproval(deps.db, place, path.campaignLeadId, isReview);
  if (lead === undefined) throw alreadySent(step!);
  return reviewOf(campaign, step, lead);
}
