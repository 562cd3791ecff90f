import type { AccountState } from "#db/schema/index.ts";

export const SHOWN_STATES = [
  "connected",
  "disconnected",
  "error",
  "reconnecting",
  "rate_limited",
] as const;

/** As its owner sees it: the network's limit is none of its states, it passes by itself. */
export function shownStatus(
  { status, rateLimitedUntil }: { status: AccountState; rateLimitedUntil: Date | null },
  now: Date,
): (typeof SHOWN_STATES)[number] {
  const isLimited = rateLimitedUntil !== null && rateLimitedUntil > now;
  return status === "connected" && isLimited ? "rate_limited" : status;
}
