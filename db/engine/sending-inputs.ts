import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { type DomainQuota, domainQuotaOf } from "./index.ts";
import { instantParam } from "../base/instants.ts";
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
import { suppressionReason } from "../base/fragments/suppression-reason.ts";
import { addressGuardOf } from "./address-guard.ts";
import { accountColumns, readAccountDay } from "./rollover.ts";
import type { AccountDay } from "./rollovers.ts";
import type {
  AccountState,
  AliasStatus,
  CampaignLeadStatus,
  CampaignRow,
  GenerationStatus,
  LaneKind,
  Ramp,
  SendState,
} from "../schema/index.ts";

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

function readSender(row: Row): SenderInputs {
  const day = readAccountDay(row);
  return {
    ...readSenderColumns(row),
    account: day === null ? null : { ...readAccountColumns(row), day },
  };
}

/** How many leads of the campaign stand where. */
export type QueueInputs = ReturnType<typeof readQueue>;
const readQueue = rowReader({
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
const readZone = rowReader({ zone: text, newDue: integer, followUpDue: integer });

const readLeadRow = rowReader({
  campaignLeadId: from("id", text),
  leadId: text,
  email: orNull(text),
  zone: text,
  status: typed<CampaignLeadStatus>(),
  nextStep: orNull(integer),
  nextActionAt: orNull(instant),
  aliasId: orNull(text),
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

export interface SendingInputs {
  workspaceTimezone: string;
  senders: SenderInputs[];
  queue: QueueInputs;
  /** Of a campaign that goes by its leads' clocks: their zones. */
  zones: ZoneInputs[];
  /** Undefined when not asked for, or not of this campaign. */
  lead: LeadSendInputs | undefined;
}

/** Everything that decides whether a campaign sends now, in one round trip. `leadId` may be a lead's or a campaign lead's id. */
export async function loadSendingInputs(
  db: Db,
  campaign: Pick<
    CampaignRow,
    "id" | "workspaceId" | "aliasIds" | "connectedAccountId" | "useLeadTimezone" | "type"
  >,
  leadId: string | undefined,
  now: Date,
): Promise<SendingInputs> {
  const at = instantParam(now);
  const ended = sql.raw(
    "('completed', 'canceled', 'accepted', 'assumed_sent', 'rejected', 'failed')",
  );
  const results = await commit(db, [
    db.execute<{ timezone: string }>(
      sql`select timezone from workspaces where id = ${campaign.workspaceId}`,
    ),
    db.execute(sql`
      select x.id, x.kind, a.email, a.status, a.last_error, a.daily_limit, a.ramp, a.created_at, coalesce(lane.open, false) as open,
             lane.closed_until, lane.next_slot_at, lane.last_slot_at, lane.min_interval_seconds, coalesce(lane.used, 0) as used, lane.day_cap, lane.day_from, lane.day_until,
             coalesce(lane.connections_used, 0) as connections_used, lane.connection_cap,
             account.display_name, account.status as account_status, account.checkpoint_pending, account.rate_limited_until, account.last_error as account_error, account.notes_refusal,
             ${accountColumns(at)}, ${domainQuotaOf(sql`a.id`, sql`a.domain_id`)} as domain_quota
      from (${sendersOf(campaign)}) x
      left join mail_aliases a on a.id = x.id and a.workspace_id = ${campaign.workspaceId}
      left join connected_accounts account on account.id = x.id and account.workspace_id = ${campaign.workspaceId}
      left join sender_lanes lane on lane.id = x.id
      order by x.n`),
    db.execute(sql`
      select count(*) filter (where due and status = 'pending')::int as new_due,
             count(*) filter (where due and status = 'active')::int as follow_up_due,
             count(*) filter (where due and next_budget = 'connection')::int as connections_due,
             count(*) filter (where due and next_budget = 'message')::int as messages_due,
             count(*) filter (where next_action_at > ${at} and hold_reason is null)::int as waiting,
             count(*) filter (where hold_reason is not null)::int as held,
             count(*) filter (where hold_reason = 'awaiting_draft')::int as awaiting_draft,
             count(*) filter (where hold_reason = 'personalization_review_pending')::int as awaiting_review,
             count(*) filter (where hold_reason = 'awaiting_acceptance')::int as awaiting_acceptance,
             count(*) filter (where hold_reason = 'notes_used_up')::int as awaiting_notes,
             min(hold_until) filter (where hold_reason = 'notes_used_up') as notes_until,
             count(*) filter (where next_action_at is null and status = 'active')::int as in_flight,
             min(next_action_at) filter (where next_action_at > ${at} and hold_reason is null) as next_due_at
      from (select *, next_action_at <= ${at} and hold_reason is null as due from campaign_leads
            where campaign_id = ${campaign.id} and status in ('pending', 'active')) l`),
    db.execute(sql`
      select l.*, open.state, open.kind, open.step, open.reason, open.slot_at, ${suppressionReason(sql`l.workspace_id`, sql`l.email_key`, at)} as suppression, recent.until as guarded_until,
             (select max(s.accepted_at) from sends s join campaigns c on c.id = s.campaign_id
              where s.campaign_lead_id = l.id and s.state in ('accepted', 'assumed_sent')
                and c.steps -> (s.step - 1) @> '{"action_type": "connection_request"}') as invited_at,
             (select jsonb_build_object('status', g.status, 'error', g.error, 'held_reason', g.held_reason, 'at', g.created_at) from generations g
              where g.campaign_lead_id = l.id and g.step = l.next_step and g.kind = 'send_time'
              order by g.created_at desc limit 1) as draft,
             (select count(*)::int from campaign_leads o
              where o.campaign_id = l.campaign_id and o.status = l.status and o.hold_reason is null and o.next_action_at <= ${at}
                and (l.status = 'pending' or o.alias_id = l.alias_id)
                and (o.zone = l.zone or exists (select 1 from campaign_zones z where z.campaign_id = o.campaign_id and z.zone = o.zone
                       and z.open_from <= ${at} and z.open_until > ${at}))
                and (o.next_action_at, o.row_index) < (l.next_action_at, l.row_index)) as ahead
      from campaign_leads l
      left join lateral (select s.*, lane.kind from sends s join sender_lanes lane on lane.id = s.lane_id where s.campaign_lead_id = l.id and s.state not in ${ended}
                         order by s.step desc limit 1) open on true
      left join lateral ${addressGuardOf(sql`l`, at)} recent on true
      where l.campaign_id = ${campaign.id} and (l.id = ${leadId ?? null}::uuid or l.lead_id = ${leadId ?? null}::uuid)`),
    db.execute(sql`
      select l.zone, count(*) filter (where due and status = 'pending')::int as new_due, count(*) filter (where due and status = 'active')::int as follow_up_due
      from (select *, next_action_at <= ${at} and hold_reason is null as due from campaign_leads
            where campaign_id = ${campaign.id} and status in ('pending', 'active') and ${campaign.useLeadTimezone}) l
      group by 1 order by 1`),
  ]);
  const [workspace, senders, queue, lead, zones] = results;
  return {
    workspaceTimezone: workspace.rows[0]!.timezone,
    senders: senders.rows.map(readSender),
    queue: readQueue(queue.rows[0]!),
    zones: zones.rows.map(readZone),
    lead: lead.rows[0] && readLead(lead.rows[0]),
  };
}

/** Its aliases in their order, then its account. */
const sendersOf = ({
  type,
  aliasIds,
  connectedAccountId,
}: Pick<CampaignRow, "type" | "aliasIds" | "connectedAccountId">): SQL => sql`
  select id, n, 'email' as kind from unnest(${sql.param(type === "socialnet" ? [] : (aliasIds ?? []))}::uuid[]) with ordinality alias(id, n)
  union all
  select ${type === "email" ? null : connectedAccountId}::uuid, 1000, 'socialnet' where ${type !== "email" && connectedAccountId !== null}`;

const readLead = (row: Row): LeadSendInputs => ({
  ...readLeadRow(row),
  open: row["state"] === null ? null : readOpenSend(row),
  draft: row["draft"] === null ? null : readDraft(row["draft"] as Row),
});
