import { listDomainSenders, setDomainLimit } from "#db/senders/domain-limit.ts";
import { getWorkspace } from "#db/workspaces.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { knownZone, localDay } from "#src/platform/time-zone.ts";
import { conflict } from "#src/errors.ts";
import { type MailDomain, requireDomain } from "./domains.ts";
import { dayCap } from "./ramp.ts";

const MAX_TRIES = 3;

export interface DomainChange {
  /** Takes effect at once, on what is left of the day; null for no limit. */
  dailyLimit?: number | null | undefined;
}

export async function changeDomain(
  deps: Deps,
  principal: Principal,
  id: string,
  { dailyLimit }: DomainChange,
): Promise<MailDomain> {
  if (dailyLimit === undefined) return requireDomain(deps, principal, id);
  const { workspaceId } = principal;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await requireDomain(deps, principal, id);
    const now = deps.clock.now();
    const [workspace, senders] = await Promise.all([
      getWorkspace(deps.db, workspaceId),
      listDomainSenders(deps.db, workspaceId, id),
    ]);
    const timezone = workspace!.timezone;
    const today = localDay(now, knownZone(timezone));
    const changed = await setDomainLimit(
      deps.db,
      { workspaceId, id },
      {
        dailyLimit,
        caps: senders.map((sender) => ({
          id: sender.id,
          cap: dayCap(sender, now),
          updatedAt: sender.updatedAt,
        })),
        timezone,
        days: [today, localDay(today.until, knownZone(timezone))],
        now,
      },
    );
    if (changed !== undefined) return requireDomain(deps, principal, id);
  }
  throw conflict("CONFLICT", "The workspace is being changed by others; try again.");
}
