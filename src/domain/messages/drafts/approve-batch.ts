import { approveDrafts } from "#db/messages/approvals.ts";
import { loadStepTexts, type StepTexts } from "#db/messages/draft-inputs.ts";
import { type DraftRow, newestDrafts } from "#db/messages/drafts.ts";
import type { Step } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { entryOf } from "./approve.ts";
import { requirePlaygroundBatch } from "./batches.ts";
import { isStale } from "./stale.ts";

export const NOT_APPROVED = [
  "DRAFT_NOT_FOUND",
  "DRAFT_CHANGED",
  "DRAFT_HELD",
  "APPROVED_MEANWHILE",
  "STEP_ALREADY_SENT",
] as const;
type NotApproved = (typeof NOT_APPROVED)[number];

export interface BatchApproval {
  approved: number;
  skipped: { campaignLeadId: string; code: NotApproved }[];
}

interface BatchOrder {
  batchId: string;
  campaignLeadIds?: readonly string[] | undefined;
}

/** The drafts of a batch that a bulk approval is asked for, and those of them that it takes. */
export async function readApprovableBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  order: BatchOrder,
) {
  const { campaign, batch } = await requirePlaygroundBatch(
    deps,
    principal,
    campaignId,
    order.batchId,
  );
  const of = { campaignId, step: batch.step };
  const wanted = order.campaignLeadIds && { campaignLeadIds: order.campaignLeadIds };
  const [drafts, texts] = await Promise.all([
    newestDrafts(deps.db, of, { batchId: batch.id, ...wanted }),
    loadStepTexts(deps.db, { ...of, workspaceId: campaign.workspaceId }),
  ]);
  const fresh = await freshOf(drafts, campaign.steps[batch.step - 1], texts);
  const unheld = fresh.filter(({ heldReason }) => heldReason === null);
  // Words that a person wrote are not a draft's to replace; an approval of a draft as it was is.
  const passed = unheld.filter(({ isEdited }) => !isEdited);
  return { campaign, step: batch.step, drafts, fresh, unheld, passed };
}

/** Approves drafts of a batch unchanged: of the given leads, or all that are written; but for held ones, which are read one by one, and where a person approved other words. */
export async function approveBatch(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  order: BatchOrder,
): Promise<BatchApproval> {
  const { campaign, step, ...found } = await readApprovableBatch(
    deps,
    principal,
    campaignId,
    order,
  );
  const now = deps.clock.now();
  const approvals = found.passed.map((draft) => ({
    campaignLeadId: draft.campaignLeadId,
    entry: entryOf(
      draft,
      { subject: draft.subject!, body: draft.body! },
      { by: principal.userId, now },
    ),
    replaces: draft.entry?.approved_at ?? null,
  }));
  const approved = await approveDrafts(deps.db, { campaign, step, now }, approvals);
  const done = new Set(approved.map(({ id }) => id));
  const missed = found.passed.filter((draft) => !done.has(draft.campaignLeadId));
  const free = await unlessApproved(deps, { campaignId, step }, missed);
  return report(order.campaignLeadIds, { ...found, free }, done);
}

/** Of drafts that were not approved those whose approval is still what it was when they were read: their step has gone out. */
async function unlessApproved(
  deps: Deps,
  of: { campaignId: string; step: number },
  missed: readonly DraftRow[],
): Promise<DraftRow[]> {
  if (missed.length === 0) return [];
  const campaignLeadIds = missed.map((draft) => draft.campaignLeadId);
  const now = await newestDrafts(deps.db, of, { campaignLeadIds });
  const approvedAt = new Map(now.map((each) => [each.campaignLeadId, each.entry?.approved_at]));
  return missed.filter(
    (draft) => approvedAt.get(draft.campaignLeadId) === draft.entry?.approved_at,
  );
}

async function freshOf(drafts: readonly DraftRow[], step: Step | undefined, texts: StepTexts) {
  const stale = await Promise.all(drafts.map((draft) => isStale(draft, step, texts)));
  return drafts.filter((_, index) => !stale[index]);
}

function report(
  wanted: readonly string[] | undefined,
  texts: Record<"drafts" | "fresh" | "unheld" | "free", readonly DraftRow[]>,
  approved: ReadonlySet<string>,
): BatchApproval {
  const idsOf = (rows: readonly DraftRow[]) => new Set(rows.map((row) => row.campaignLeadId));
  const written = idsOf(texts.drafts);
  const unchanged = idsOf(texts.fresh);
  const unheld = idsOf(texts.unheld);
  const free = idsOf(texts.free);
  const codeOf = (id: string): NotApproved => {
    if (!written.has(id)) return "DRAFT_NOT_FOUND";
    if (!unchanged.has(id)) return "DRAFT_CHANGED";
    if (!unheld.has(id)) return "DRAFT_HELD";
    return free.has(id) ? "STEP_ALREADY_SENT" : "APPROVED_MEANWHILE";
  };
  const skipped = [...new Set(wanted ?? written)]
    .filter((id) => !approved.has(id))
    .map((id) => ({ campaignLeadId: id, code: codeOf(id) }));
  return { approved: approved.size, skipped };
}
