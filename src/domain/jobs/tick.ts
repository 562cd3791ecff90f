import { createPostgresStore } from "#db/engine/index.ts";
import type { SendStore } from "#db/engine/store.ts";
import type { Deps } from "#src/deps.ts";
import { enqueueDrains } from "#src/domain/campaigns/drain.ts";
import { checkGuardrails } from "#src/domain/campaigns/guardrails.ts";
import { notifyBounces } from "#src/domain/campaigns/notify-bounces.ts";
import { tellReceivers } from "#src/domain/workspace/webhooks/wake.ts";
import { deliveringOutbox } from "#src/domain/workspace/notifications/deliver-outbox.ts";
import { foldSums } from "#src/domain/campaigns/keep-sums.ts";
import { enqueuePrefetch } from "#src/domain/campaigns/enqueue-prefetch.ts";
import { lacksDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { openChannels, servedKinds } from "./channels.ts";
import { enqueueExtraTicks } from "./extra-ticks.ts";
import { tick, type TickReport } from "#src/domain/engine/tick.ts";
import { recordAlive, recordNextWake, readWakeState } from "#src/domain/engine/idle.ts";

export const TICK_CALLBACK = "campaign-tick";
export const TICK_SCHEDULE_ID = "campaign-tick";

/** Chunks of changes of the sums: what some minutes of sending make, so that the heartbeat finds few. */
const FOLDED_AT_ONCE = 4;

export interface SkippedTick {
  skipped: true;
  nextWakeAt: Date | null;
}

/**
 * Called by the schedule: leaves the database asleep while no send is due, queues
 * further ticks when more is due than one takes, and runs one.
 */
export async function runScheduledTick(
  deps: Deps,
  { extra }: { extra: boolean },
): Promise<TickReport | SkippedTick> {
  const { wakes, idleUntil } = await readWakeState(deps);
  const horizon = deps.clock.now().getTime() + deps.settings.tick.periodSeconds * 1000;
  if (idleUntil !== undefined && (idleUntil === null || idleUntil.getTime() > horizon)) {
    await recordAlive(deps);
    return { skipped: true, nextWakeAt: idleUntil };
  }
  if (!extra) await enqueueExtraTicks(deps, TICK_CALLBACK);
  const report = await runTick(deps, async () => {
    if (extra) return;
    const fold = foldSums(deps, FOLDED_AT_ONCE);
    await Promise.all([deliveringOutbox.requeueLost(deps), prefetchIfLacking(deps), fold]);
  });
  // Only now: a tick that fails each time must not look alive.
  await recordAlive(deps);
  // Ticks can overlap: only a tick that found no work knows the next wake, unless another one changes it meanwhile.
  if (report.busy) await deps.wake();
  else await recordNextWake(deps, wakes, report.nextWakeAt);
  return report;
}

async function prefetchIfLacking(deps: Deps): Promise<void> {
  if (await lacksDrafts(deps)) await enqueuePrefetch(deps, "tick");
}

/** One tick of the engine with the service's own parts; what comes `after` is done while relays are told goodbye, a round trip. */
export async function runTick(deps: Deps, after = async () => {}): Promise<TickReport> {
  const channels = openChannels(deps);
  const close = () => Promise.all(channels.map((channel) => channel.close()));
  let closing: Promise<unknown> | undefined;
  const { tick: settings, smtp } = deps.settings;
  try {
    const report = await tick({
      store: tellingStore(deps),
      clock: deps.clock,
      log: deps.log,
      channels,
      newToken: () => deps.ids.uuid(),
      settings: { ...settings, connections: smtp.connections },
    });
    await notifyBounces(deps, report.bouncedCampaigns);
    await checkGuardrails(deps, report.bouncedCampaigns);
    await enqueueDrains(deps, report.drainedCampaigns);
    if (report.busy) await tellReceivers(deps);
    deps.log.info("tick", { ...report });
    closing = close();
    await after();
    return report;
  } finally {
    await (closing ?? close());
  }
}

/** A tick lasts a minute: users and receivers are told of what it does meanwhile. */
function tellingStore(deps: Deps): SendStore {
  const store = createPostgresStore(deps.db, servedKinds(deps));
  return {
    ...store,
    async recordAndBegin(...order) {
      const verdicts = await store.recordAndBegin(...order);
      deps.background(tellReceivers(deps));
      return verdicts;
    },
  };
}

/** How often the queue calls the engine. */
export const tickCron = ({
  periodSeconds,
}: Pick<Deps["settings"]["tick"], "periodSeconds">): string =>
  periodSeconds === 60 ? "* * * * *" : `*/${periodSeconds / 60} * * * *`;

/** The period that the schedule was last made with, as far as the cache knows. */
const ARMED = "engine:armed";
const ARMED_SECONDS = 7 * 86_400;

/** Creates or overwrites the one schedule that wakes the engine. Safe to repeat: its id is fixed. */
export async function armTickSchedule({ queue, settings }: Deps): Promise<void> {
  await queue.schedule({
    id: TICK_SCHEDULE_ID,
    cron: tickCron(settings.tick),
    callback: TICK_CALLBACK,
    payload: { version: 1 },
  });
}

/** An engine that is alive may be called at the period of an earlier deployment. */
export async function keepTickPeriod(deps: Deps): Promise<void> {
  const cron = tickCron(deps.settings.tick);
  if ((await deps.cache.get(ARMED)) === cron) return;
  await armTickSchedule(deps);
  await deps.cache.set(ARMED, cron, ARMED_SECONDS);
}
