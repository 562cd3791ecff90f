import { dropOldEvents } from "#db/workspace/events/feed.ts";
import type { Deps } from "#src/deps.ts";
import { KEPT_MS } from "./read.ts";

const CHUNK = 5_000;
/** A million events an hour. */
const CHUNKS_AT_ONCE = 50;

/** Part of the full check. */
export async function forgetOldEvents({ db, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++)
    if ((await dropOldEvents(db, before, CHUNK)) < CHUNK) return;
}
