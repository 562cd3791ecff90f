import type { RESTORED_HOLD } from "#db/engine/restored.ts";
import type { EngineSnapshot } from "#db/engine/snapshot.ts";
import type { SnapshotCampaign, SnapshotLane } from "#db/engine/snapshot-rows.ts";
import type {
  AliasErrorKind,
  Budget,
  CampaignLeadStatus,
  LaneKind,
  SendState,
  StepHold,
} from "#db/schema/index.ts";
import type { Queued } from "./queue.ts";

/** The rows of the model. Instants are UTC milliseconds; what waits for an instant is queued by it. */

type InMs<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? Exclude<Row[Name], Date> | number : Row[Name];
};

/** As the snapshot reads it, with what the model knows besides. */
export interface Lane extends Queued, InMs<Omit<SnapshotLane, "createdAt">> {
  createdAt: Date;
  /** False once the alias is gone. */
  exists: boolean;
  aliasStatus: "active" | "error" | "paused";
  lastError: string | null;
  lastErrorKind: AliasErrorKind | null;
  /** When a message of the lane was last accepted, as far as the model saw it, and the refusals since. */
  lastAcceptedAt: number | null;
  refused: Set<Send>;
  closedSince: number | null;
  /** Its connection requests of the last days. */
  connections: Send[];
  senders: Sender[];
}

/** How much a domain writes to an operator that put it off or refused it by policy. */
export interface OperatorRate {
  perHour: number;
  changedAt: number;
  nextAt: number;
}

/** A mail domain with a daily limit. */
export interface Domain {
  id: string;
  dailyLimit: number;
  lanes: Lane[];
  /** Open senders that the model does not have. */
  otherLaneIds: string[];
  /** Shares by lane id, by the first instant of the day. */
  shares: Map<number, Map<string, number>>;
}

/** That a campaign may use a lane, and when it last did. */
export interface Sender {
  campaign: Campaign;
  lane: Lane;
  lastServedAt: number | null;
  /** Leads of the campaign that wait for this lane. */
  followUps: LeadQueues;
}

/** Leads that wait, by the zone of their clocks and the budget of their step (`placeOf`). */
export type LeadQueues = Map<string, Lead[]>;

/** The piece of window by the clocks of one zone of leads. */
export interface Zone extends Queued {
  campaign: Campaign;
  zone: string;
  openFrom: number;
  openUntil: number;
}

/** As the snapshot reads it, with what the model knows besides. */
export interface Campaign extends Queued, InMs<SnapshotCampaign> {
  configVersion: number;
  senders: Sender[];
  leads: Lead[];
  pendingCount: number;
  activeCount: number;
  /** New leads that wait. */
  fresh: LeadQueues;
  followUps: Map<string, LeadQueues>;
  /** Started leads whose next step any sender of its channel may take. */
  pools: Record<LaneKind, LeadQueues>;
  zones: Map<string, Zone>;
  /** What the ledger has per accounting date. */
  dayCounts: Map<string, MessageCounts>;
  /** The model came to an edge of its leads: what it does from then on is not what the engine would do. */
  ranOut: boolean;
}

export interface MessageCounts {
  used: number;
  usedNew: number;
}

export interface Lead extends Queued {
  id: string;
  campaign: Campaign;
  emailKey: string | null;
  /** Of its mail hosts; its domain where the operator is not known, empty without an address. */
  operator: string;
  zone: string;
  rowIndex: number;
  status: CampaignLeadStatus;
  /** The status under which the campaign counts it. */
  countedAs: CampaignLeadStatus | null;
  currentStep: number;
  nextStep: number | null;
  nextActionAt: number | null;
  /** The sender of the next step; null while any sender of its channel may do it. */
  laneId: string | null;
  nextChannel: LaneKind | null;
  nextBudget: Budget;
  stopReason: string | null;
  lastError: string | null;
  hold: Hold | null;
  /** Since when the lead is connected with the account that writes to it. */
  connectedAt: number | null;
  /** When the text of which step was approved. */
  approved: Map<number, string>;
  /** By step, from 1. */
  sends: (Send | undefined)[];
  /** Behind this lead others wait in the same queue that the model does not have. */
  isEdge: boolean;
}

export interface Hold extends Queued {
  lead: Lead;
  until: number | null;
  /** Null where a user holds it. */
  waitsFor: StepHold | typeof RESTORED_HOLD | null;
}

export interface Send extends Queued, MailTrace {
  id: string;
  lead: Lead;
  campaign: Campaign;
  lane: Lane;
  step: number;
  slotAt: number;
  campaignDay: string;
  laneDayUntil: number;
  budget: Budget;
  isNew: boolean;
  leaseUntil: number | null;
  workerToken: string | null;
  claims: number;
  alone: number;
  attempts: number;
  refusals: number;
  refusedSince: number | null;
  messageId: string | null;
  subject: string | null;
  reason: string | null;
  counted: MessageCounts | null;
  countedNew: boolean;
}

/** What the address guard looks at. */
export interface MailTrace {
  campaignId: string;
  state: SendState;
  acceptedAt: number | null;
  transmittingAt: number | null;
}

/** One workspace's data as plain values; `EngineSnapshot` is one of these. */
export type ModelData = Omit<
  EngineSnapshot,
  "cutCampaigns" | "edges" | "isCut" | "operators" | "rates"
> &
  Partial<Pick<EngineSnapshot, "edges" | "operators" | "rates">>;

/** Later of two instants; null counts as absent, as in SQL's GREATEST. */
export const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null || a >= b ? a : b;

/** Earlier of two instants; null counts as absent, as in SQL's LEAST. */
export const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null || a <= b ? a : b;

export const msOf = (at: Date | null): number | null => (at === null ? null : at.getTime());
export const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
