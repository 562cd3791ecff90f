import type { CampaignRow } from "#db/schema/index.ts";
import type { QueueInputs, SenderInputs, SendingInputs } from "#db/engine/sending-inputs.ts";
import { isUsable } from "#db/base/fragments/usable.ts";
import { quotaOf } from "#src/domain/senders/domain-quota.ts";
import { capsOn } from "#src/domain/engine/lane-day.ts";
import { dayCap } from "#src/domain/senders/ramp.ts";
import { isKnownZone, knownZone, localDay } from "#src/platform/time-zone.ts";
import type { WindowInterval } from "#src/domain/engine/window.ts";
import { accountWords, budgetReasons, budgetsOf } from "./account-reasons.ts";
import { because, type Reason } from "./reason.ts";
import { domainLimitWords, senderWords, statusWords, zonesClosedWords } from "./status-messages.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";
import type { ZoneToday } from "./lead-zones.ts";

export const RUNNING: readonly string[] = ["active", "draining"];

/** The campaign's own window as it is now, those of its leads' zones, and what it has used of its day. */
export interface Today {
  interval: WindowInterval | null;
  isOpen: boolean;
  /** Of a campaign that goes by the clocks of its leads. */
  zones: ZoneToday[];
  used: number;
  usedNew: number;
}

export function todayOf(campaign: CampaignRow, zones: ZoneToday[], now: Date): Today {
  const interval = ownInterval(campaign, now);
  // Counters of an earlier date are over, also where no tick has rolled them yet.
  const counts = interval !== null && campaign.openDay === interval.day;
  return {
    interval,
    isOpen: interval !== null && interval.openFrom <= now,
    zones,
    used: counts ? campaign.used : 0,
    usedNew: counts ? campaign.usedNew : 0,
  };
}

/** The reasons why the campaign as a whole does not send what is due; none if it can. */
export function campaignReasons(
  campaign: CampaignRow,
  { queue, senders }: SendingInputs,
  today: Today,
): Reason[] {
  if (!RUNNING.includes(campaign.status)) return [statusReason(campaign)];
  const reasons: Reason[] = [];
  const { interval, isOpen, used, usedNew } = today;
  const { dailyLimit, maxNewLeadsPerDay, timezone } = campaign;
  if (interval === null) {
    reasons.push(
      isKnownZone(timezone)
        ? because("window_never_opens", "Its sending window never opens.")
        : because(
            "timezone_unknown",
            `Its time zone ${timezone} is not known any more; pause it and give it another.`,
          ),
    );
  } else if (!isOpen)
    reasons.push(because("window_closed", "Its sending window is closed.", interval.openFrom));
  else reasons.push(...zoneReasons(campaign, today));
  if (interval !== null && used >= dailyLimit)
    reasons.push(
      because(
        "daily_limit_reached",
        `It has used its daily limit of ${dailyLimit}.`,
        interval.openUntil,
      ),
    );
  const newBlocked = maxNewLeadsPerDay !== null && usedNew >= maxNewLeadsPerDay;
  if (newBlocked && queue.followUpDue === 0 && queue.newDue > 0)
    reasons.push(
      because(
        "new_leads_limit_reached",
        `It has started as many new leads today as it may (${usedNew}), and no follow-up is due.`,
        interval?.openUntil ?? null,
      ),
    );
  if (!senders.some(maySend))
    reasons.push(because("no_sender_available", "None of its senders can send; see `senders`."));
  return reasons;
}

/** How much of it is due, and may be begun; none of a campaign that does not run. */
export function dueOf({ status }: Pick<CampaignRow, "status">, queue: QueueInputs): number {
  if (!RUNNING.includes(status)) return 0;
  return queue.followUpDue + (status === "active" ? queue.newDue : 0);
}

/** Leads are due, and each of them sleeps. */
function zoneReasons({ status }: CampaignRow, { zones }: Today): Reason[] {
  const due = zones.filter(
    ({ newDue, followUpDue }) => followUpDue + (status === "active" ? newDue : 0) > 0,
  );
  const [first] = due;
  if (first === undefined || due.some(({ isOpen }) => isOpen)) return [];
  return [
    because("window_closed", zonesClosedWords(first.timezone), first.interval?.openFrom ?? null),
  ];
}

const statusReason = (campaign: CampaignRow): Reason =>
  because(
    `campaign_${campaign.status}`,
    statusWords(campaign),
    campaign.status === "scheduled" ? campaign.startDate : null,
  );

const maySend = ({ kind, open, aliasStatus, account }: SenderInputs): boolean =>
  open && (kind === "email" ? isUsable(aliasStatus) : account?.status === "connected");

