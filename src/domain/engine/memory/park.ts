import { earlier, type Lane, later, type Sender } from "./rows.ts";
import { doesFirstStep, gapOver, isRunning, openBudgets, startsLeads } from "./state.ts";
import { firstDueAt } from "./zones.ts";

/** When a due lane that got nothing may next have something to do; null parks it until a change wakes it. */
export function wakeOfLane(lane: Lane, at: number, now: number): number | null {
  if (lane.dayFrom !== null && at < lane.dayFrom) return lane.dayFrom;
  if (openBudgets(lane).length === 0 || (lane.dayUntil !== null && at >= lane.dayUntil))
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

function workOf({ campaign, lane, followUps }: Sender): number | null {
  const pooled = firstDueAt(campaign.pools[lane.kind], campaign, lane);
  const followUp = earlier(firstDueAt(followUps, campaign, lane), pooled);
  const starts = campaign.status === "active" && doesFirstStep(campaign, lane);
  const fresh = starts ? firstDueAt(campaign.fresh, campaign, lane) : null;
  if (fresh === null) return followUp;
  const newLead = startsLeads(campaign) ? fresh : later(fresh, campaign.openUntil);
  return earlier(followUp, newLead);
}
