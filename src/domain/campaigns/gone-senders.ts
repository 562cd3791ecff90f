import { reassignLeads } from "#db/engine.ts";
import type { Deps } from "#src/deps.ts";

/** A sender that cannot send for this long is replaced: its leads go on from another, in a new thread. */
const GONE_AFTER_MS = 7 * 86_400_000;

/** Part of the engine's full check; bounded, so that what is left waits for the next. Answers how many leads moved. */
export function replaceGoneSenders({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const now = clock.now();
  return reassignLeads(db, now, new Date(now.getTime() - GONE_AFTER_MS));
}
