import { createPostgresStore } from "#db/engine.ts";
import { dropStaleImports } from "#db/lead-imports.ts";
import type { Deps } from "#src/deps.ts";
import { reviveEmails } from "#src/domain/mail/emails/deliver.ts";
import { recheckDomains } from "#src/domain/mail/domain-verify.ts";
import { replaceGoneSenders } from "./gone-senders.ts";
import { pauseStrandedCampaigns } from "./guardrails.ts";
import { reviveLaunches } from "./launch-check.ts";
import { armTickSchedule, runTick } from "./run-tick.ts";

/** This many periods without a tick mean that the queue's schedule is gone or its deliveries fail. */
const MISSED_PERIODS = 3;

/** An import that has not ended by then never will: its invocation is long gone. */
const STALE_IMPORT_MS = 24 * 3_600_000;

/**
 * What Cloudflare's own cron does every few minutes: notices an engine that
 * nothing wakes any more, arms its schedule anew and runs it. Also how a new
 * deployment gets its schedule. Launches whose queue message was lost go on,
 * senders that are gone for good are replaced, sending domains are looked at
 * again, and what killed imports left behind is removed.
 */
export async function heartbeat(deps: Deps): Promise<void> {
  await reviveLaunches(deps);
  await dropStaleImports(deps.db, new Date(deps.clock.now().getTime() - STALE_IMPORT_MS));
  await replaceGoneSenders(deps);
  await pauseStrandedCampaigns(deps);
  await reviveEmails(deps);
  // Resolvers may be slow: the engine does not wait for them.
  deps.background(recheckDomains(deps));
  const lastTickAt = await createPostgresStore(deps.db).lastTickAt();
  const limitMs = MISSED_PERIODS * deps.settings.tick.periodSeconds * 1000;
  const silentMs =
    lastTickAt === null ? Infinity : deps.clock.now().getTime() - lastTickAt.getTime();
  if (silentMs <= limitMs) return;
  deps.log.error("engine_silent", { last_tick_at: lastTickAt?.toISOString() ?? null });
  await armTickSchedule(deps);
  await runTick(deps);
}
