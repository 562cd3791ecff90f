import { earlier, type Lane, later, type Sender } from "./rows.ts";
import { gapOver, isRunning, startsLeads } from "./state.ts";
import { firstDueAt } from "./zones.ts";

/** When a due lane that got nothing may next have something to do; null parks it until a change wakes it. */
export function wakeOfLane(lane: Lane, at: number, now: number): number | null {
  if (lane.dayFrom !== null && at < lane.dayFrom) return lane.dayFrom;
  if (lane.used >= lane.dayCap || (lane.dayUntil !== null && at >= lane.dayUntil))
    return lane.dayUntil;
  let wakeAt: number | null = null;
  let hasWork = false;
  for (const sender of lane.senders) {
    const { campaign } = sender;
    if (!isRunning(campaign)) continue;
    const dueAt = workOf(sender);
    if (dueAt === null) continue;
    hasWork = true;
    wakeAt = earlier(
      wakeAt,
      campaign.used >= campaign.dailyLimit
        ? campaign.openUntil
        : later(later(dueAt, campaign.openFrom), gapOver(lane, campaign.minIntervalSeconds)),
    );
  }
  return hasWork ? later(later(later(at + 1000, now), lane.closedUntil), wakeAt) : null;
}

function workOf({ campaign, followUps }: Sender): number | null {
  const followUp = firstDueAt(followUps, campaign);
  const fresh = campaign.status === "active" ? firstDueAt(campaign.fresh, campaign) : null;
  if (fresh === null) return followUp;
  const newLead = startsLeads(campaign) ? fresh : later(fresh, campaign.openUntil);
  return earlier(followUp, newLead);
}
