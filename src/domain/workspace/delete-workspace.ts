import {
  closeSenders,
  forgetSessions,
  markDeleted,
  openHoldsOfDeleted,
  sessionsOfDeleted,
  stopDeleted,
  unstoppedWorkspaces,
} from "#db/workspace/workspace-deletion.ts";
import { commit } from "#db/base/client.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { settle } from "#src/domain/billing/credits/charge.ts";
import type { CreditUse } from "#src/domain/billing/credits/packs.ts";
import { endSession } from "#src/domain/network/end-session.ts";
import { closeCheckouts } from "#src/domain/billing/payments/attend.ts";
import { describeError } from "#src/platform/log.ts";

const HOLDS_AT_ONCE = 1_000;
const WORKSPACES_AT_ONCE = 20;

/**
 * Deletes the caller's workspace: nothing of it begins after this returned, its keys are revoked, and until it is erased
 * an operator can restore it. What only tidies up behind that may fail here; the full check does it then.
 */
export async function deleteWorkspace(deps: Deps, { workspaceId }: Principal): Promise<void> {
  await markDeleted(deps.db, workspaceId, deps.clock.now());
  deps.log.info("workspace_deleted", { workspace_id: workspaceId });
  await tidyUp(deps, workspaceId).catch((error: unknown) =>
    deps.log.error("workspace_not_tidied", { workspace_id: workspaceId, ...describeError(error) }),
  );
  deps.background(closeCheckouts(deps, workspaceId));
}

/** Stops work that is still under way in deleted workspaces: of a request admitted before, or whose end was lost. */
export async function stopDeletedWorkspaces(deps: Deps): Promise<number> {
  const ids = await unstoppedWorkspaces(deps.db, WORKSPACES_AT_ONCE);
  for (const id of ids) {
    await stopDeleted(deps.db, id, deps.clock.now());
    await tidyUp(deps, id);
  }
  return ids.length;
}

async function tidyUp(deps: Deps, workspaceId: string): Promise<void> {
  await closeSenders(deps.db, workspaceId, deps.clock.now());
  await endSessions(deps, workspaceId);
  await giveBackHolds(deps, workspaceId);
}

/** The provider is asked to end a session before its id is deleted, so that a worker that dies here leaves none behind. */
async function endSessions(deps: Deps, workspaceId: string): Promise<void> {
  const sessions = await sessionsOfDeleted(deps.db, workspaceId);
  if (sessions.length === 0) return;
  const asked = await Promise.all(
    sessions.map((session) => endSession(deps, session, { afterSeconds: FORGOTTEN_SECONDS })),
  );
  if (asked.every(Boolean)) await forgetSessions(deps.db, workspaceId);
}

/** The session is not in use any more when its turn comes. */
const FORGOTTEN_SECONDS = 60;

async function giveBackHolds(deps: Deps, workspaceId: string): Promise<void> {
  const holds = await openHoldsOfDeleted(deps.db, workspaceId, HOLDS_AT_ONCE);
  for (const [refType, ofType] of Map.groupBy(holds, (hold) => hold.refType)) {
    const refIds = ofType.map(({ refId }) => refId);
    const charge = { workspaceId, refType: refType as CreditUse, refIds };
    const [first, ...others] = settle(deps, charge, () => false);
    if (first !== undefined) await commit(deps.db, [first, ...others]);
  }
}
