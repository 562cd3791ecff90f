import {
  dueExperiments,
  findExperiments,
  judgeSends,
  settleExperiment,
  type StepKey,
} from "#db/campaigns/experiments.ts";
import { recordWeighing } from "#db/campaigns/experiment-versions.ts";
import type { Deps } from "#src/deps.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { changeOf, weigh } from "./weigh.ts";

/** So many steps a run; the rest is left to the next, a quarter of an hour later. */
const STEPS_AT_ONCE = 200;

const UNDER_WAY = ["active", "draining", "paused", "scheduled", "launching"];

/** Somewhere on earth this date has begun: none is later. */
const LATEST_ZONE = "Pacific/Kiritimati";

/**
 * Part of the full check: judges and weighs the steps that are tried out, each once a date of its campaign. Safe to
 * repeat, to overlap and to end anywhere: what was judged stays judged, and the same counts give the same weights.
 */
export async function weighExperiments(deps: Pick<Deps, "db" | "clock" | "log">): Promise<number> {
  const now = deps.clock.now();
  const due = await dueExperiments(deps.db, localDate(now, LATEST_ZONE), STEPS_AT_ONCE, now);
  let weighed = 0;
  for (const { timezone, weighedOn, ...key } of due) {
    const day = localDate(now, knownZone(timezone));
    if (weighedOn !== null && weighedOn >= day) continue;
    if (await weighStep(deps, key, day, now)) weighed++;
  }
  return weighed;
}

async function weighStep(
  { db, log }: Pick<Deps, "db" | "log">,
  key: StepKey,
  day: string,
  now: Date,
): Promise<boolean> {
  await judgeSends(db, key, day, now);
  const experiments = await findExperiments(db, key.campaignId);
  const of = experiments.find(({ step }) => step === key.step);
  // The experiment was taken off, or is another step's by now.
  if (of === undefined) {
    await settleExperiment(db, key);
    return false;
  }
  const weighed = weigh(of);
  const change = changeOf(of, weighed);
  const { winner, vetoed } = of.frozenAt === null ? weighed : of;
  const settled = !UNDER_WAY.includes(of.status) && !of.isAwaited;
  const isDone = await recordWeighing(db, { of, day, winner, vetoed, settled, change, now });
  if (isDone && change !== null)
    log.info("experiment_changed", {
      campaign_id: of.campaignId,
      step: of.step,
      reason: change.reason,
    });
  return isDone;
}
