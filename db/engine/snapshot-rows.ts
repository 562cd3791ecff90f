import {
  bool,
  type Column,
  from,
  instant,
  integer,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import { readAccountDay } from "./rollover.ts";
import type { AccountDay } from "./rollovers.ts";
import {
  type Budget,
  type CampaignStatus,
  type CampaignType,
  type LaneKind,
  type LaunchPolicy,
  type Ramp,
  type SendState,
  type Step,
  STEP_HOLDS,
  type StepHold,
  type SuppressionReason,
  type Weekday,
} from "../schema/index.ts";

export type SnapshotCampaign = ReturnType<typeof readCampaign>;
export const readCampaign = rowReader({
  id: text,
  type: typed<CampaignType>(),
  status: typed<CampaignStatus>(),
  timezone: text,
  useLeadTimezone: bool,
  start: from("sending_window_start", text),
  end: from("sending_window_end", text),
  days: from("send_days", typed<Weekday[]>()),
  steps: typed<Step[]>(),
  unreviewedLaunchPolicy: typed<LaunchPolicy>(),
  dailyLimit: integer,
  maxNewLeadsPerDay: orNull(integer),
  minIntervalSeconds: integer,
  openFrom: orNull(instant),
  openUntil: orNull(instant),
  openDay: orNull(text),
  used: integer,
  usedNew: integer,
});

export type SnapshotLane = Omit<ReturnType<typeof readLaneColumns>, "usable"> & {
  /** Of an account of a network; its connection requests but those among the snapshot's sends. */
  account: AccountDay | null;
};
const readLaneColumns = rowReader({
  id: text,
  kind: typed<LaneKind>(),
  open: bool,
  nextSlotAt: orNull(instant),
  lastSlotAt: orNull(instant),
  lastBegunAt: orNull(instant),
  slotNo: integer,
  minIntervalSeconds: orNull(integer),
  dayCap: integer,
  used: integer,
  /** Of an account of a network: how much of cap and use are connection requests. */
  connectionCap: orNull(integer),
  connectionsUsed: integer,
  dayFrom: orNull(instant),
  dayUntil: orNull(instant),
  closedUntil: orNull(instant),
  failures: integer,
  dailyLimit: integer,
  ramp: orNull(typed<Ramp>()),
  createdAt: instant,
  domainId: orNull(text),
  /** Its domain, if that has a daily limit. */
  limitedDomainId: orNull(text),
  usable: bool,
});

/** An alias that may not send closes its lane too. */
export function readLane(row: Row): SnapshotLane {
  const { usable, ...lane } = readLaneColumns(row);
  return { ...lane, open: lane.open && usable, account: readAccountDay(row) };
}

/** How much a domain of the snapshot's lanes writes to an operator that slowed it. */
export type SnapshotRate = ReturnType<typeof readRate>;
export const readRate = rowReader({
  domainId: text,
  operator: text,
  perHour: integer,
  changedAt: instant,
  nextAt: instant,
});

const readShare = rowReader({ dayFrom: instant, laneId: text, dealt: integer });

/** A mail domain with a daily limit, to which lanes of the snapshot belong. */
export type SnapshotDomain = ReturnType<typeof readDomain>;
export const readDomain = rowReader({
  id: text,
  dailyLimit: integer,
  /** Its open senders that are not in the snapshot; they have their share too. */
  otherLaneIds: typed<string[]>(),
  /** What was dealt out, by the days' first instants. */
  shares: { read: (shares) => (shares as Row[]).map(readShare) },
});

const stepHold: Column<StepHold | null> = {
  read: (value) => STEP_HOLDS.find((hold) => hold === value) ?? null,
};
const isSet: Column<boolean> = { read: (value) => value !== null };

export type SnapshotLead = ReturnType<typeof readLead>;
export const readLead = rowReader({
  id: text,
  leadId: text,
  campaignId: text,
  /** Null where it has no address. */
  emailKey: orNull(text),
  zone: text,
  status: typed<"pending" | "active">(),
  rowIndex: integer,
  nextStep: integer,
  /** Null while a send is open. */
  nextActionAt: orNull(instant),
  laneId: from("alias_id", orNull(text)),
  nextChannel: orNull(typed<LaneKind>()),
  nextBudget: typed<Budget>(),
  held: from("hold_reason", isSet),
  /** What the lead waits for; null where a user holds it, and where it is not held. */
  waitsFor: from("hold_reason", stepHold),
  /** By step, when its text was approved. */
  approved: orNull(typed<Record<string, string>>()),
  holdUntil: orNull(instant),
  connectedAt: orNull(instant),
});

/** An open send of one of the leads, or one that waits to be tried again. */
export type SnapshotSend = ReturnType<typeof readSend>;
export const readSend = rowReader({
  id: text,
  campaignLeadId: text,
  campaignId: text,
  laneId: text,
  step: integer,
  state: typed<SendState>(),
  /** Null where the channel has no address. */
  emailKey: orNull(text),
  slotAt: instant,
  campaignDay: text,
  laneDayUntil: instant,
  budget: typed<Budget>(),
  isNew: bool,
  leaseUntil: orNull(instant),
  transmittingAt: orNull(instant),
  claims: integer,
  attempts: integer,
});

/** The window by the clocks of a zone of leads. */
export type SnapshotZone = ReturnType<typeof readZone>;
export const readZone = rowReader({
  campaignId: text,
  zone: text,
  openFrom: instant,
  openUntil: instant,
});

export const readSender = rowReader({
  campaignId: text,
  laneId: text,
  lastServedAt: orNull(instant),
});

/** What of a lead's address decides whether anything goes to it. */
export const readAddressee = rowReader({
  suppression: orNull(typed<SuppressionReason>()),
  /** Of its mail hosts, where a domain of the snapshot is slowed and it is known. */
  operator: orNull(text),
  /** The last mail to it within a day, of each campaign. */
  mails: orNull({ read: (mails) => (mails as Row[]).map(readMailed) }),
});
const readMailed = rowReader({ campaignId: text, at: instant });
