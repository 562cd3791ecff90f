import { createPostgresStore } from "#db/engine.ts";
import type { Deps } from "#src/deps.ts";

/** Completes running campaigns that have nothing left to do, after their leads ended outside of a tick. */
export async function finishCampaigns(
  { db, clock }: Pick<Deps, "db" | "clock">,
  campaignIds: string[],
): Promise<void> {
  await createPostgresStore(db).complete(clock.now(), campaignIds);
}
