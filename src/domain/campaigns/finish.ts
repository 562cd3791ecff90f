import { createPostgresStore } from "#db/engine/index.ts";
import type { Deps } from "#src/deps.ts";
import { enqueueDrains } from "./drain.ts";

/** Completes running campaigns that have nothing left to do, after their leads ended outside of a tick. */
export async function finishCampaigns(deps: Deps, campaignIds: string[]): Promise<void> {
  const { db, clock } = deps;
  const { drained } = await createPostgresStore(db).complete(clock.now(), campaignIds);
  await enqueueDrains(deps, drained);
}
