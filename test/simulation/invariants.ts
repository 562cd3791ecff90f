import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { createPriorityCheck } from "./priority.ts";
import { createHistory, createStretches, type History, type Stretches } from "./history.ts";
import { isInWindow, wallOf } from "./wall-clock.ts";
import type { AttemptEntry, StopEntry, Violation, WireEntry } from "./wire.ts";

/** What the checks know of a campaign, from the scenario and from what people did. */
export interface CampaignTrace {
  data: ModelData["campaigns"][number];
  limit: History;
  interval: History;
  paused: Stretches;
  draining: Stretches;
  /** Messages, and first messages, per local date. */
  sent: Map<string, number>;
  /** The same, with those that may count for the date before. */
  sentAbout: Map<string, number>;
  started: Map<string, number>;
  lastStarted: string;
}

export interface LeadTrace {
  campaign: CampaignTrace;
  address: string;
  /** Bit n: step n is on the wire. */
  steps: number;
  attemptedNo: number;
  laneId: string | null;
  endedNo: number;
  held: Stretches | null;
}

interface LaneTrace {
  data: ModelData["lanes"][number];
  began: number[];
  sent: Map<string, number>;
}

/** A send may begin so long after its slot, to whose date it was charged; a worker's clock is at most so far off. */
const MAX_LATE_MS = 186_000;
const MAX_SKEW_MS = 6_000;
const DAY_MS = 86_400_000;

export interface Invariants {
  onMail(entry: WireEntry): void;
  onAttempt(entry: AttemptEntry): void;
  onStop(entry: StopEntry): void;
  violations: Violation[];
  campaigns: Map<string, CampaignTrace>;
  leads: Map<string, LeadTrace>;
  mailCount(): number;
}

