import { listDomainSenders, setDomainLimit } from "#db/senders/domain-limit.ts";
import { getWorkspace } from "#db/access/workspaces.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { knownZone, localDay } from "#src/platform/time-zone.ts";
import { retryWhileChanged } from "#src/domain/owned.ts";
import { type MailDomain, requireDomain } from "./domains.ts";
import { dayCap } from "./ramp.ts";

export interface DomainChange {
  /** Takes effect at once, on the rest of the day; null for no limit. */
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
  const attempt = async () => {
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
          cap: dayCap(sender, now, timezone),
          updatedAt: sender.updatedAt,
        })),
        timezone,
        days: [today, localDay(today.until, knownZone(timezone))],
        now,
      },
    );
    return changed && requireDomain(deps, principal, id);
  };
  const message = "The workspace is being changed by others; try again.";
  return retryWhileChanged(attempt, "CONFLICT", message);
}
