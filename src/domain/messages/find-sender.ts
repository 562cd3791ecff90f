import { type AliasWithLane, getAlias } from "#db/senders/aliases.ts";
import { getDomainKey } from "#db/base/fragments/domain-keys.ts";
import type { LaneDay } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { laneDayOf } from "#src/domain/engine/lane-day.ts";
import type { Sender } from "./deliver.ts";

/** An alias with all that a handover needs; undefined when it is deleted. */
export async function findSender(
  db: Deps["db"],
  { workspaceId, aliasId }: { workspaceId: string; aliasId: string },
): Promise<(Sender & { alias: AliasWithLane }) | undefined> {
  const alias = await getAlias(db, workspaceId, aliasId);
  if (alias === undefined) return undefined;
  const { domainId } = alias;
  const domain = domainId === null ? undefined : await getDomainKey(db, workspaceId, domainId);
  return { alias, domain: domain ?? null };
}

/** The day that a sender begins by a message, if its last one is over: what campaigns may send on it is less by that. */
export const dayToBegin = (alias: AliasWithLane, now: Date): LaneDay | null =>
  alias.dayUntil === null || alias.dayUntil <= now
    ? laneDayOf({ ...alias, slotAt: now, account: null })
    : null;
