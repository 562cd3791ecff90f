import { loadResumeInputs } from "#db/campaigns/launch-inputs.ts";
import { moveCampaign, moveToLaunch, moveToRunning } from "#db/campaigns/state.ts";
import type { Campaign, CampaignSet } from "#db/campaigns/campaigns.ts";
import type { PausedReason } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { enqueuePrefetchFor } from "./enqueue-prefetch.ts";
import { BEFORE_FIRST_ROW } from "./create.ts";
import { finishCampaigns } from "./finish.ts";
import { enqueueLaunch } from "./launch/messages.ts";
import { requireCampaign } from "./read.ts";
import { invalidTransition, moveBy, movedOn, requireTransition } from "./transitions.ts";
import { windowColumns } from "#src/domain/engine/window-columns.ts";

/** Nothing begins after this returned; a message that is being handed over ends. */
export async function pauseCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  const kept = await keepPaused(deps, campaign);
  if (kept !== undefined) return kept;
  return moveBy("pause", deps, principal, id, ({ status }) => ({
    pausedReason: "user_requested",
    pausedFrom: status,
  }));
}

/** What waits for its account would go on by itself: from now on it waits for its owner. */
async function keepPaused({ db, clock }: Deps, campaign: Campaign): Promise<Campaign | undefined> {
  const { status, pausedReason } = campaign;
  if (status !== "paused" || pausedReason !== "connected_account_unavailable") return undefined;
  const set = { pausedReason: "user_requested" } as const;
  return moveCampaign(db, {
    campaign,
    trigger: null,
    set,
    expect: { pausedReason },
    now: clock.now(),
  });
}

/** Resumes a campaign in the state that it was paused from, or launches it if it never was. 409 while the cause of its pause lasts. */
export async function resumeCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<Campaign> {
  const campaign = await requireCampaign(deps, principal, id);
  requireTransition(campaign.status, "resume");
  if (campaign.status === "paused") await requireCured(deps, campaign);
  const now = deps.clock.now();
  const resumed =
    campaign.launchedAt === null
      ? await relaunch(deps, campaign, now)
      : await runAgain(deps, campaign, now, { guardSince: now });
  if (resumed === undefined) throw await movedOn(deps, principal, id, "resume");
  return goOn(deps, principal, resumed);
}

/** While it was paused its last leads may have ended: then there is nothing to go on with, and it is completed. */
async function goOn(deps: Deps, principal: Principal, resumed: Campaign): Promise<Campaign> {
  await enqueuePrefetchFor(deps, resumed);
  await finishCampaigns(deps, [resumed.id]);
  return requireCampaign(deps, principal, resumed.id);
}

/** To the state it was paused from, from draining to active; undefined when it changed meanwhile. */
export function runAgain(
  { db }: Deps,
  campaign: Campaign,
  now: Date,
  more: CampaignSet = {},
): Promise<Campaign | undefined> {
  const wasDraining = campaign.status === "paused" && campaign.pausedFrom === "draining";
  const { configVersion, pausedReason } = campaign;
  return moveToRunning(db, {
    campaign,
    trigger: wasDraining ? "resume_draining" : "resume",
    set: {
      pausedReason: null,
      pausedFrom: null,
      ...windowColumns(campaign, now),
      ...more,
    },
    expect: { configVersion, ...(pausedReason === null ? {} : { pausedReason }) },
    now,
  });
}

async function relaunch(deps: Deps, campaign: Campaign, now: Date): Promise<Campaign | undefined> {
  const launching = await moveToLaunch(deps.db, {
    campaign,
    trigger: "resume_launch",
    set: {
      pausedReason: null,
      pausedFrom: null,
      launchJobId: deps.ids.uuid(),
      launchRequestedAt: now,
      launchError: null,
      launchCursor: BEFORE_FIRST_ROW,
    },
    now,
  });
  if (launching !== undefined) await enqueueLaunch(deps, launching, "first");
  return launching;
}

interface Health {
  usableSenders: number;
  accountConnected: boolean;
  creditsAvailable: number;
}

type Cure = (campaign: Campaign, health: Health) => string | null;

const curedByResume: Cure = () => null;
const needsSender: Cure = (_, { usableSenders }) =>
  usableSenders > 0 ? null : "none of its mail aliases is active on a domain in order";

/** Per reason what still stands against a resume, or null. */
const CURES: Record<PausedReason, Cure> = {
  user_requested: curedByResume,
  missed_schedule: curedByResume,
  bounce_rate_exceeded: curedByResume,
  complaint_rate_exceeded: curedByResume,
  personalization_failing: curedByResume,
  personalization_review_pending: ({ reviewedAt, unreviewedLaunchPolicy }) =>
    reviewedAt !== null || unreviewedLaunchPolicy !== "hold"
      ? null
      : "its drafts were never reviewed, and unreviewed_launch_policy is hold",
  no_sender_available: needsSender,
  sender_domain_failing: needsSender,
  connected_account_unavailable: (_, { accountConnected }) =>
    accountConnected ? null : "its professional-network account is not connected",
  credits_exhausted: (_, { creditsAvailable }) =>
    creditsAvailable > 0 ? null : "the workspace has no credits",
};

async function requireCured(deps: Deps, campaign: Campaign): Promise<void> {
  const { pausedReason } = campaign;
  if (pausedReason === null) return;
  const cure = CURES[pausedReason];
  if (cure === curedByResume) return;
  const obstacle = cure(campaign, await loadResumeInputs(deps.db, campaign));
  if (obstacle === null) return;
  throw invalidTransition("paused", `The campaign stays paused (${pausedReason}): ${obstacle}.`);
}
