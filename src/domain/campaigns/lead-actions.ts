import {
  changeCampaignLeads,
  ledgersOf,
  type LeadChange,
  type LedgerLine,
  OVER,
} from "#db/campaigns/lead-change.ts";
import type { CampaignLead } from "#db/campaigns/leads.ts";
import { type Campaign } from "#db/campaigns/campaigns.ts";
import { budgetOf } from "#db/engine/index.ts";
import {
  type CampaignLeadStatus,
  type Channel,
  type SendState,
  STEP_HOLDS,
} from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { retryWhileChanged } from "#src/domain/owned.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { finishCampaigns } from "./finish.ts";
import { requireCampaignLead } from "./leads.ts";
import { requireCampaign } from "./read.ts";
import { stepDueAt, wholeSecond, zoneOfLead } from "#src/domain/engine/window.ts";

const UNDER_WAY: readonly CampaignLeadStatus[] = ["pending", "active"];

/** The statuses that a user may resume; an address that bounced, complained or unsubscribed gets no mail. */
const RESUMABLE: readonly CampaignLeadStatus[] = ["replied", "stopped", "failed", "skipped"];

export const MARKS = ["replied", "not_replied", "resumed"] as const;
export type Mark = (typeof MARKS)[number];

type LeadPath = { campaignId: string; id: string };

/** What an action changes of a lead, and from where it is possible. */
export type LeadOrder = Pick<LeadChange, "set" | "from" | "replied">;

/** Nothing is sent to the lead until it is released, or until `until`. A message that is on its way still ends. */
export async function holdLead(
  deps: Deps,
  principal: Principal,
  path: LeadPath,
  { until, reason }: { until: Date | null; reason: string },
): Promise<CampaignLead> {
  return change(deps, principal, path, holdOf({ until, reason }, deps.clock.now()));
}

export function holdOf(
  { until, reason }: { until: Date | null; reason: string },
  now: Date,
): LeadOrder {
  if (STEP_HOLDS.some((ours) => ours === reason))
    throw unprocessable("VALIDATION_ERROR", `hold_reason ${reason} is the service's own.`);
  if (until !== null && until <= now)
    throw unprocessable("VALIDATION_ERROR", "hold_until has passed already.");
  return { from: UNDER_WAY, set: { holdReason: reason, holdUntil: until } };
}

export const RELEASE: LeadOrder = { from: UNDER_WAY, set: { holdReason: null, holdUntil: null } };

/** Ends a hold; does nothing to a lead that is not held. One that waits to be accepted is taken as connected. */
export function releaseLead(
  deps: Deps,
  principal: Principal,
  path: LeadPath,
): Promise<CampaignLead> {
  return change(deps, principal, path, RELEASE);
}

/** Ends the lead in this campaign. Stopping a stopped one changes nothing. */
export function stopLead(deps: Deps, principal: Principal, path: LeadPath): Promise<CampaignLead> {
  return end(deps, principal, path, "stopped");
}

/** Sets a lead's state by a user's word: that it replied, that it did not, or that it goes on. */
export async function markLead(
  deps: Deps,
  principal: Principal,
  path: LeadPath,
  mark: Mark,
): Promise<CampaignLead> {
  switch (mark) {
    case "replied":
      return end(deps, principal, path, "replied");
    case "not_replied":
    case "resumed":
      return goOn(deps, principal, path, mark);
  }
}

/** From where a lead goes on by a mark, and what that says of its reply. */
const GOES_ON = {
  not_replied: { from: ["replied"], replied: false },
  resumed: { from: RESUMABLE, replied: undefined },
} satisfies Record<string, { from: readonly CampaignLeadStatus[]; replied: boolean | undefined }>;

const STOP_REASONS = { stopped: "user_requested", replied: "marked_replied" };

export const endOf = (status: keyof typeof STOP_REASONS): LeadOrder => ({
  from: UNDER_WAY,
  set: {
    status,
    stopReason: STOP_REASONS[status],
    nextStep: null,
    nextActionAt: null,
    holdReason: null,
    holdUntil: null,
  },
  ...(status === "replied" ? { replied: true } : {}),
});

async function end(
  deps: Deps,
  principal: Principal,
  path: LeadPath,
  status: keyof typeof STOP_REASONS,
): Promise<CampaignLead> {
  const lead = await requireCampaignLead(deps, principal, path.campaignId, path.id);
  if (lead.status === status) return lead;
  const ended = await change(deps, principal, path, endOf(status));
  await finishCampaigns(deps, [path.campaignId]);
  return ended;
}

