import type { AccountContent, LaneSize } from "#db/network/accounts.ts";
import { getWorkspace } from "#db/access/workspaces.ts";
import type { Deps } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { type AccountLimits, networkCaps } from "#src/domain/senders/network-caps.ts";

/** A new account's limits, until its owner changes them. */
export const NEW_LIMITS = { dailyConnectionLimit: 20, dailyMessageLimit: 50, warmupDays: 14 };

/** An account of which nothing is known yet. */
export const newAccount = (now: Date): AccountContent => ({
  ...NEW_LIMITS,
  provider: "socialnet",
  providerAccountId: "",
  displayName: "",
  profileUrl: "",
  isPremium: false,
  status: "disconnected",
  statusSince: now,
  checkpointPending: false,
  failures: 0,
});

/** The size of an account's lane for its day; earlier actions of the day count. */
export function laneSizeOf(
  limits: AccountLimits & { connectionsOfLastSixDates: number },
  at: Date,
  timezone: string,
): LaneSize {
  const { connections, messages } = networkCaps(limits, at, timezone);
  return { dayCap: connections + messages, connectionCap: connections, minIntervalSeconds: null };
}

export async function newLaneSize({ db }: Deps, workspaceId: string, now: Date): Promise<LaneSize> {
  const { timezone } = requireFound(await getWorkspace(db, workspaceId), "Workspace");
  const limits = { ...NEW_LIMITS, warmupFrom: now, connectionsOfLastSixDates: 0 };
  return laneSizeOf(limits, now, timezone);
}
