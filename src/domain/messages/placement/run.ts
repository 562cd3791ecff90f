import * as z from "zod";
import {
  nextPlacementWork,
  overduePlacementMails,
  type Seed,
  sweepPlacementMails,
} from "#db/messages/placement-delivery.ts";
import { deletesAfter } from "#db/messages/placement-tests.ts";
import type { Deps } from "#src/deps.ts";
import { define } from "#src/domain/job.ts";
import { MINUTE_MS } from "#src/platform/durations.ts";
import { lookIntoSeed } from "./look.ts";
import { enqueueSeeds, LOOK_FOR_PLACEMENT } from "./queue.ts";
import { sendQueued } from "./send.ts";
import { lookUntilFrom } from "./times.ts";

const LEAST_WAIT_MS = 1_000;

/** What is due of one seed of a test: first its mails go out, then they are looked for, until none is left. */
export async function workOnSeed(deps: Deps, seed: Seed): Promise<void> {
  await sweep(deps);
  await sendQueued(deps, seed);
  await lookIntoSeed(deps, seed, await deletesAfter(deps.db, seed.testId));
  const next = await nextPlacementWork(deps.db, seed);
  if (next === null) return;
  // What another worker has is due when that must be dead: never a call that follows itself at once.
  const soonest = deps.clock.now().getTime() + LEAST_WAIT_MS;
  await enqueueSeeds(deps, [seed], new Date(Math.max(next.getTime(), soonest)));
}

function sweep({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  return sweepPlacementMails(db, now, lookUntilFrom(now));
}

const MOST_LOST = 200;

export const lookingForPlacement = define(LOOK_FOR_PLACEMENT, {
  payload: z.object({ test_id: z.uuid(), seed_alias_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { test_id, seed_alias_id }) =>
    workOnSeed(deps, { testId: test_id, seedAliasId: seed_alias_id }),
  lost: {
    afterMs: 2 * MINUTE_MS,
    async find(deps, since) {
      await sweep(deps);
      const mails = await overduePlacementMails(deps.db, since, MOST_LOST);
      const seeds = mails.map(({ testId, seedAliasId }) => ({ testId, seedAliasId }));
      return [...new Map(seeds.map((seed) => [Object.values(seed).join(), seed])).values()];
    },
    requeue: (deps, seeds: Seed[]) => enqueueSeeds(deps, seeds, deps.clock.now()),
  },
});