/** Lets an ended lead go on with the first step that it never got. A send of it that ends meanwhile is planned with anew. */
async function goOn(
  deps: Deps,
  principal: Principal,
  path: LeadPath,
  mark: keyof typeof GOES_ON,
): Promise<CampaignLead> {
  const attempt = async () => {
    const lead = await requireCampaignLead(deps, principal, path.campaignId, path.id);
    const campaign = await requireCampaign(deps, principal, path.campaignId);
    const ledgers = await ledgersOf(deps.db, [lead.id]);
    return tryToGoOn(deps, campaign, lead, ledgers.get(lead.id)!, mark);
  };
  const message = "The lead kept changing meanwhile; read it and try again.";
  return retryWhileChanged(attempt, "INVALID_STATE_TRANSITION", message);
}

/** Undefined where the lead changed since it was read. */
export async function tryToGoOn(
  deps: Deps,
  campaign: Campaign,
  lead: CampaignLead,
  ledger: LedgerLine[],
  mark: keyof typeof GOES_ON,
): Promise<CampaignLead | undefined> {
  const { from, replied } = GOES_ON[mark];
  if (UNDER_WAY.includes(lead.status)) return lead;
  if (OVER.includes(campaign.status))
    throw conflict(
      "INVALID_STATE_TRANSITION",
      `The campaign is ${campaign.status}; its leads cannot go on.`,
      { detail: { status: campaign.status } },
    );
  if (!from.some((status) => status === lead.status)) throw impossible(lead.status, from);
  const now = deps.clock.now();
  const plan = planResume(campaign, lead, ledger, now);
  const [changed] = await changeCampaignLeads(deps.db, {
    workspaceId: lead.workspaceId,
    campaignId: lead.campaignId,
    ids: [lead.id],
    from,
    ledger,
    configVersion: campaign.configVersion,
    set: { ...plan.set, stopReason: null, lastError: null },
    reopenStep: plan.step,
    waitsForStep: true,
    ...(plan.channel === undefined ? {} : { channel: plan.channel }),
    ...(replied === undefined ? {} : { replied }),
    now,
  });
  return changed;
}

const WENT_OUT: readonly SendState[] = ["accepted", "assumed_sent"];
const ON_ITS_WAY: readonly SendState[] = ["claimed", "transmitting", "unknown"];

/**
 * The step at which a resumed lead goes on, by its ledger: no step that went out, or may have, is ever sent again. The
 * messages of a campaign that was over for long have ended; of those the lead itself says how many steps it had.
 */
export function planResume(
  campaign: Pick<Campaign, "steps" | "timezone">,
  { zone, currentStep }: Pick<CampaignLead, "zone" | "currentStep">,
  ledger: LedgerLine[],
  now: Date,
): { step: number; set: LeadChange["set"]; channel?: Channel } {
  const open = ledger.find(({ state }) => ON_ITS_WAY.includes(state));
  const budgetAt = (step: number) => ({ nextBudget: budgetOf(campaign.steps[step - 1]) });
  if (open !== undefined)
    return {
      step: 0,
      set: { status: "active", nextStep: open.step, nextActionAt: null, ...budgetAt(open.step) },
    };
  const last = ledger.findLast(({ state }) => WENT_OUT.includes(state));
  const had = Math.max(last?.step ?? 0, currentStep);
  const step = had + 1;
  const config = campaign.steps[step - 1];
  if (config === undefined)
    return { step: 0, set: { status: "completed", nextStep: null, nextActionAt: null } };
  if (had === 0)
    return {
      step,
      set: {
        status: "pending",
        nextStep: 1,
        nextActionAt: wholeSecond(now),
        aliasId: null,
        ...budgetAt(1),
      },
    };
  // What has ended was sent long before any step's delay.
  const dueAt =
    last?.step === had
      ? stepDueAt(last.slotAt, config.delay_days, zoneOfLead(zone, campaign.timezone))
      : now;
  return {
    step,
    channel: config.channel,
    set: {
      status: "active",
      nextStep: step,
      nextActionAt: dueAt > now ? dueAt : wholeSecond(now),
      ...budgetAt(step),
    },
  };
}

async function change(
  deps: Deps,
  principal: Principal,
  { campaignId, id }: LeadPath,
  order: LeadOrder,
): Promise<CampaignLead> {
  // Before the locks: a lead of another workspace has none.
  const { workspaceId } = await requireCampaignLead(deps, principal, campaignId, id);
  const now = deps.clock.now();
  const which = { workspaceId, campaignId, ids: [id] };
  const [changed] = await changeCampaignLeads(deps.db, { ...order, ...which, now });
  if (changed !== undefined) return changed;
  const { status } = await requireCampaignLead(deps, principal, campaignId, id);
  throw impossible(status, order.from);
}

export const impossible = (status: CampaignLeadStatus, from: readonly CampaignLeadStatus[]) =>
  conflict(
    "INVALID_STATE_TRANSITION",
    `The lead is ${status}; this is possible from ${from.join(", ")}.`,
    { detail: { status } },
  );
