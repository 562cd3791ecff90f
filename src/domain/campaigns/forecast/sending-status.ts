import type { Campaign } from "#db/campaigns/campaigns.ts";
import {
  type LeadSendInputs,
  loadSendingInputs,
  type QueueInputs,
  type SenderInputs,
  type SendingInputs,
} from "#db/engine/sending-inputs.ts";
import type { CampaignRow } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { findNext, type NextSends } from "./next-sends.ts";
import { requireCampaign } from "#src/domain/campaigns/read.ts";
import type { Check } from "#src/domain/campaigns/preflight/checks.ts";
import { runPreflight, warns } from "#src/domain/campaigns/preflight/preflight.ts";
import { shownStatus } from "#src/domain/senders/account-status.ts";
import { leadReasons } from "./lead-reasons.ts";
import { zonesToday } from "./lead-zones.ts";
import { budgetsOf, type BudgetsToday } from "./account-reasons.ts";
import { barredReason, leadBarredReason, operatorReasons } from "./operator-reasons.ts";
import { because, type Reason } from "./reason.ts";
import {
  campaignReasons,
  capsTodayOf,
  dueOf,
  isItsDay,
  RUNNING,
  senderReasons,
  type Today,
  todayOf,
} from "./reasons.ts";

export type { Reason } from "./reason.ts";
export type { Today } from "./reasons.ts";
import { waitingReasons } from "./waiting-reasons.ts";

export interface SenderStatus extends SenderInputs {
  capToday: number;
  /** As the account itself shows it; null for an alias. */
  shownStatus: string | null;
  /** Null for an alias, which has one for all. */
  budgets: BudgetsToday | null;
  reasons: Reason[];
}

export interface SendingStatus {
  campaign: Campaign;
  /** Nothing stands against the campaign, and one of its senders is free. */
  sending: boolean;
  reasons: Reason[];
  /** What a launch would warn of now; none of a campaign that is done. */
  warnings: Pick<Check, "name" | "message">[];
  today: Today;
  queue: QueueInputs;
  senders: SenderStatus[];
  lead: (LeadSendInputs & { reasons: Reason[] }) | undefined;
  next: NextSends;
}

/** Why a campaign, its senders and one lead do not send at this moment, from the same facts as the engine's. */
export async function explainSending(
  deps: Deps,
  principal: Principal,
  campaignId: string,
  leadId: string | undefined,
): Promise<SendingStatus> {
  const now = deps.clock.now();
  const campaign = await requireCampaign(deps, principal, campaignId);
  const inputs = await loadSendingInputs(deps.db, campaign, leadId, now);
  if (leadId !== undefined && inputs.lead === undefined) throw notFound("Campaign lead");
  const explained = explain(campaign, inputs, now);
  const [warnings, next] = await Promise.all([
    warningsOf(deps, campaign, now),
    findNext(deps, campaign, explained.senders.length, inputs.lead),
  ]);
  return {
    campaign,
    ...explained,
    warnings,
    queue: inputs.queue,
    lead: inputs.lead && {
      ...inputs.lead,
      reasons: [
        ...leadReasons(inputs.lead, campaign, now, deps.model !== null),
        ...leadBarredReason(inputs.slowPairs, inputs.lead, now),
      ],
    },
    next,
  };
}

/** Why the campaign and its senders do not send at this moment. Pure. */
export function explain(
  campaign: CampaignRow,
  inputs: SendingInputs,
  now: Date,
): Pick<SendingStatus, "sending" | "reasons" | "today" | "senders"> {
  const today = todayOf(campaign, zonesToday(campaign, inputs.zones, now), now);
  const senders = inputs.senders.map((stored) => {
    const sender = usedToday(stored, now);
    const caps = capsTodayOf(sender, inputs.workspaceTimezone, now);
    const { capToday } = caps;
    return {
      ...sender,
      capToday,
      shownStatus: sender.account === null ? null : shownStatus(sender.account, now),
      budgets: sender.account === null ? null : budgetsOf(sender, caps),
      reasons: senderReasons(sender, campaign, caps, inputs.queue, now),
    };
  });
  const { queue } = inputs;
  const hasDue = dueOf(campaign, queue) > 0;
  const blocking = campaignReasons(campaign, inputs, today);
  if (blocking.length === 0 && hasDue) blocking.push(...sendersWait(senders, queue));
  const barred = barredReason(inputs.slowPairs, dueOf(campaign, queue), now);
  if (blocking.length === 0 && barred !== null) blocking.push(barred);
  const isRunning = RUNNING.includes(campaign.status);
  const waiting = isRunning
    ? [...waitingReasons(queue, inputs.senders, hasDue), ...operatorReasons(inputs.slowPairs)]
    : [];
  return {
    sending: hasDue && blocking.length === 0,
    reasons: [...blocking, ...waiting],
    today,
    senders,
  };
}

async function warningsOf(
  deps: Deps,
  campaign: Campaign,
  now: Date,
): Promise<SendingStatus["warnings"]> {
  if (campaign.status === "completed") return [];
  const checks = await runPreflight(deps, campaign, now);
  return checks.filter(warns).map(({ name, message }) => ({ name, message }));
}

/** A sender's new day begins when the engine next looks at it: until then it has done nothing of it. */
const usedToday = (sender: SenderInputs, now: Date): SenderInputs =>
  isItsDay(sender, now) ? sender : { ...sender, used: 0, connectionsUsed: 0 };

/** Why none of those who could do what is due does it now; nothing where one is free. */
function sendersWait(senders: SenderStatus[], queue: QueueInputs): Reason[] {
  const { newDue, followUpDue, connectionsDue, messagesDue } = queue;
  const onNetwork = connectionsDue + messagesDue;
  const due = { email: newDue + followUpDue - onNetwork, socialnet: onNetwork };
  const able = senders.filter(({ kind }) => due[kind] > 0);
  if (able.some(({ reasons }) => reasons.length === 0)) return [];
  return [able.length === 0 ? NO_SENDER : allWait(able)];
}

const NO_SENDER = because("no_sender_available", "No sender does what is due.");

/** Until the first of them is free: each is held back until the last of its own reasons ends. */
function allWait(senders: SenderStatus[]): Reason {
  const ends = senders.map(({ reasons }) =>
    reasons.some(({ until }) => until === null)
      ? null
      : new Date(Math.max(...reasons.map(({ until }) => until!.getTime()))),
  );
  const known = ends.filter((end) => end !== null).map((end) => end.getTime());
  return {
    code: "all_senders_wait",
    message: "Every sender waits; see `senders`.",
    until: known.length === 0 ? null : new Date(Math.min(...known)),
  };
}
