import { forgetBodies } from "#db/messages/send-bodies.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const CHUNK = 5_000;
/** 100,000 texts a check, nearly ten million a day. */
const CHUNKS_AT_ONCE = 20;

/** Deletes the texts of campaign messages past their retention; recipient, step and time stay. Answers how many. */
export async function forgetOldTexts({ db, clock, settings }: Deps): Promise<number> {
  const before = new Date(clock.now().getTime() - settings.messageTextDays * DAY_MS);
  let total = 0;
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++) {
    const forgotten = await forgetBodies(db, before, CHUNK);
    total += forgotten;
    if (forgotten < CHUNK) break;
  }
  return total;
}
