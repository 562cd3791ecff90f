import { dropEnded, withEndedRows } from "#db/base/retention.ts";
import type { Deps } from "#src/deps.ts";

/** A statement of so many rows takes some tens of milliseconds, and no lock of it holds up a request. */
const CHUNK = 5_000;
const CHUNKS_AT_ONCE = 50;

/** Part of the full check: what has been kept long enough, a million rows of each table an hour. */
export async function dropWhatEnded({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  for (const retention of await withEndedRows(db, clock.now()))
    for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++)
      if ((await dropEnded(db, retention, { now: clock.now(), limit: CHUNK })) < CHUNK) break;
}
