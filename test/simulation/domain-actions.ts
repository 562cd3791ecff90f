import { SUSPENDED } from "#db/senders/domain-checks.ts";
import { quotasOfDay } from "#src/domain/engine/memory/domain-quotas.ts";
import type { Campaign, Domain, Lane, Send } from "#src/domain/engine/memory/rows.ts";
import { earlier } from "#src/domain/engine/memory/rows.ts";
import {
  fileCampaign,
  fileLane,
  isRunning,
  type State,
  tookPlace,
} from "#src/domain/engine/memory/state.ts";
import { dayCap } from "#src/domain/senders/ramp.ts";
import { localDay } from "#src/platform/time-zone.ts";
import type { Actions, Workspace } from "./actions.ts";
import { closeLane, earliestOwnSlot, openLane, redeal, wakeLane } from "./sender-actions.ts";

export function domainActions({
  state,
  pauses,
  failingDomains,
}: Workspace): Pick<Actions, "failDomain" | "healDomain" | "limitDomain" | "moveWorkspace"> {
  const domainOf = (id: string) => state.domains.get(id)!;
  return {
    failDomain(id, at) {
      failingDomains.add(id);
      for (const failing of failingDomains)
        for (const lane of domainOf(failing).lanes) suspend(state, lane, at);
      const stranded = [...state.campaigns.values()].filter(isStranded);
      for (const campaign of stranded) {
        pauses.set(campaign.id, { from: campaign.status, reason: "sender_domain_failing" });
        campaign.status = "paused";
        fileCampaign(state, campaign);
      }
      return stranded.map((campaign) => campaign.id).sort();
    },
    healDomain(id, at) {
      failingDomains.delete(id);
      for (const lane of domainOf(id).lanes) {
        if (!isSuspended(lane)) continue;
        lane.aliasStatus = "active";
        lane.lastError = null;
        lane.lastErrorKind = null;
        openLane(state, lane, at);
      }
      return true;
    },
    limitDomain(id, at, dailyLimit) {
      const domain = domainOf(id);
      domain.dailyLimit = dailyLimit;
      for (const lane of domain.lanes) lane.dayCap = dayCap(lane, at, state.timezone);
      const today = localDay(at, state.timezone);
      noteSpent(state, [domain], [today, localDay(today.until, state.timezone)]);
      redeal(state, domain.lanes, at);
      for (const lane of domain.lanes) if (hasRoomAgain(lane, at)) wakeLane(state, lane, at);
      return true;
    },
    moveWorkspace(timezone, at) {
      if (timezone === state.timezone) return true;
      state.timezone = timezone;
      const days = new Map<string, Day>();
      for (const lane of state.lanes.values()) {
        const day = localDay(new Date(Math.max(lane.lastSlotAt ?? 0, at.getTime())), timezone);
        const known = days.get(day.day);
        if (known === undefined) days.set(day.day, { ...day, lanes: [lane] });
        else known.lanes.push(lane);
      }
      for (const day of days.values()) moveLanes(state, day, at);
      noteSpent(state, [...state.domains.values()], [...days.values()]);
      redeal(state, state.lanes.values(), at);
      return true;
    },
  };
}

interface Day {
  from: Date;
  until: Date;
  lanes: Lane[];
}

const isSuspended = ({ aliasStatus, lastError }: Lane): boolean =>
  aliasStatus === "error" && lastError === SUSPENDED;

function suspend(state: State, lane: Lane, at: Date): void {
  if (lane.aliasStatus !== "active") return;
  lane.aliasStatus = "error";
  lane.lastError = SUSPENDED;
  lane.lastErrorKind = "account";
  closeLane(state, lane, at);
}

const isStranded = (campaign: Campaign): boolean =>
  isRunning(campaign) &&
  campaign.senders.some(({ lane }) => isSuspended(lane)) &&
  !campaign.senders.some(({ lane }) => lane.open && lane.aliasStatus !== "paused");

const hasRoomAgain = ({ used, dayCap: cap, dayUntil, nextSlotAt }: Lane, at: Date): boolean =>
  used < cap && dayUntil !== null && dayUntil > at.getTime() && nextSlotAt !== null;

/** What the ledger has of a day, per lane; of connection requests alone, if asked for those. */
function usesOf(
  state: State,
  { from, until }: Pick<Day, "from" | "until">,
  counts: (send: Send) => boolean = () => true,
): Map<Lane, number> {
  const uses = new Map<Lane, number>();
  for (const send of state.sends.values())
    if (isWithin(send, from, until) && tookPlace(send) && counts(send))
      uses.set(send.lane, (uses.get(send.lane) ?? 0) + 1);
  return uses;
}

const isWithin = ({ slotAt }: Send, from: Date, until: Date): boolean =>
  slotAt >= from.getTime() && slotAt < until.getTime();

function noteSpent(state: State, domains: Domain[], days: Pick<Day, "from" | "until">[]): void {
  for (const day of days) {
    const uses = usesOf(state, day);
    for (const domain of domains) {
      const shares = quotasOfDay(domain, day.from.getTime());
      for (const lane of domain.lanes)
        shares.set(lane.id, Math.max(shares.get(lane.id) ?? 0, uses.get(lane) ?? 0));
    }
  }
}

/** A lane that had used up its old day looks again, whatever it was to look for. */
function moveLanes(state: State, day: Day, at: Date): void {
  const uses = usesOf(state, day);
  const connections = usesOf(state, day, ({ budget }) => budget === "connection");
  for (const lane of day.lanes) {
    const { nextSlotAt } = lane;
    if (nextSlotAt !== null) lane.nextSlotAt = earlier(nextSlotAt, earliestOwnSlot(lane, at));
    lane.dayFrom = day.from.getTime();
    lane.dayUntil = day.until.getTime();
    lane.used = uses.get(lane) ?? 0;
    lane.connectionsUsed = connections.get(lane) ?? 0;
    fileLane(state, lane);
  }
}
