import type { SenderHistory } from "#db/engine/index.ts";
import { later, type Send } from "./rows.ts";
import type { State } from "./state.ts";

export function noteRefusal(at: number, send: Send): void {
  send.refusals++;
  send.refusedSince ??= at;
  send.lane.refused.add(send);
}

export function noteAcceptance({ lane, acceptedAt }: Send): void {
  lane.lastAcceptedAt = later(lane.lastAcceptedAt, acceptedAt);
  for (const send of lane.refused)
    if (!isSince(send, lane.lastAcceptedAt)) lane.refused.delete(send);
}

/** A sender's history as `historyStatement` reads it in SQL. */
export function historyOf(state: State, sendId: string): SenderHistory {
  const send = state.sends.get(sendId);
  if (send === undefined) return { refusals: 0, refusedOperators: 1, acceptedSince: false };
  const { lane, refusals, refusedSince } = send;
  const { lastAcceptedAt } = lane;
  const others = [...lane.refused].filter(
    (other) => other.lane === lane && isSince(other, lastAcceptedAt),
  );
  const operators = new Set([send, ...others].map(({ lead }) => lead.operator));
  const acceptedSince =
    lastAcceptedAt !== null && refusedSince !== null && lastAcceptedAt > refusedSince;
  return { refusals, refusedOperators: operators.size, acceptedSince };
}

const isSince = ({ transmittingAt }: Send, acceptedAt: number | null): boolean =>
  acceptedAt === null || (transmittingAt !== null && transmittingAt > acceptedAt);
