import type { ModelData } from "#src/domain/engine/memory/index.ts";
import { createAccountChecks } from "./account-invariants.ts";
import { createPriorityCheck } from "./priority.ts";
import {
  createTraces,
  type LaneTrace,
  type LastStep,
  type LeadTrace,
  type Traces,
} from "./traces.ts";
import { isInWindow, wallOf } from "./wall-clock.ts";
import type { RelayFault } from "./faults.ts";
import type { AttemptEntry, StopEntry, Violation, WireEntry } from "./wire.ts";

const DAY_MS = 86_400_000;

export interface Invariants extends Pick<
  Traces,
  "campaigns" | "leads" | "lanes" | "timezone" | "suppressed"
> {
  onMail(entry: WireEntry): void;
  onAttempt(entry: AttemptEntry, fault: RelayFault): void;
  onStop(entry: StopEntry): void;
  /** It was recorded that the network had called the budget of that attempt used up. */
  onSpent(entry: AttemptEntry, no: number): void;
  violations: Violation[];
  mailCount(): number;
}

/** The invariants that each message is held to when it reaches the wire; the oracle is the wire, never the store. */
export function createInvariants(
  data: ModelData,
  { isCalm = false }: { isCalm?: boolean } = {},
): Invariants {
  const priority = createPriorityCheck();
  const traces = createTraces(data);
  const { leads, lanes, suppressed, timezone } = traces;
  const violations: Violation[] = [];
  let mails = 0;

  const violate = (invariant: string, text: string, entry: AttemptEntry) => {
    const { leadId, laneId, campaignId, at } = entry;
    violations.push({
      invariant,
      text: `${new Date(at).toISOString()} ${text}`,
      at,
      leadId,
      laneId,
      campaignId,
    });
  };

  const accounts = createAccountChecks(traces, violate);

  function onMail(entry: WireEntry): void {
    mails++;
    const lead = leads.get(entry.leadId)!;
    const lane = lanes.get(entry.laneId)!;
    const { campaign } = lead;
    const { beganNo, beganAt, step } = entry;
    if ((lead.steps & (1 << step)) !== 0)
      violate("once per lead and step", `step ${step} of ${entry.leadId} once more`, entry);
    const zone = lead.zone.at(beganNo);
    if (!isInWindow(beganAt, { ...campaign.data, timezone: zone })) {
      const { start, end } = campaign.data;
      const { weekday } = wallOf(beganAt, zone);
      violate("inside the window", `outside ${start}-${end} ${zone} on ${weekday}`, entry);
    }
    checkGap(entry, lead, lane);
    checkStops(entry, lead, lane);
    if (isCalm && !priority(entry, campaign))
      violate("follow-ups first", "a new lead, while a follow-up of its sender was due", entry);
    const { kind } = lane.data;
    const last = lead.last[kind];
    if (campaign.data.steps[step - 1]!.channel !== kind)
      violate("a step's own channel", `step ${step} by a sender of ${kind}`, entry);
    if (last.lane !== lane) last.thread = 0;
    if (step > 1) checkThread(entry, last, lane);
    if (step === 1 && campaign.draining.holds(beganNo) && lead.attemptedNo > beganNo)
      violate("nothing after a stop", "a new lead of a draining campaign", entry);
    countCampaignDay(entry, lead);
    countSenderDay(entry, lane);
    accounts.onAction(entry, lead, lane);
    lead.steps |= 1 << step;
    lead.last[kind] = { lane, thread: last.thread | (1 << step), beganNo };
    lead.attemptedNo = Math.min(lead.attemptedNo, beganNo);
  }

  function checkGap(entry: AttemptEntry, { campaign }: LeadTrace, lane: LaneTrace): void {
    const { beganAt, beganNo: no } = entry;
    const interval = Math.max(campaign.interval.at(no), lane.interval.at(no) ?? 0);
    for (const other of lane.began) {
      // Of two begins the later one had to keep the gap that was in force by then.
      const gapMs = other.no > no ? other.gapMs : interval * 1000;
      const apartMs = Math.abs(beganAt - other.at);
      if (apartMs < gapMs)
        violate(
          "gap of a sender",
          `${apartMs / 1000} s from another of its sender, not ${gapMs / 1000}`,
          entry,
        );
    }
    lane.began.push({ at: beganAt, no, gapMs: interval * 1000 });
    if (lane.began.length > 6) lane.began.shift();
  }

  function checkStops(entry: WireEntry, lead: LeadTrace, lane: LaneTrace): void {
    const { beganNo, beganAt } = entry;
    const stop = (text: string) => violate("nothing after a stop", text, entry);
    if (lead.campaign.paused.holds(beganNo)) stop("began in a paused campaign");
    if (beganNo > lead.endedNo) stop("began after its lead had ended");
    if (lead.held?.holds(beganNo, beganAt)) stop("began while its lead was held");
    if (beganNo > (suppressed.get(lead.address) ?? Infinity)) stop("began to a suppressed address");
    if (lane.closed.holds(beganNo)) stop("began from a closed sender");
    if (lane.rests.holds(beganNo, beganAt)) stop("began while its sender rested");
  }

  function checkThread(entry: WireEntry, last: LastStep, lane: LaneTrace): void {
    const isReplaced = last.lane?.replaced.some((no) => no > last.beganNo && no < entry.claimNo);
    if (last.lane !== null && last.lane !== lane && isReplaced !== true)
      violate("same sender and thread", `step ${entry.step} from another sender`, entry);
    if (lane.data.kind !== "email") return;
    for (let before = 1; before < entry.step; before++) {
      const isSent = (last.thread & (1 << before)) !== 0;
      if (isSent && !entry.references.some((id) => id.includes(`.${before}@`)))
        violate("same sender and thread", `step ${entry.step} does not continue ${before}`, entry);
    }
  }

  function countCampaignDay(entry: WireEntry, lead: LeadTrace): void {
    const { campaign } = lead;
    const { timezone: zone, maxNewLeadsPerDay } = campaign.data;
    const { date: about } = wallOf(entry.beganAt, zone);
    campaign.sentAbout.set(about, (campaign.sentAbout.get(about) ?? 0) + 1);
    const day = campaign.sent.add(entry.beganAt, zone);
    if (day === null) return;
    const cap = Math.max(...campaign.limit.since(entry.claimNo));
    if (day.count > cap)
      violate("caps per day", `message ${day.count} of ${cap} on ${day.date}`, entry);
    if (entry.step > 1) return;
    campaign.lastStarted = day.date;
    if (lead.attemptedNo !== Infinity) return;
    const started = campaign.started.add(entry.beganAt, zone)!.count;
    if (maxNewLeadsPerDay !== null && started > maxNewLeadsPerDay)
      violate("caps per day", `new lead ${started} of ${maxNewLeadsPerDay} on ${day.date}`, entry);
  }

  /** By the dates of the zone that the message was claimed in: with another, the days are others. */
  function countSenderDay(entry: WireEntry, lane: LaneTrace): void {
    // An account has a budget for each part of its day, and none for their sum, which another time zone may exceed.
    if (lane.data.account !== null) return;
    const { beganAt, claimNo } = entry;
    const [zone, ...later] = timezone.since(claimNo) as [string, ...string[]];
    const day = lane.sent.add(beganAt, later.at(-1) ?? zone);
    const ofDomain = lane.domain?.sent.add(beganAt, later.at(-1) ?? zone);
    if (day === null || later.length > 0) return;
    const cap = capOf(lane.data, Math.max(...lane.limit.since(claimNo)), beganAt);
    if (day.count > cap)
      violate("caps per day", `message ${day.count} of ${cap} of its sender on ${day.date}`, entry);
    const limit = Math.max(...(lane.domain?.limit.since(claimNo) ?? []));
    if (ofDomain != null && ofDomain.count > limit)
      violate(
        "caps per day",
        `message ${ofDomain.count} of ${limit} of its domain on ${day.date}`,
        entry,
      );
  }

  return {
    ...traces,
    onMail,
    onAttempt(entry, fault) {
      const lead = leads.get(entry.leadId)!;
      const lane = lanes.get(entry.laneId)!;
      checkGap(entry, lead, lane);
      accounts.onTry(entry, lead, lane);
      lead.attemptedNo = -1;
      if (fault !== "account") return;
      lane.brokenAt = entry.at;
      lane.closedAt ??= entry.at;
    },
    onSpent: accounts.onSpent,
    violations,
    mailCount: () => mails,
  };
}

/** A sender's cap by its settings; while it ramps up, that of the day since it was made (or the one after: days are cut where the engine cuts them). */
function capOf(
  { ramp, createdAt }: ModelData["lanes"][number],
  dailyLimit: number,
  at: number,
): number {
  if (ramp === null || !ramp.enabled) return dailyLimit;
  const day = Math.floor((at - createdAt.getTime()) / DAY_MS);
  return Math.min(dailyLimit, ramp.ceiling, ramp.start + ramp.step * Math.max(0, day + 1));
}
