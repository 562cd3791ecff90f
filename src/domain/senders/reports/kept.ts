import { dropOldReports } from "#db/senders/reports.ts";
import type { Deps } from "#src/deps.ts";

/** A year, and a month in which to compare it with the one before. */
export const KEPT_DAYS = 400;

const CHUNK = 5_000;
const CHUNKS_AT_ONCE = 20;

/** Part of the full check. */
export async function forgetOldReports({ db, clock }: Deps): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000);
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++)
    if ((await dropOldReports(db, before, CHUNK)) < CHUNK) return;
}
