import { campaignsToSum, foldDeltas, sumCampaign } from "#db/campaigns/fold-sums.ts";
import { campaignsToCount, countCampaign } from "#db/campaigns/lead-sums.ts";
import type { Deps } from "#src/deps.ts";

/** A statement of so many changes takes some tens of milliseconds, and locks nothing that a message needs. */
const CHUNK = 5_000;
/** A million in a quarter of an hour, by the full check alone. */
const CHUNKS_AT_ONCE = 200;
/** Of a campaign of 500,000 messages and leads it takes seconds, of most milliseconds. */
const CAMPAIGNS_AT_ONCE = 200;

/** Takes what has changed into the campaigns' sums, so that few changes are read beside them. Answers how many. */
export async function foldSums({ db }: Pick<Deps, "db">, chunks = CHUNKS_AT_ONCE): Promise<number> {
  let total = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const folded = await foldDeltas(db, CHUNK);
    total += folded;
    if (folded < CHUNK) break;
  }
  return total;
}

/** Part of the full check: first sums of campaigns of before there were any, then what has changed of all. */
export async function keepSums(deps: Pick<Deps, "db">): Promise<void> {
  for (const id of await campaignsToSum(deps.db, CAMPAIGNS_AT_ONCE)) await sumCampaign(deps.db, id);
  for (const id of await campaignsToCount(deps.db, CAMPAIGNS_AT_ONCE))
    await countCampaign(deps.db, id);
  await foldSums(deps);
}
