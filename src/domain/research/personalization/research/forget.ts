import { forgetOldResearch } from "#db/research/research-cache.ts";
import type { Deps } from "#src/deps.ts";

const CHUNK = 5_000;
/** 100,000 of each kind a check. */
const CHUNKS_AT_ONCE = 20;

/** Deletes research that counts no more. Answers how much. */
export async function forgetResearch({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  let total = 0;
  for (let chunk = 0; chunk < CHUNKS_AT_ONCE; chunk++) {
    const forgotten = await forgetOldResearch(db, clock.now(), CHUNK);
    total += forgotten;
    if (forgotten < CHUNK) break;
  }
  return total;
}
