import { loadStepTexts } from "#db/messages/draft-inputs.ts";
import { type DraftRow, pageOfDrafts } from "#db/messages/drafts.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type BatchProgress, progressOf, requirePlaygroundBatch } from "./batches.ts";
import { isStale } from "./stale.ts";

/** Drafts in memory at a time: each may be tens of kilobytes with what it was written from. */
const PAGE = 20;

export type ShownDraft = DraftRow & { isStale: boolean };

export interface DraftsOfBatch {
  progress: BatchProgress;
  /** In the batch's order, a page at a time, read when the one before was taken. */
  pages: AsyncGenerator<ShownDraft[]>;
}

export async function readDrafts(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  batchId: string,
): Promise<DraftsOfBatch> {
  const { campaign, batch } = await requirePlaygroundBatch(deps, principal, campaignId, batchId);
  const { workspaceId, steps } = campaign;
  const of = { workspaceId, campaignId, step: batch.step };
  const [texts, progress] = await Promise.all([
    loadStepTexts(deps.db, of),
    progressOf(deps, batch),
  ]);
  async function* pages() {
    for (let after = -1; ;) {
      const page = await pageOfDrafts(deps.db, batchId, { after, limit: PAGE });
      yield await Promise.all(
        page.map(async (draft) => ({
          ...draft,
          isStale:
            draft.status === "generated" && (await isStale(draft, steps[batch.step - 1], texts)),
        })),
      );
      if (page.length < PAGE) return;
      after = page.at(-1)!.leadIndex;
    }
  }
  return { progress, pages: pages() };
}
