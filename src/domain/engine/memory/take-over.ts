import type { ClaimedSend } from "#db/engine/index.ts";
import { compareIds } from "./picks.ts";
import type { Send } from "./rows.ts";
import { bareGapOver, type State } from "./state.ts";

/** What workers that live have claimed and not begun, now claimed by that one: it begins each when they would have. */
export function takeOver(state: State, at: number, workerToken: string): ClaimedSend[] {
  const claimed: ClaimedSend[] = [];
  for (const send of state.sends.values()) {
    const { lane, campaign, slotAt, leaseUntil } = send;
    if (send.state !== "claimed" || leaseUntil === null || leaseUntil <= at) continue;
    send.workerToken = workerToken;
    claimed.push(answerOf(send, Math.max(slotAt, at, bareGapOver(lane, campaign) ?? at)));
  }
  return claimed.sort(inSlotOrder);
}

export const inSlotOrder = (a: ClaimedSend, b: ClaimedSend): number =>
  a.beginsAt.getTime() - b.beginsAt.getTime() ||
  a.slotAt.getTime() - b.slotAt.getTime() ||
  compareIds(a.laneId, b.laneId);

export const answerOf = (send: Send, beginsAt: number): ClaimedSend => ({
  id: send.id,
  campaignId: send.campaign.id,
  campaignLeadId: send.lead.id,
  laneId: send.lane.id,
  step: send.step,
  slotAt: new Date(send.slotAt),
  beginsAt: new Date(beginsAt),
  claims: send.claims,
  kind: send.lane.kind,
});