/** As people know a sender. */
const nameOf = ({ email, account }: SenderInputs): string | null => account?.name ?? email;

/** The reasons why one sender does not send for this campaign now; none if it can. */
export function senderReasons(
  sender: SenderInputs,
  campaign: Pick<CampaignRow, "minIntervalSeconds">,
  caps: CapsToday,
  queue: Pick<QueueInputs, "connectionsDue" | "messagesDue">,
  now: Date,
): Reason[] {
  const { closedUntil, lastSlotAt, account } = sender;
  const lastError = account === null ? sender.lastError : account.lastError;
  const name = nameOf(sender);
  if (name === null)
    return [
      because("sender_gone", `The ${sender.kind === "email" ? "alias" : "account"} was deleted.`),
    ];
  if (!maySend(sender)) return [because("sender_not_active", closedWords(sender, name))];
  const reasons: Reason[] = [];
  if (closedUntil !== null && closedUntil > now)
    reasons.push(
      because(
        "sender_resting",
        `${name} rests${lastError === null ? "." : `: ${lastError}`}`,
        closedUntil,
      ),
    );
  if (sender.dayUntil !== null && sender.dayUntil > now)
    reasons.push(...capReasons(sender, name, caps, queue));
  const gapMs = Math.max(campaign.minIntervalSeconds, sender.minIntervalSeconds ?? 0) * 1000;
  const gapOver = lastSlotAt === null ? null : new Date(lastSlotAt.getTime() + gapMs);
  const slot = gapOver !== null && sender.nextSlotAt !== null ? sender.nextSlotAt : gapOver;
  if (gapOver !== null && gapOver > now)
    reasons.push(
      because(
        "sender_gap",
        `${name} waits between two ${account === null ? "messages" : "actions"}.`,
        slot! > gapOver ? slot : gapOver,
      ),
    );
  return reasons;
}

const closedWords = ({ account, aliasStatus, lastError }: SenderInputs, name: string): string =>
  account === null ? senderWords(name, aliasStatus!, lastError) : accountWords(account);

function capReasons(
  sender: SenderInputs,
  name: string,
  caps: CapsToday,
  queue: Pick<QueueInputs, "connectionsDue" | "messagesDue">,
): Reason[] {
  if (sender.account !== null)
    return budgetReasons(name, budgetsOf(sender, caps), queue, {
      dayUntil: sender.dayUntil,
      lastError: sender.account.lastError,
    });
  return sender.used >= caps.capToday ? [capReason(sender, caps)] : [];
}

/** Its own cap, or what the limit of its domain leaves it. */
function capReason(sender: SenderInputs, { capToday, ownCap }: CapsToday): Reason {
  const { email, used, dayUntil, domainQuota } = sender;
  if (domainQuota === null || capToday >= ownCap)
    return because(
      "sender_cap_reached",
      `${email} has sent ${used} of ${capToday} today.`,
      dayUntil,
    );
  return because("domain_limit_reached", domainLimitWords(sender, domainQuota, capToday), dayUntil);
}

/** A sender's caps of today in the workspace's zone: with its domain's limit, and without. */
export interface CapsToday {
  capToday: number;
  /** How many of these may be connection requests; 0 of an alias. */
  connectionCapToday: number;
  ownCap: number;
}

/** Whether the day that a sender's lane counts is the present one. */
export const isItsDay = (
  { dayFrom, dayUntil }: Pick<SenderInputs, "dayFrom" | "dayUntil">,
  now: Date,
): boolean => dayFrom !== null && dayUntil !== null && dayFrom <= now && now < dayUntil;

export function capsTodayOf(sender: SenderInputs, timezone: string, now: Date): CapsToday {
  const { dailyLimit, ramp, createdAt, domainQuota, account } = sender;
  const isToday = isItsDay(sender, now);
  if (account !== null) {
    const { dayCap: ownCap, connectionCap } = capsOn(
      { account: account.day, dailyLimit, ramp, createdAt: now },
      now,
      timezone,
    );
    return isToday
      ? { capToday: sender.dayCap, connectionCapToday: sender.connectionCap ?? 0, ownCap }
      : { capToday: ownCap, connectionCapToday: connectionCap ?? 0, ownCap };
  }
  const connectionCapToday = 0;
  if (createdAt === null) return { capToday: 0, connectionCapToday, ownCap: 0 };
  const ownCap = dayCap({ dailyLimit, ramp, createdAt }, now, timezone);
  if (isToday) return { capToday: sender.dayCap, connectionCapToday, ownCap };
  const { from } = localDay(now, knownZone(timezone));
  const capToday = domainQuota === null ? ownCap : Math.min(ownCap, quotaOf(domainQuota, from));
  return { capToday, connectionCapToday, ownCap };
}
