import type {
  AccountState,
  AliasStatus,
  CampaignLeadStatus,
  GenerationStatus,
  LaneKind,
  Ramp,
  SendState,
} from "../schema/index.ts";
import {
  bool,
  from,
  instant,
  integer,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import type { DomainQuota } from "./index.ts";
import { readAccountDay } from "./rollover.ts";
import type { AccountDay } from "./rollovers.ts";

/** A sender of a campaign and its lane as they are now: an alias, or an account of a network. */
export interface SenderInputs extends ReturnType<typeof readSenderColumns> {
  /** Null for an alias, and for an account that is gone. */
  account: AccountInputs | null;
}

/** What of an account decides whether it acts. */
export interface AccountInputs extends ReturnType<typeof readAccountColumns> {
  day: AccountDay;
}

const readAccountColumns = rowReader({
  name: from("display_name", text),
  status: from("account_status", typed<AccountState>()),
  checkpointPending: bool,
  rateLimitedUntil: orNull(instant),
  lastError: from("account_error", orNull(text)),
  /** What the network said to its last note that it refused. */
  notesRefusal: orNull(text),
});

const readSenderColumns = rowReader({
  id: text,
  kind: typed<LaneKind>(),
  /** Null when the alias is gone, and for an account. */
  email: orNull(text),
  aliasStatus: from("status", orNull(typed<AliasStatus>())),
  lastError: orNull(text),
  open: bool,
  closedUntil: orNull(instant),
  nextSlotAt: orNull(instant),
  lastSlotAt: orNull(instant),
  minIntervalSeconds: orNull(integer),
  used: integer,
  dayCap: integer,
  /** Of an account: how much of both are connection requests. */
  connectionsUsed: integer,
  connectionCap: orNull(integer),
  dayFrom: orNull(instant),
  dayUntil: orNull(instant),
  /** Null where its domain has no daily limit. */
  domainQuota: orNull(typed<DomainQuota>()),
  dailyLimit: integer,
  ramp: orNull(typed<Ramp>()),
  createdAt: orNull(instant),
});

export function readSender(row: Row): SenderInputs {
  const day = readAccountDay(row);
  return {
    ...readSenderColumns(row),
    account: day === null ? null : { ...readAccountColumns(row), day },
  };
}

/** How many leads of the campaign stand where. */
export type QueueInputs = ReturnType<typeof readQueue>;
export const readQueue = rowReader({
  /** Never started, and due. */
  newDue: integer,
  /** Started, their next step due. */
  followUpDue: integer,
  /** Of both, the leads whose step takes from an account's budget of connections, and of messages. */
  connectionsDue: integer,
  messagesDue: integer,
  waiting: integer,
  held: integer,
  /** Of the held ones, leads that wait for a model to write their text, and for a user to approve it. */
  awaitingDraft: integer,
  awaitingReview: integer,
  /** Of the held ones, leads with an invitation that they have not accepted. */
  awaitingAcceptance: integer,
  /** Of the held ones, those whose note the network does not take now, and when the first of them is tried again. */
  awaitingNotes: integer,
  notesUntil: orNull(instant),
  inFlight: integer,
  /** When the first of the waiting falls due. */
  nextDueAt: orNull(instant),
});

/** How many of them are due by the clocks of one zone. */
export type ZoneInputs = ReturnType<typeof readZone>;
export const readZone = rowReader({ zone: text, newDue: integer, followUpDue: integer });

/** A sending domain of the campaign and an operator to which it writes less (operator-rates.ts). */
export type SlowPair = ReturnType<typeof readSlowPair>;
export const readSlowPair = rowReader({
  domain: text,
  operator: text,
  perHour: integer,
  nextAt: instant,
  fullAt: instant,
  reason: text,
  /** The campaign's aliases of that domain. */
  aliasIds: typed<string[]>(),
  /** So many domains its aliases have. */
  domains: integer,
  /** Of the campaign at that operator, not held; and those of them that are due. */
  leads: integer,
  due: integer,
});

const readLeadRow = rowReader({
  campaignLeadId: from("id", text),
  leadId: text,
  email: orNull(text),
  zone: text,
  status: typed<CampaignLeadStatus>(),
  nextStep: orNull(integer),
  nextActionAt: orNull(instant),
  aliasId: orNull(text),
  /** The operator of its mail hosts; its domain where that is not known. */
  operator: text,
  holdReason: orNull(text),
  holdUntil: orNull(instant),
  stopReason: orNull(text),
  lastError: orNull(text),
  /** When the last of its invitations was sent. */
  invitedAt: orNull(instant),
  suppression: orNull(text),
  /** Mail of another campaign went to its address within the last day; until when that counts. */
  guardedUntil: orNull(instant),
  /** Leads of its kind that are due and come before it: not those whose own window is shut. */
  ahead: integer,
});

const readOpenSend = rowReader({
  state: typed<SendState>(),
  kind: typed<LaneKind>(),
  step: integer,
  reason: orNull(text),
  slotAt: instant,
});

/** How the last attempt at a text of its next step stands that was made by itself. */
export type LastDraft = ReturnType<typeof readDraft>;
const readDraft = rowReader({
  status: typed<GenerationStatus>(),
  error: orNull(text),
  heldReason: orNull(text),
  at: instant,
});

export type LeadSendInputs = ReturnType<typeof readLeadRow> & {
  /** Its step that is neither finished nor waiting in the queue. */
  open: ReturnType<typeof readOpenSend> | null;
  draft: LastDraft | null;
};

export const readLead = (row: Row): LeadSendInputs => ({
  ...readLeadRow(row),
  open: row["state"] === null ? null : readOpenSend(row),
  draft: row["draft"] === null ? null : readDraft(row["draft"] as Row),
});
