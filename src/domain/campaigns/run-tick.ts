import { createPostgresStore } from "#db/engine.ts";
import type { Deps } from "#src/deps.ts";
import { checkGuardrails } from "./guardrails.ts";
import { createMailer } from "./mailer.ts";
import { tick, type TickReport } from "./tick.ts";

export const TICK_CALLBACK = "campaign-tick";
export const TICK_SCHEDULE_ID = "campaign-tick";

/** One tick of the engine with the service's own parts; asks for another at once when more lanes are due than it took. */
export async function runTick(deps: Deps): Promise<TickReport> {
  const transport = deps.openMail();
  const { tick: settings, smtp } = deps.settings;
  try {
    const report = await tick({
      store: createPostgresStore(deps.db),
      clock: deps.clock,
      log: deps.log,
      mailer: createMailer(deps, transport),
      newToken: () => deps.ids.uuid(),
      settings: { ...settings, connections: smtp.connections },
    });
    await checkGuardrails(deps, report.bouncedCampaigns);
    if (report.more) await askForAnother(deps);
    deps.log.info("tick", { ...report });
    return report;
  } finally {
    await transport.close();
  }
}

async function askForAnother(deps: Deps): Promise<void> {
  await deps.queue.publish({
    callback: TICK_CALLBACK,
    payload: { version: 1 },
    // Unique per extra tick; the next scheduled one is its retry.
    deduplicationId: `tick-${deps.ids.uuid()}`,
    retries: 0,
  });
}

/** Creates or overwrites the one schedule that wakes the engine. Safe to repeat: its id is fixed. */
export async function armTickSchedule(deps: Deps): Promise<void> {
  const minutes = Math.max(1, Math.round(deps.settings.tick.periodSeconds / 60));
  await deps.queue.schedule({
    id: TICK_SCHEDULE_ID,
    cron: minutes === 1 ? "* * * * *" : `*/${minutes} * * * *`,
    callback: TICK_CALLBACK,
    payload: { version: 1 },
  });
}
