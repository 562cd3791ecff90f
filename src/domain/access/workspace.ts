import type { DaySpan } from "#db/engine/index.ts";
import {
  getAccount,
  getWorkspace,
  moveWorkspace,
  lastSlotsOf,
  updateWorkspace,
  type WorkspaceChange,
  type WorkspaceRow,
} from "#db/access/workspaces.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { localDay } from "#src/platform/time-zone.ts";
import { requireFound } from "#src/domain/owned.ts";

export type Workspace = WorkspaceRow;

export async function requireAccount(deps: Deps, { workspaceId, userId }: Principal) {
  return requireFound(await getAccount(deps.db, workspaceId, userId), "User");
}

export async function requireWorkspace(deps: Deps, { workspaceId }: Principal): Promise<Workspace> {
  return requireFound(await getWorkspace(deps.db, workspaceId), "Workspace");
}

export async function changeWorkspace(
  deps: Deps,
  principal: Principal,
  change: WorkspaceChange,
): Promise<Workspace> {
  const { workspaceId } = principal;
  const now = deps.clock.now();
  const before = await requireWorkspace(deps, principal);
  if (change.timezone === undefined || change.timezone === before.timezone)
    return requireFound(await updateWorkspace(deps.db, workspaceId, change, now), "Workspace");
  const days = daysOf(await lastSlotsOf(deps.db, workspaceId), change.timezone, now);
  return requireFound(await moveWorkspace(deps.db, workspaceId, change, days, now), "Workspace");
}

/** Today, for most senders; for one that has claimed ahead into tomorrow, tomorrow. */
function daysOf(
  lanes: { id: string; lastSlotAt: Date | null }[],
  timezone: string,
  now: Date,
): { day: DaySpan; laneIds: string[] }[] {
  const days = new Map<string, { day: DaySpan; laneIds: string[] }>();
  for (const { id, lastSlotAt } of lanes) {
    const at = lastSlotAt !== null && lastSlotAt > now ? lastSlotAt : now;
    const { day, from, until } = localDay(at, timezone);
    const known = days.get(day) ?? { day: { from, until }, laneIds: [] };
    known.laneIds.push(id);
    days.set(day, known);
  }
  return [...days.values()];
}
