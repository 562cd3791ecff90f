import type { CampaignTrace } from "./traces.ts";
import type { WireEntry } from "./wire.ts";

/** Longer than from a claim to the slot that it gave. */
const CLAIM_AHEAD_MS = 61_000;

/** Whether a message goes when it may: a new lead only while no follow-up without delay waits for the same sender. */
export function createPriorityCheck() {
  const waiting = new Map<string, Map<string, number>>();
  return (entry: WireEntry, { data: { steps } }: CampaignTrace): boolean => {
    const key = `${entry.campaignId} ${entry.laneId}`;
    const own = waiting.get(key) ?? new Map<string, number>();
    waiting.set(key, own);
    own.delete(entry.leadId);
    const isFair =
      entry.step > 1 || [...own.values()].every((since) => since > entry.beganAt - CLAIM_AHEAD_MS);
    const next = steps[entry.step];
    if (next?.delay_days === 0 && next.channel === steps[entry.step - 1]!.channel)
      own.set(entry.leadId, entry.beganAt);
    return isFair;
  };
}