/** The invariants that each message is held to when it reaches the wire; the oracle is the wire, never the store. */
export function createInvariants(
  data: ModelData,
  { isCalm = false }: { isCalm?: boolean } = {},
): Invariants {
  const priority = createPriorityCheck();
  const campaigns = new Map<string, CampaignTrace>();
  const lanes = new Map<string, LaneTrace>();
  const leads = new Map<string, LeadTrace>();
  const domains = new Map(
    data.domains.map(({ id, dailyLimit }) => [id, { dailyLimit, sent: new Map<string, number>() }]),
  );
  const suppressed = new Map<string, number>();
  const violations: Violation[] = [];
  let mails = 0;
  for (const row of data.campaigns)
    campaigns.set(row.id, {
      data: row,
      limit: createHistory(row.dailyLimit),
      interval: createHistory(row.minIntervalSeconds),
      paused: createStretches(),
      draining: createStretches(),
      sent: new Map(),
      sentAbout: new Map(),
      started: new Map(),
      lastStarted: "",
    });
  for (const row of data.lanes) lanes.set(row.id, { data: row, began: [], sent: new Map() });
  const addLead = ({ id, campaignId, emailKey }: ModelData["leads"][number]) =>
    leads.set(id, {
      campaign: campaigns.get(campaignId)!,
      address: emailKey,
      steps: 0,
      attemptedNo: Infinity,
      laneId: null,
      endedNo: Infinity,
      held: null,
    });
  data.leads.forEach(addLead);

  const violate = (invariant: string, text: string, entry: AttemptEntry) => {
    const { leadId, laneId, campaignId, at } = entry;
    violations.push({
      invariant,
      text: `${new Date(at).toISOString()} ${text}`,
      leadId,
      laneId,
      campaignId,
    });
  };

  function onMail(entry: WireEntry): void {
    mails++;
    const lead = leads.get(entry.leadId)!;
    const { campaign } = lead;
    const { beganNo, beganAt, step } = entry;
    if ((lead.steps & (1 << step)) !== 0)
      violate("once per lead and step", `step ${step} of ${entry.leadId} once more`, entry);
    if (!isInWindow(beganAt, campaign.data)) {
      const { start, end, timezone } = campaign.data;
      const { weekday } = wallOf(beganAt, timezone);
      violate("inside the window", `outside ${start}-${end} ${timezone} on ${weekday}`, entry);
    }
    checkGap(entry, lead);
    checkStops(entry, lead);
    if (isCalm && !priority(entry, campaign))
      violate("follow-ups first", "a new lead, while a follow-up of its sender was due", entry);
    if (step > 1) checkThread(entry, lead);
    if (step === 1 && campaign.draining.holds(beganNo) && lead.attemptedNo > beganNo)
      violate("nothing after a stop", "a new lead of a draining campaign", entry);
    countDay(entry, lead);
    lead.steps |= 1 << step;
    lead.laneId = entry.laneId;
    lead.attemptedNo = Math.min(lead.attemptedNo, beganNo);
  }

  function checkGap(entry: AttemptEntry, { campaign }: LeadTrace): void {
    const lane = lanes.get(entry.laneId)!;
    const { min } = campaign.interval.since(entry.at - 900_000);
    const gapMs = Math.max(min, lane.data.minIntervalSeconds ?? 0) * 1000;
    for (const began of lane.began) {
      if (Math.abs(entry.beganAt - began) < gapMs)
        violate(
          "gap of a sender",
          `${Math.abs(entry.beganAt - began) / 1000} s after another of its sender, not ${gapMs / 1000}`,
          entry,
        );
    }
    lane.began.push(entry.beganAt);
    if (lane.began.length > 6) lane.began.shift();
  }

  function checkStops(entry: WireEntry, lead: LeadTrace): void {
    const { beganNo, beganAt } = entry;
    const stop = (text: string) => violate("nothing after a stop", text, entry);
    if (lead.campaign.paused.holds(beganNo)) stop("began in a paused campaign");
    if (beganNo > lead.endedNo) stop("began after its lead had ended");
    if (lead.held?.holds(beganNo, beganAt)) stop("began while its lead was held");
    if (beganNo > (suppressed.get(lead.address) ?? Infinity)) stop("began to a suppressed address");
  }

  function checkThread(entry: WireEntry, lead: LeadTrace): void {
    if (lead.laneId !== null && lead.laneId !== entry.laneId)
      violate("same sender and thread", `step ${entry.step} from another sender`, entry);
    for (let before = 1; before < entry.step; before++) {
      const isSent = (lead.steps & (1 << before)) !== 0;
      if (isSent && !entry.references.some((id) => id.includes(`.${before}@`)))
        violate("same sender and thread", `step ${entry.step} does not continue ${before}`, entry);
    }
  }

  function countDay(entry: WireEntry, lead: LeadTrace): void {
    const { campaign } = lead;
    const { timezone, maxNewLeadsPerDay } = campaign.data;
    countUp(campaign.sentAbout, wallOf(entry.beganAt, timezone).date);
    const date = certainDate(entry.beganAt, timezone);
    if (date !== null) {
      const { max } = campaign.limit.since(entry.at - DAY_MS - 3_600_000);
      const count = countUp(campaign.sent, date);
      if (count > max) violate("caps per day", `message ${count} of ${max} on ${date}`, entry);
      if (entry.step === 1) {
        campaign.lastStarted = date;
        const isFirst = lead.attemptedNo === Infinity;
        const started = isFirst ? countUp(campaign.started, date) : 0;
        if (maxNewLeadsPerDay !== null && started > maxNewLeadsPerDay)
          violate("caps per day", `new lead ${started} of ${maxNewLeadsPerDay} on ${date}`, entry);
      }
    }
    const lane = lanes.get(entry.laneId)!;
    const laneDate = certainDate(entry.beganAt, data.workspaceTimezone);
    if (laneDate === null) return;
    const count = countUp(lane.sent, laneDate);
    const cap = capOf(lane.data, entry.beganAt);
    if (count > cap)
      violate("caps per day", `message ${count} of ${cap} of its sender on ${laneDate}`, entry);
    const domain = domains.get(lane.data.limitedDomainId ?? "");
    if (domain === undefined) return;
    const ofDomain = countUp(domain.sent, laneDate);
    if (ofDomain > domain.dailyLimit)
      violate(
        "caps per day",
        `message ${ofDomain} of ${domain.dailyLimit} of its domain on ${laneDate}`,
        entry,
      );
  }

  return {
    onMail,
    onAttempt(entry) {
      const lead = leads.get(entry.leadId)!;
      checkGap(entry, lead);
      lead.attemptedNo = -1;
    },
    onStop(entry) {
      const { no, at } = entry;
      switch (entry.kind) {
        case "paused":
          return campaigns.get(entry.campaignId)!.paused.open(no);
        case "resumed":
          campaigns.get(entry.campaignId)!.draining.close(no);
          return campaigns.get(entry.campaignId)!.paused.close(no);
        case "drained":
          return campaigns.get(entry.campaignId)!.draining.open(no);
        case "lead_ended": {
          const lead = leads.get(entry.leadId)!;
          lead.endedNo = Math.min(lead.endedNo, no);
          return;
        }
        case "held":
          (leads.get(entry.leadId)!.held ??= createStretches()).open(no, entry.until ?? null);
          return;
        case "released":
          return leads.get(entry.leadId)!.held?.close(no);
        case "suppressed":
          suppressed.set(entry.address, Math.min(suppressed.get(entry.address) ?? Infinity, no));
          return;
        case "limits": {
          const campaign = campaigns.get(entry.campaignId)!;
          campaign.limit.set(at, entry.dailyLimit);
          campaign.interval.set(at, entry.minIntervalSeconds);
          return;
        }
        case "leads_added":
          return entry.leads.forEach(addLead);
      }
    },
    violations,
    campaigns,
    leads,
    mailCount: () => mails,
  };
}

/** The local date to which a begin was certainly charged; null close to midnight. */
function certainDate(beganAt: number, zone: string): string | null {
  const { date } = wallOf(beganAt, zone);
  const isSure =
    wallOf(beganAt - MAX_LATE_MS, zone).date === date &&
    wallOf(beganAt + MAX_SKEW_MS, zone).date === date;
  return isSure ? date : null;
}

function countUp(counts: Map<string, number>, date: string): number {
  const count = (counts.get(date) ?? 0) + 1;
  counts.set(date, count);
  return count;
}

/** A sender's cap by its settings; while it ramps up, that of the day since it was made (or the one after: days are cut where the engine cuts them). */
function capOf({ dailyLimit, ramp, createdAt }: ModelData["lanes"][number], at: number): number {
  if (ramp === null || !ramp.enabled) return dailyLimit;
  const day = Math.floor((at - createdAt.getTime()) / DAY_MS);
  return Math.min(dailyLimit, ramp.ceiling, ramp.start + ramp.step * Math.max(0, day + 1));
}
