import { createPostgresStore } from "#db/engine.ts";
import { dropStaleImports } from "#db/lead-imports.ts";
import type { Deps } from "#src/deps.ts";
import { auditLedger } from "#src/domain/credits/audit.ts";
import { expireHolds } from "#src/domain/credits/expire.ts";
import { reviveEmails } from "#src/domain/messages/emails/deliver.ts";
import { forgetOldTexts } from "#src/domain/messages/forget-texts.ts";
import { forgetResearch } from "#src/domain/personalization/research/forget.ts";
import { reconcilePayments } from "#src/domain/payments/reconcile.ts";
import { recheckDomains } from "#src/domain/senders/domain-verify.ts";
import { pauseStrandedCampaigns, replaceGoneSenders } from "#src/domain/campaigns/guardrails.ts";
import {
  pauseCampaignsWithoutAccount,
  resumeWithAccount,
} from "#src/domain/campaigns/account-pauses.ts";
import { tellMissedRefusals } from "#src/domain/campaigns/refusals.ts";
import { reviveOutbox } from "#src/domain/notifications/deliver-outbox.ts";
import { askForDrafts } from "#src/domain/campaigns/ask-for-drafts.ts";
import { lacksDrafts } from "#src/domain/drafts/prefetch.ts";
import { askForSyncs, dropAbandonedAccounts } from "#src/domain/network/sync-due.ts";
import { reviveDrains } from "#src/domain/campaigns/drain.ts";
import { reviveSheetImports } from "#src/domain/leads/sheet-import.ts";
import { reviveLaunches } from "#src/domain/campaigns/launch/check.ts";
import { reconcileWalletPayments } from "#src/domain/wallet/reconcile.ts";
import { reviveDatasetVerifications } from "#src/domain/verification/dataset-lane.ts";
import { reviveGenerations } from "#src/domain/drafts/revive.ts";
import { reviveVerificationJobs } from "#src/domain/verification/run-job.ts";
import { armTickSchedule, runTick } from "./tick.ts";
import { lastAlive } from "#src/domain/engine/idle.ts";

/** This many periods without a sign of the engine mean that the queue's schedule is gone or its deliveries fail. */
const MISSED_PERIODS = 3;

/** An import that has not ended by then never will: its invocation is long gone. */
const STALE_IMPORT_MS = 24 * 3_600_000;

/** The full check wakes the database, so not every heartbeat makes one. */
const FULL_CHECK = "engine:full_check";
const FULL_CHECK_SECONDS = 14 * 60;

/**
 * What Cloudflare's own cron does every few minutes: notices an engine that
 * nothing wakes any more, arms its schedule anew and runs it (also how a new
 * deployment gets its schedule), and every quarter of an hour the full check.
 */
export async function heartbeat(deps: Deps): Promise<void> {
  if (await takeFullCheck(deps)) await fullCheck(deps);
  const limitMs = MISSED_PERIODS * deps.settings.tick.periodSeconds * 1000;
  const isSilentSince = (sign: Date | null) =>
    sign === null || deps.clock.now().getTime() - sign.getTime() > limitMs;
  if (!isSilentSince(await lastAlive(deps))) return;
  // The cache may have forgotten; the database is asked only then.
  const sign = await createPostgresStore(deps.db).lastTickAt();
  if (!isSilentSince(sign)) return;
  deps.log.error("engine_silent", { last_sign_at: sign?.toISOString() ?? null });
  await armTickSchedule(deps);
  await runTick(deps);
}

/** True once per quarter of an hour; always, when the cache does not say. */
async function takeFullCheck({ cache }: Deps): Promise<boolean> {
  try {
    const [count] = await cache.count([{ key: FULL_CHECK, ttlSeconds: FULL_CHECK_SECONDS }]);
    return count === 1;
  } catch {
    return true;
  }
}

/**
 * Mends what no single message keeps in order: launches, drains, imports of sheets, verifications, drafts and emails whose queue
 * message was lost go on, senders that are gone for good are replaced, campaigns
 * without one are paused, accounts of networks are looked at again and their campaigns with them, sending domains and purchases are looked at again, what killed
 * imports left behind and texts and research that were kept long enough are removed, notices that
 * nobody came for find their reader, credits held for work that never ended are given
 * back, and the ledger is audited.
 */
export async function fullCheck(deps: Deps): Promise<void> {
  await reviveLaunches(deps);
  await reviveDrains(deps);
  await reviveSheetImports(deps);
  await reviveVerificationJobs(deps);
  await reviveDatasetVerifications(deps);
  await reviveGenerations(deps);
  await dropStaleImports(deps.db, new Date(deps.clock.now().getTime() - STALE_IMPORT_MS));
  await replaceGoneSenders(deps);
  await pauseStrandedCampaigns(deps);
  await pauseCampaignsWithoutAccount(deps);
  await resumeWithAccount(deps);
  await dropAbandonedAccounts(deps);
  await askForSyncs(deps);
  await reviveEmails(deps);
  if (await lacksDrafts(deps)) await askForDrafts(deps, "heartbeat");
  await forgetOldTexts(deps);
  await forgetResearch(deps);
  await tellMissedRefusals(deps);
  await reviveOutbox(deps);
  // Resolvers and payment providers may be slow: the engine does not wait for them.
  deps.background(reconcileWalletPayments(deps));
  deps.background(recheckDomains(deps));
  deps.background(reconcilePayments(deps));
  // Nor for a large ledger.
  deps.background(expireHolds(deps));
  deps.background(auditLedger(deps));
  await deps.wake();
}
