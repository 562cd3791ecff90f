import type { CampaignPiece, LaneDay, Rollovers, ZonePiece } from "./rollovers.ts";
import type { StepPlan } from "./step-context.ts";
import type { AliasErrorKind, Budget, LaneKind, SendState, StepHold } from "../schema/index.ts";

/**
 * What the engine asks of its store. Two implementations: Postgres, beside
 * this file, and the memory model of the simulation; one contract suite for both.
 * Every verb is atomic; every instant is passed in.
 */
export interface SendStore {
  /** Lanes, campaigns and zones of leads whose accounting day or window piece is over; the caller computes the next and rolls them. Forgets the zones of campaigns that do not run. */
  dueRollovers(now: Date, until: Date): Promise<Rollovers>;
  rollOver(
    now: Date,
    lanes: LaneDay[],
    campaigns: CampaignPiece[],
    zones: ZonePiece[],
  ): Promise<void>;
  /** Ends leases that ran out: a claimed send goes back (a suspect is held), a transmitting one becomes unknown. Ends holds whose time is over, and wakes senders for leads that were left, too. */
  sweep(now: Date): Promise<SweptSend[]>;
  /** Unknown sends old enough to count as sent. */
  overdueUnknown(before: Date): Promise<UnknownSend[]>;
  /** Unknown sends of these kinds, the longest unknown first; their channels can be asked what became of them. */
  unknownOf(kinds: readonly LaneKind[], limit: number): Promise<LostSend[]>;
  /** Reserves at most one action of each due lane. */
  claim(order: ClaimOrder): Promise<ClaimedSend[]>;
  /** Notes that the worker now has this send alone, so that its death counts against the send. False when the worker holds it no longer. */
  isolate(workerToken: string, sendId: string): Promise<boolean>;
  /** Lets open lanes rest until their instants, with the reason as their alias's last error, so that other lanes go first. */
  rest(now: Date, lanes: LaneRest[], reason: string): Promise<void>;
  /**
   * Records how sends ended and begins the next ones, in one transaction: those allowed are `transmitting` when this returns.
   * An outcome with a next step that another configuration planned is not recorded: it is answered as overtaken.
   */
  recordAndBegin(
    now: Date,
    workerToken: string,
    outcomes: SendOutcome[],
    begin: BeginSend[],
  ): Promise<(BegunSend | OvertakenPlan)[]>;
  /** The sender's history, by which a refusal is judged; only for a send that was refused. */
  historyOf(sendId: string): Promise<SenderHistory>;
  /** The states of the sends that this worker holds, or held last; without those of other workers. */
  statesOf(workerToken: string, sendIds: string[]): Promise<Map<string, SendState>>;
  /** Ends running campaigns that have nothing left to do. */
  complete(now: Date, campaignIds: string[]): Promise<Finish>;
  /** When a tick next has something to do: a lane's slot, a lease that ends, an unknown send that is old enough. Null for never. */
  nextWakeAt(assumeAfterMs: number): Promise<Date | null>;
  /** When the engine last ran; null if never. */
  lastTickAt(): Promise<Date | null>;
  /** Notes that the engine ran, and how fast, if it can say. */
  recordTick(now: Date, sendsPerSecond: number | null): Promise<void>;
}

/** What else was refused of the sender of a send, and how often that one was. */
export interface SenderHistory {
  /** How often it was refused before for what may be its recipient's fault or its sender's. */
  refusals: number;
  /** At how many recipient domains, its own among them, the sender was refused so since it last had a message accepted. */
  refusedOperators: number;
  /** Whether the sender had a message accepted since this one was first refused. */
  acceptedSince: boolean;
}

/** What a sender's part of its domain's daily limit is computed from. */
export interface DomainQuota {
  domain: string;
  limit: number;
  /** How many senders the limit is dealt out to, and this one's place among them, from 0. */
  senders: number;
  place: number;
}
export interface ClaimOrder {
  now: Date;
  /** Slots up to here are claimed. */
  until: Date;
  limit: number;
  workerToken: string;
  /** How long a claimed send may wait for its begin, from when it may. */
  leaseSeconds: number;
}

export interface ClaimedSend {
  id: string;
  campaignId: string;
  campaignLeadId: string;
  laneId: string;
  step: number;
  /** Where it was planned: what follows counts from here. */
  slotAt: Date;
  /** When it may begin: its slot, or later if that has passed or its sender's last message began late. */
  beginsAt: Date;
  claims: number;
  kind: LaneKind;
}

export interface LaneRest {
  laneId: string;
  until: Date;
}

export interface SweptSend {
  id: string;
  campaignId: string;
  to: SendState;
}

