import { createPostgresStore } from "#db/engine/index.ts";
import { dateNoteHolds } from "#db/network/notes.ts";
import { dropStaleImports } from "#db/people/lead-imports.ts";
import type { Deps } from "#src/deps.ts";
import { forgetPassedRests } from "#db/senders/alias-health.ts";
import { auditLedger } from "#src/domain/billing/credits/audit.ts";
import { expireHolds } from "#src/domain/billing/credits/expire.ts";
import { forgetOldRaw } from "#src/domain/replies/conversations/raw.ts";
import { enqueueDueReads } from "#src/domain/replies/inbound/inbox/enqueue-reads.ts";
import { forgetOldTexts } from "#src/domain/messages/forget-texts.ts";
import { forgetResearch } from "#src/domain/research/personalization/research/forget.ts";
import { stopDeletedWorkspaces } from "#src/domain/workspace/delete-workspace.ts";
import { eraseDeletedWorkspaces } from "#src/domain/workspace/erase-workspaces.ts";
import { reconcilePayments } from "#src/domain/billing/payments/reconcile.ts";
import { forgetOldOptOuts } from "#src/domain/research/prospects/opt-out.ts";
import { judgeDomains } from "#src/domain/senders/health/read-health.ts";
import { fetchPostmaster } from "#src/domain/senders/postmaster/fetch.ts";
import { lookUpOperators } from "#src/domain/research/verification/recipient-domains.ts";
import { recheckDomains } from "#src/domain/senders/domain-verify.ts";
import { pauseStrandedCampaigns, replaceGoneSenders } from "#src/domain/campaigns/guardrails.ts";
import {
  pauseCampaignsWithoutAccount,
  resumeWithAccount,
} from "#src/domain/campaigns/account-pauses.ts";
import { weighExperiments } from "#src/domain/campaigns/experiments/daily.ts";
import { endOldMessages } from "#src/domain/campaigns/end-messages.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { notifyMissedBounces } from "#src/domain/campaigns/notify-bounces.ts";
import { enqueuePrefetch } from "#src/domain/campaigns/enqueue-prefetch.ts";
import { lacksDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { dropAbandonedAccounts } from "#src/domain/network/sync-due.ts";
import { reconcileWalletPayments } from "#src/domain/billing/wallet/reconcile.ts";
import { registerNetworkWebhooks } from "#src/domain/network/register-webhooks.ts";
import { JOBS } from "./queue.ts";
import { dropWhatEnded } from "./retention.ts";
import { armTickSchedule, keepTickPeriod, runTick } from "./tick.ts";
import { lastAlive } from "#src/domain/engine/idle.ts";
import { describeError } from "#src/platform/log.ts";

/** This many periods without a sign of the engine mean that the queue's schedule is gone or its deliveries fail. */
const MISSED_PERIODS = 3;

/** An import that has not ended by then never will: its invocation is long gone. */
const STALE_IMPORT_MS = 24 * 3_600_000;

/** The error of a sender's rest is cleared so long after the rest, if none came since. */
const PASSED_REST_MS = 3_600_000;

/** The full check wakes the database, so not every run makes one. */
const FULL_CHECK = "engine:full_check";
const FULL_CHECK_SECONDS = 14 * 60;

/** With nothing to do the check asks 48 times, and Cloudflare's free plan gives a run 50: there the next run does the rest. */
const FEW_CALLS = 100;

/**
 * Run by Cloudflare's own cron every few minutes: notices an engine whose schedule
 * is gone, arms the schedule anew and runs a tick (also how a new deployment gets
 * its schedule), and every quarter of an hour runs the full check,
 * at once or in two runs.
 */
export async function runMaintenance(deps: Deps): Promise<void> {
  // First: an answer that lies in an inbox stops its lead, and the check may take its time.
  await attempt(deps, "inboxes", enqueueDueReads);
  const halves = await halvesDue(deps);
  if (halves.length > 0) await fullCheck(deps, halves);
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

/** What this run is to do of the full check: all of it, or one half where a run may ask little of the platform. */
async function halvesDue({ cache, settings }: Deps): Promise<readonly Half[]> {
  try {
    const [count = 0] = await cache.count([{ key: FULL_CHECK, ttlSeconds: FULL_CHECK_SECONDS }]);
    const [first, second] = [count === 1, count === 2];
    if (settings.tick.limits.calls > FEW_CALLS) return first ? HALVES : [];
    return HALVES.filter((_, half) => [first, second][half]);
  } catch {
    return HALVES;
  }
}

/** The full check's work, one after the other: each bounded, safe to repeat and to overlap. */
const IN_ORDER: Record<string, (deps: Deps) => Promise<unknown>> = {
  tick_period: keepTickPeriod,
  // Work whose queue message was lost.
  ...Object.fromEntries(Object.entries(JOBS).map(([name, job]) => [name, job.requeueLost])),
  stale_imports: ({ db, clock }) =>
    dropStaleImports(db, new Date(clock.now().getTime() - STALE_IMPORT_MS)),
  // Senders and accounts that are gone, and their campaigns.
  gone_senders: replaceGoneSenders,
  passed_rests: ({ db, clock }) => {
    const now = clock.now();
    return forgetPassedRests(db, new Date(now.getTime() - PASSED_REST_MS), now);
  },
  stranded_campaigns: pauseStrandedCampaigns,
  campaigns_without_account: pauseCampaignsWithoutAccount,
  campaigns_with_account: resumeWithAccount,
  abandoned_accounts: dropAbandonedAccounts,
  experiments: weighExperiments,
  note_holds: ({ db, clock }) => dateNoteHolds(db, clock.now()),
  // Queue messages that are published once and may be lost.
  drafts: async (deps) => {
    if (await lacksDrafts(deps)) await enqueuePrefetch(deps, "heartbeat");
  },
  missed_refusals: notifyMissedBounces,
  // Before what they are made of ends.
  sums: keepSums,
  deleted_workspaces: stopDeletedWorkspaces,
};

/** What was kept long enough. */
const ENDINGS: Record<string, (deps: Deps) => Promise<unknown>> = {
  old_texts: forgetOldTexts,
  old_messages: endOldMessages,
  old_raw_mails: forgetOldRaw,
  old_research: forgetResearch,
  old_opt_outs: forgetOldOptOuts,
  ended_rows: dropWhatEnded,
};

/** In parallel with the rest: the engine must not wait for slow resolvers and providers, or for a large ledger. */
const IN_PARALLEL: Record<string, (deps: Deps) => Promise<unknown>> = {
  wallet_payments: reconcileWalletPayments,
  domains: recheckDomains,
  domain_rules: judgeDomains,
  postmaster: fetchPostmaster,
  operators: lookUpOperators,
  payments: reconcilePayments,
  network_webhooks: registerNetworkWebhooks,
  credit_holds: expireHolds,
  erasures: eraseDeletedWorkspaces,
  ledger: auditLedger,
};

interface Half {
  inOrder: Record<string, (deps: Deps) => Promise<unknown>>;
  inParallel: Record<string, (deps: Deps) => Promise<unknown>>;
}
const HALVES: readonly Half[] = [
  { inOrder: IN_ORDER, inParallel: {} },
  { inOrder: ENDINGS, inParallel: IN_PARALLEL },
];

/** A failure is logged, and does not stop the other work. */
const attempt = (deps: Deps, name: string, work: (deps: Deps) => Promise<unknown>) =>
  work(deps).catch((error: unknown) =>
    deps.log.error("upkeep_failed", { upkeep: name, ...describeError(error) }),
  );

export async function fullCheck(deps: Deps, halves = HALVES): Promise<void> {
  for (const { inOrder, inParallel } of halves) {
    for (const [name, work] of Object.entries(inOrder)) await attempt(deps, name, work);
    for (const [name, work] of Object.entries(inParallel))
      deps.background(attempt(deps, name, work));
  }
  await deps.wake();
}
