import { endDraftHoldStatement, holdForReviewStatement } from "#db/campaigns/draft-holds.ts";
import { holdDatasetsOf } from "#db/base/fragments/hold-datasets.ts";
import { commit, type Db, type Statement } from "#db/base/client.ts";
import { lockLanesOfLeads } from "#db/engine/index.ts";
import { isFenced } from "#db/base/fence.ts";
import { stillMineStatement } from "#db/base/job-queue.ts";
import {
  endGenerationStatement,
  type Generation,
  type GenerationEnd,
  GENERATIONS,
  leadIsThere,
} from "#db/messages/generations.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { chargeOf } from "./charge.ts";
import { type Blame, leadOfFailureStatements, noteFailure } from "./send-time-failure.ts";

/**
 * Writes a claimed generation's result, its charge, and the end of the hold that waits for its text, in one transaction;
 * nothing where another worker has taken the claim over.
 */
export async function endGeneration(
  deps: Deps,
  { generation, token }: { generation: Generation; token: string },
  end: GenerationEnd,
  blame: Blame = "model",
): Promise<{ outcome: GenerationEnd["status"] | "overtaken" }> {
  const { id } = generation;
  const who = { id, token };
  const now = deps.clock.now();
  const isSpent = end.status === "generated";
  const waits = isSpent ? waitStatements(deps.db, generation, end.heldReason, now) : [];
  const hasFailed = end.status === "failed";
  const lead = hasFailed
    ? leadOfFailureStatements(deps.db, generation, { blame, error: end.error, now })
    : [];
  try {
    await commit(deps.db, [
      // Before it looks whether the lead is there.
      ...(isSpent ? [holdDatasetsOf(deps.db, generation.workspaceId, [generation.leadId])] : []),
      ...waits.slice(0, 1),
      stillMineStatement(deps.db, GENERATIONS, who, isSpent ? leadIsThere : undefined),
      endGenerationStatement(deps.db, who, end, now),
      ...waits.slice(1),
      ...lead,
      ...settle(deps, chargeOf(generation, [id]), () => isSpent),
    ] as [Statement, ...Statement[]]);
  } catch (error) {
    if (isFenced(error)) return { outcome: "overtaken" };
    throw error;
  }
  if (hasFailed) await noteFailure(deps, generation);
  return { outcome: end.status };
}

/** A text that is written by itself lets its lead go on, or wait for a person; lanes are locked before anything else. */
function waitStatements(
  db: Db,
  { kind, campaignId, campaignLeadId, step }: Generation,
  heldReason: string | null,
  now: Date,
): Statement[] {
  if (kind !== "send_time" || campaignId === null || campaignLeadId === null || step === null)
    return [];
  const lock = lockLanesOfLeads(db, campaignId, [campaignLeadId], now);
  if (heldReason !== null) {
    const reason = `Its draft waits to be approved: ${heldReason}`.slice(0, 1000);
    return [lock, holdForReviewStatement(db, { campaignLeadId, step, reason, now })];
  }
  const wait = { campaignLeadIds: [campaignLeadId], step, holds: ["awaiting_draft"] as const, now };
  return [lock, endDraftHoldStatement(db, wait)];
}
