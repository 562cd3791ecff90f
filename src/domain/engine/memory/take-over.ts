import type { ClaimedSend } from "#db/engine/index.ts";
import { answerOf, inSlotOrder } from "./claim.ts";
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
