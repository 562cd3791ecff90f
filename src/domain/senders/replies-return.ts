import type { AliasRow } from "#db/senders/aliases.ts";

/** Whether replies to an alias reach the service; unknown before a test, and while one is under way. */
export type RepliesReturn = "yes" | "no" | "unknown";
export const REPLIES_RETURN = ["yes", "no", "unknown"] as const satisfies RepliesReturn[];

/** The alias's fields that show whether replies return. */
export type ReturnEvidence = Pick<
  AliasRow,
  "email" | "replyTo" | "returnTestAddress" | "returnTestAskedAt" | "returnTestSeenAt"
>;

/** Mail that was not here by then is missed; should it come later, it counts all the same. */
export const RETURN_WAIT_MS = 15 * 60_000;
/** At most one mail in this time goes out to test an alias. */
export const RETURN_TEST_GAP_MS = 5 * 60_000;

/** Where replies to an alias's mail go. */
export const replyAddressOf = ({ email, replyTo }: Pick<AliasRow, "email" | "replyTo">): string =>
  replyTo ?? email;

/** By the last test of the present reply address: a test of another address says nothing. */
export function repliesReturn(alias: ReturnEvidence, now: Date): RepliesReturn {
  const { returnTestAddress, returnTestAskedAt: askedAt, returnTestSeenAt } = alias;
  if (askedAt === null || returnTestAddress !== replyAddressOf(alias)) return "unknown";
  if (returnTestSeenAt !== null) return "yes";
  return now.getTime() - askedAt.getTime() >= RETURN_WAIT_MS ? "no" : "unknown";
}
