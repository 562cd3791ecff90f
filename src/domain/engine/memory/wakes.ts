import { type Campaign, earlier, type Lane, type Send } from "./rows.ts";
import { earliestSlot, fileLane, type State } from "./state.ts";

/** When each lane is to be woken. */
export type Wakes = Map<Lane, number>;

/**
 * What a send gives back is for all lanes of its campaign: a lead without a sender goes to whichever lane claims
 * first, and a place of the campaign's used-up day frees all its lanes.
 */
export function wakeOthers(wakes: Wakes, { campaign, lane: own, isNew }: Send, at: number): void {
  if (!isNew && campaign.type !== "mixed" && campaign.used < campaign.dailyLimit) return;
  wakeAll(wakes, campaign, own, { at, dueAt: at });
}

/** The campaign's open senders but `own` are to look when something falls due; one that will look by itself is left alone. */
export function wakeAll(
  wakes: Wakes,
  campaign: Campaign,
  own: Lane,
  { at, dueAt }: { at: number; dueAt: number },
): void {
  for (const { lane } of campaign.senders) {
    if (lane === own || !lane.open) continue;
    if (lane.nextSlotAt !== null && lane.nextSlotAt <= earliestSlot(at, lane, campaign)) continue;
    wakes.set(lane, earlier(wakes.get(lane) ?? null, earliestSlot(dueAt, lane, campaign))!);
  }
}

/** Applies the wakes, except to lanes that the caller has set itself. */
export function applyWakes(state: State, wakes: Wakes, except: (lane: Lane) => boolean): void {
  for (const [lane, at] of wakes) {
    if (except(lane)) continue;
    lane.nextSlotAt = earlier(lane.nextSlotAt, at);
    fileLane(state, lane);
  }
}
