import type { Budget, LaneKind } from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { createDayCount, type DayCount } from "./day-count.ts";
import { createSetting, createStretches, type Setting, type Stretches } from "./history.ts";
import { isZone } from "./wall-clock.ts";
import type { StopEntry } from "./wire.ts";

/** What the checks know of a campaign, from the scenario and from what people did. */
export interface CampaignTrace {
  data: ModelData["campaigns"][number];
  limit: Setting<number>;
  interval: Setting<number>;
  paused: Stretches;
  draining: Stretches;
  sent: DayCount;
  /** First messages. */
  started: DayCount;
  lastStarted: string;
  /** Messages per local date, with those that may count for the date before. */
  sentAbout: Map<string, number>;
}

export interface LeadTrace {
  campaign: CampaignTrace;
  /** By whose clock its window is read, and by no other. */
  zone: Setting<string>;
  address: string;
  /** Bit n: step n is on the wire. */
  steps: number;
  attemptedNo: number;
  /** Once something could not be written to it. */
  isUnfit: boolean;
  /** By channel. */
  last: Record<LaneKind, LastStep>;
  endedNo: number;
  held: Stretches | null;
}

/** A lead's last step on a channel. */
export interface LastStep {
  lane: LaneTrace | null;
  /** Bit n: step n is on the wire, from that sender. */
  thread: number;
  beganNo: number;
}

export interface LaneTrace {
  data: ModelData["lanes"][number];
  domain: DomainTrace | null;
  limit: Setting<number>;
  interval: Setting<number | null>;
  closed: Stretches;
  rests: Stretches;
  restsUntil: number;
  closedAt: number | null;
  /** When the relay last refused its account, and when its owner last said that it is mended. */
  brokenAt: number;
  mendedAt: number;
  /** Where its leads may have gone on to others. */
  replaced: number[];
  began: { at: number; no: number; gapMs: number }[];
  sent: DayCount;
  /** Of an account of a network: the parts of its day. */
  budgets: Record<Exclude<Budget, "">, BudgetTrace>;
}

export interface BudgetTrace {
  sent: DayCount;
  /** Per date of the workspace's zone, while that is the same. */
  byDate: Map<string, number>;
  /** On which date the network said that it is used up, where that took effect, and what was tried since. */
  spent: { date: string; no: number; triedSince: number } | null;
}

export interface DomainTrace {
  limit: Setting<number>;
  sent: DayCount;
}

export interface Traces {
  campaigns: Map<string, CampaignTrace>;
  leads: Map<string, LeadTrace>;
  lanes: Map<string, LaneTrace>;
  timezone: Setting<string>;
  suppressed: Map<string, number>;
  onStop(entry: StopEntry): void;
}

const WEEK_MS = 7 * 86_400_000;
/** Clocks of workers are off by less. */
const SKEW_MS = 10_000;

