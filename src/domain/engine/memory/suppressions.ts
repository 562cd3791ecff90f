import type { LaneKind, SuppressionReason } from "#db/schema/index.ts";
import type { State } from "./state.ts";

export interface Suppressed {
  reason: SuppressionReason;
  /** Null for good. */
  until: number | null;
}

const isOver = ({ until }: Suppressed, at: number): boolean => until !== null && until <= at;

/** Why a person gets nothing any more from such a sender: after a bounce no mail alone. */
export function suppressionOf(
  state: State,
  at: number,
  address: string | null,
  kind: LaneKind,
): SuppressionReason | null {
  const found = address === null ? undefined : state.suppressed.get(address);
  if (found === undefined || isOver(found, at)) return null;
  return kind !== "email" && found.reason === "hard_bounce" ? null : found.reason;
}

/** What the person said weighs more than what a server said, and that more than what the owner wishes. */
const WEIGHTS: readonly SuppressionReason[] = ["manual", "hard_bounce", "unsubscribe", "complaint"];

/** Suppresses an address as `renewal` does in SQL. */
export function suppress(
  state: State,
  at: number,
  address: string,
  reason: SuppressionReason,
  until: number | null = null,
): void {
  const before = state.suppressed.get(address);
  if (before === undefined || isOver(before, at)) {
    state.suppressed.set(address, { reason, until });
    return;
  }
  const isTaken = WEIGHTS.indexOf(reason) >= WEIGHTS.indexOf(before.reason);
  const isWish = reason === "manual";
  const longer = before.until === null || until === null ? null : Math.max(before.until, until);
  state.suppressed.set(address, {
    reason: isTaken ? reason : before.reason,
    until: isWish ? (isTaken ? until : before.until) : longer,
  });
}
