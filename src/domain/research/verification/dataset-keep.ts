import { commit } from "#db/base/client.ts";
import { isFenced } from "#db/base/fence.ts";
import {
  endVerificationRowsStatement,
  type RowEnd,
  rowsOfClaim,
  rowsStillMineStatement,
} from "#db/research/dataset-verification-rows.ts";
import {
  completeDatasetVerificationStatement,
  type DatasetVerification,
  touchDatasetVerificationStatement,
} from "#db/research/dataset-verifications.ts";
import { noteVerdictsStatement } from "#db/people/lead-verdicts.ts";
import type { Deps } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import { chargeOfRows } from "./dataset-queue.ts";
import { isDelivered } from "./verdict.ts";

/** What has become of a row, and of which address. */
export type Asked = RowEnd & { email: string | null };

/**
 * Verdicts, charges and what the leads show of them, in one transaction. A lane that stood still for longer than its
 * claim may find that another has some of its rows: those are the other's to end and to charge.
 */
export async function keepEnds(
  deps: Deps,
  job: DatasetVerification,
  token: string,
  ends: readonly Asked[],
): Promise<void> {
  if (ends.length === 0) return;
  try {
    await commitEnds(deps, job, token, ends);
  } catch (error) {
    if (!isFenced(error)) throw error;
    const ours = await rowsOfClaim(deps.db, job.id, token);
    const left = ends.filter(({ rowIndex }) => ours.has(rowIndex));
    await keepEnds(deps, job, token, left);
  }
}

async function commitEnds(
  deps: Deps,
  job: DatasetVerification,
  token: string,
  ends: readonly Asked[],
): Promise<void> {
  const now = deps.clock.now();
  const over = ends.filter(({ state }) => state !== "waiting").map(({ rowIndex }) => rowIndex);
  const found = ends.flatMap(({ email, verdict }) =>
    email === null || verdict === null ? [] : [{ email, verdict }],
  );
  const delivered = ends.filter(({ verdict }) => verdict !== null && isDelivered(verdict));
  const spent = new Set(
    chargeOfRows(
      job,
      delivered.map(({ rowIndex }) => rowIndex),
    ).refIds,
  );
  await commit(deps.db, [
    touchDatasetVerificationStatement(deps.db, job.id, now),
    rowsStillMineStatement(
      deps.db,
      job.id,
      token,
      ends.map(({ rowIndex }) => rowIndex),
    ),
    endVerificationRowsStatement(deps.db, job.id, ends),
    completeDatasetVerificationStatement(deps.db, job.id, now),
    noteVerdictsStatement(deps.db, job.workspaceId, found),
    ...settle(deps, chargeOfRows(job, over), (refId) => spent.has(refId)),
  ]);
}