export function createTraces(data: ModelData): Traces {
  const domains = new Map(
    data.domains.map((row) => [
      row.id,
      { limit: createSetting(row.dailyLimit), sent: createDayCount() },
    ]),
  );
  const lanes = new Map(
    data.lanes.map((row) => [row.id, laneOf(row, domains.get(row.limitedDomainId ?? "") ?? null)]),
  );
  const campaigns = new Map(data.campaigns.map((row) => [row.id, campaignOf(row)]));
  const leads = new Map<string, LeadTrace>();
  const suppressed = new Map<string, number>();
  const timezone = createSetting(data.workspaceTimezone);
  const addLead = ({ id, campaignId, zone, emailKey }: ModelData["leads"][number]) =>
    leads.set(id, leadOf(campaigns.get(campaignId)!, zone, emailKey!));
  data.leads.forEach(addLead);
  const suppress = (address: string, no: number) =>
    void suppressed.set(address, Math.min(suppressed.get(address) ?? Infinity, no));

  function onStop(entry: StopEntry): void {
    const { no, at } = entry;
    switch (entry.kind) {
      case "paused":
        return campaigns.get(entry.campaignId)!.paused.open(no);
      case "resumed":
        campaigns.get(entry.campaignId)!.draining.close(no);
        return campaigns.get(entry.campaignId)!.paused.close(no);
      case "drained":
        return campaigns.get(entry.campaignId)!.draining.open(no);
      case "limits":
        campaigns.get(entry.campaignId)!.limit.set(no, entry.dailyLimit);
        return campaigns.get(entry.campaignId)!.interval.set(no, entry.minIntervalSeconds);
      case "steps": {
        const campaign = campaigns.get(entry.campaignId)!;
        campaign.data = { ...campaign.data, steps: entry.steps };
        return;
      }
      case "leads_added":
        return entry.leads.forEach(addLead);
      case "lead_ended": {
        const lead = leads.get(entry.leadId)!;
        lead.endedNo = Math.min(lead.endedNo, no);
        return;
      }
      case "lead_moved": {
        const { zone, campaign } = leads.get(entry.leadId)!;
        return zone.set(no, zoneIn(campaign, entry.timezone ?? ""));
      }
      case "held":
        return (leads.get(entry.leadId)!.held ??= createStretches()).open(no, entry.until ?? null);
      case "released":
        return leads.get(entry.leadId)!.held?.close(no);
      case "suppressed":
        return suppress(entry.address, no);
      case "answered":
        // Wherever it was said: nothing more, from no campaign, over no channel.
        for (const lead of leads.values())
          if (lead.address === entry.address) lead.endedNo = Math.min(lead.endedNo, no);
        return suppress(entry.address, no);
      case "moved":
        return timezone.set(no, entry.timezone);
      case "domain_limit":
        return domains.get(entry.domainId)!.limit.set(no, entry.dailyLimit);
      case "senders_closed":
        return entry.laneIds.forEach((id) => close(lanes.get(id)!, no, at));
      case "senders_opened":
        for (const lane of entry.laneIds.map((id) => lanes.get(id)!)) {
          open(lane, no);
          if (entry.by === "owner") lane.mendedAt = at;
        }
        return;
      case "sender_rests": {
        const lane = lanes.get(entry.laneId)!;
        lane.restsUntil = Math.max(lane.restsUntil, entry.until);
        return lane.rests.open(no, lane.restsUntil);
      }
      case "sender_limits":
        lanes.get(entry.laneId)!.limit.set(no, entry.dailyLimit);
        return lanes.get(entry.laneId)!.interval.set(no, entry.minIntervalSeconds);
      case "senders_replaced":
        for (const { closedAt, replaced } of lanes.values())
          if (closedAt !== null && closedAt <= at - WEEK_MS + SKEW_MS) replaced.push(no);
    }
  }
  return { campaigns, leads, lanes, timezone, suppressed, onStop };
}

function close(lane: LaneTrace, no: number, at: number): void {
  lane.closed.open(no);
  lane.closedAt ??= at;
}

function open(lane: LaneTrace, no: number): void {
  lane.closed.close(no);
  lane.rests.close(no);
  lane.restsUntil = -Infinity;
  lane.closedAt = null;
}

const campaignOf = (data: ModelData["campaigns"][number]): CampaignTrace => ({
  data,
  limit: createSetting(data.dailyLimit),
  interval: createSetting(data.minIntervalSeconds),
  paused: createStretches(),
  draining: createStretches(),
  sent: createDayCount(),
  started: createDayCount(),
  lastStarted: "",
  sentAbout: new Map(),
});

const laneOf = (data: ModelData["lanes"][number], domain: DomainTrace | null): LaneTrace => ({
  data,
  domain,
  limit: createSetting(data.dailyLimit),
  interval: createSetting(data.minIntervalSeconds),
  closed: createStretches(),
  rests: createStretches(),
  restsUntil: -Infinity,
  closedAt: null,
  brokenAt: -Infinity,
  mendedAt: -Infinity,
  replaced: [],
  began: [],
  sent: createDayCount(),
  budgets: { connection: noBudget(), message: noBudget() },
});

const noBudget = (): BudgetTrace => ({ sent: createDayCount(), byDate: new Map(), spent: null });

const noStep = (): LastStep => ({ lane: null, thread: 0, beganNo: 0 });

/** The zone of a lead's window. */
const zoneIn = ({ data: { useLeadTimezone, timezone } }: CampaignTrace, zone: string): string =>
  useLeadTimezone && isZone(zone) ? zone : timezone;

const leadOf = (campaign: CampaignTrace, zone: string, address: string): LeadTrace => ({
  campaign,
  zone: createSetting(zoneIn(campaign, zone)),
  address,
  steps: 0,
  attemptedNo: Infinity,
  isUnfit: false,
  last: { email: noStep(), socialnet: noStep() },
  endedNo: Infinity,
  held: null,
});