export interface Finish {
  completed: string[];
  /** Draining campaigns without an active lead, but with more unstarted leads than can be skipped at once. */
  drained: string[];
}

export interface UnknownSend extends StepPlan {
  id: string;
  campaignId: string;
  step: number;
  transmittingAt: Date;
}

export interface LostSend {
  id: string;
  campaignId: string;
  kind: LaneKind;
  transmittingAt: Date;
}

/** The arm of an experiment that a send has, and by which version of the weights. */
export interface DrawnArm {
  arm: string;
  version: number;
}

/** What is frozen on the ledger row when a send begins; null for what its channel does not have. */
export interface BeginSend {
  id: string;
  messageId: string | null;
  subject: string | null;
  /** The page before footer and tracking. */
  html: string | null;
  variantLabel: string | null;
  /** Of a step that is tried out. */
  drawn?: DrawnArm | null;
  templateId: string | null;
  templateVersion: number | null;
  senderProfileId: string | null;
  leaseUntil: Date;
}

export type BegunSend =
  | { id: string; begun: true }
  /** Refused by a guard; the reservation is already given back and the lead moved on as the reason wants. */
  | { id: string; begun: false; reason: RefusalReason };

/** By this plan, the campaign's now, the step after that of the send is planned anew, and the outcome recorded then. */
export interface OvertakenPlan {
  id: string;
  begun: false;
  reason: "plan_overtaken";
  plan: StepPlan;
}

export const REFUSALS = [
  "lease_lost",
  "campaign_not_running",
  "campaign_draining",
  "lead_not_active",
  "lead_held",
  "suppressed",
  "window_closed",
  "sender_not_active",
  "sender_resting",
  "sender_too_soon",
  "address_recently_mailed",
  "operator_slowed",
] as const;
export type RefusalReason = (typeof REFUSALS)[number];

/**
 * What a failed send shows of its sender. `limited`: it is rate-limited; `down`: its
 * server is away; `sealed`: its secret does not open (it rests after each). `broken`:
 * its account is wrong (closed until its owner mends it). `spent`: the budget of this
 * action is used up for today.
 */
export type SenderFault = "none" | "limited" | "spent" | "down" | "sealed" | "broken";

/** The error kind that an alias shows for it; absent where its sender is not at fault. */
export const ERROR_KIND_OF: Partial<Record<SenderFault, AliasErrorKind>> = {
  broken: "account",
  down: "line",
  sealed: "vault",
};

export interface NextStep {
  nextStep: number | null;
  nextActionAt: Date | null;
  /** The channel of the next step, if it is another one; without it the same sender goes on. */
  nextChannel?: LaneKind;
  /** From which budget of its sender it takes; none of mail. */
  nextBudget?: Budget;
  /** What the lead waits for, unless it is there by now: an approved text, or a connection. */
  nextHold?: StepHold;
  /** From what it was planned. */
  planned: { step: number; sentAt: Date; configVersion: number };
}

/**
 * How a send ended: a begun one, or for `render_failed`, `released` and `held` one that
 * was only claimed. `retry` with `attemptSpent: false` means that nothing reached
 * the recipient's server, so the reservation is given back.
 */
export type SendOutcome = { id: string; reason: string } & (
  | (NextStep & {
      kind: "accepted";
      acceptedAt: Date;
      /** Set when the provider replaced the message's Message-ID. */
      messageId?: string;
    })
  | (NextStep & { kind: "assumed" | "confirmed" })
  | { kind: "unknown" }
  | {
      kind: "rejected";
      scope: "recipient" | "message";
      suppress: boolean;
      /** Until when; without it for good. */
      suppressUntil?: Date;
      slows?: true;
    }
  | {
      kind: "retry";
      retryAt: Date;
      attemptSpent: boolean;
      lane: SenderFault;
      /** It was refused for what may be its recipient's fault or its sender's: counted, and kept in mind of both. */
      isRefusal?: true;
      /** Of an unknown send: a lookup at its channel showed that it was not done. Needs no worker token. */
      lookedUp?: true;
      /** The receiver put the sending domain off, or refused it, by policy: the pair of both slows down. */
      slows?: true;
    }
  | { kind: "given_up"; lookedUp?: true; slows?: true }
  | { kind: "render_failed"; skip: boolean }
  | { kind: "released" }
  /**
   * Its text is not there, or no longer true, or its lead is not connected yet: it goes back untouched and
   * its lead waits. Not if that has changed since (`approvedAt`: when the text that was looked at was approved, null for none).
   */
  | { kind: "held"; hold: StepHold; approvedAt: string | null }
);
