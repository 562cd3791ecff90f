import { sql } from "drizzle-orm";
import type { CampaignRow } from "../campaigns/campaigns.ts";
import { commit, type Db } from "../client.ts";
import { type DomainShare, domainShareOf } from "../engine.ts";
import { instantParam, readInstant, readOptionalInstant } from "../instants.ts";
import { suppressionReason } from "../suppression-reason.ts";
import { addressGuardOf } from "./address-guard.ts";
import type { AliasStatus, CampaignLeadStatus, Ramp, SendState } from "../schema/index.ts";

/** A sender of a campaign and its lane as they are now. */
export interface SenderFacts {
  aliasId: string;
  /** Null when the alias is gone. */
  email: string | null;
  aliasStatus: AliasStatus | null;
  lastError: string | null;
  open: boolean;
  closedUntil: Date | null;
  nextSlotAt: Date | null;
  lastSlotAt: Date | null;
  minIntervalSeconds: number | null;
  used: number;
  dayCap: number;
  dayFrom: Date | null;
  dayUntil: Date | null;
  /** Null where its domain has no daily limit. */
  domainShare: DomainShare | null;
  dailyLimit: number;
  ramp: Ramp | null;
  createdAt: Date | null;
}

/** How many leads of the campaign stand where. */
export interface QueueFacts {
  /** Never started, and due. */
  newDue: number;
  /** Started, their next step due. */
  followUpDue: number;
  waiting: number;
  held: number;
  inFlight: number;
  /** When the first of the waiting falls due. */
  nextDueAt: Date | null;
}

export interface LeadSendFacts {
  campaignLeadId: string;
  leadId: string;
  email: string | null;
  status: CampaignLeadStatus;
  nextStep: number | null;
  nextActionAt: Date | null;
  aliasId: string | null;
  holdReason: string | null;
  holdUntil: Date | null;
  stopReason: string | null;
  /** Its step that is neither finished nor waiting in the queue. */
  open: { state: SendState; step: number; reason: string | null; slotAt: Date } | null;
  suppression: string | null;
  /** Mail of another campaign went to its address within the last day; until when that counts. */
  guardedUntil: Date | null;
  /** Leads of its kind that are due and come before it. */
  ahead: number;
}

export interface SendingFacts {
  workspaceTimezone: string;
  senders: SenderFacts[];
  queue: QueueFacts;
  /** Undefined when not asked for, or not of this campaign. */
  lead: LeadSendFacts | undefined;
}

/** Everything that decides whether a campaign sends now, in one round trip. `leadId` may be a lead's or a campaign lead's id. */
export async function loadSendingFacts(
  db: Db,
  campaign: Pick<CampaignRow, "id" | "workspaceId" | "aliasIds">,
  leadId: string | undefined,
  now: Date,
): Promise<SendingFacts> {
  const at = instantParam(now);
  const ended = sql.raw(
    "('completed', 'canceled', 'accepted', 'assumed_sent', 'rejected', 'failed')",
  );
  const results = await commit(db, [
    db.execute(sql`select timezone from workspaces where id = ${campaign.workspaceId}`),
    db.execute(sql`
      select x.id, a.email, a.status, a.last_error, a.daily_limit, a.ramp, a.created_at, coalesce(lane.open, false) as open,
             lane.closed_until, lane.next_slot_at, lane.last_slot_at, lane.min_interval_seconds, coalesce(lane.used, 0) as used, lane.day_cap, lane.day_from, lane.day_until,
             ${domainShareOf(sql`a.id`, sql`a.domain_id`)} as domain_share
      from unnest(${sql.param(campaign.aliasIds ?? [])}::uuid[]) with ordinality x(id, n)
      left join mail_aliases a on a.id = x.id and a.workspace_id = ${campaign.workspaceId}
      left join sender_lanes lane on lane.id = x.id
      order by x.n`),
    db.execute(sql`
      select count(*) filter (where due and status = 'pending')::int as new_due,
             count(*) filter (where due and status = 'active')::int as follow_up_due,
             count(*) filter (where next_action_at > ${at} and hold_reason is null)::int as waiting,
             count(*) filter (where hold_reason is not null)::int as held,
             count(*) filter (where next_action_at is null and status = 'active')::int as in_flight,
             min(next_action_at) filter (where next_action_at > ${at} and hold_reason is null) as next_due_at
      from (select *, next_action_at <= ${at} and hold_reason is null as due from campaign_leads
            where campaign_id = ${campaign.id} and status in ('pending', 'active')) l`),
    db.execute(sql`
      select l.*, open.state, open.step, open.reason, open.slot_at, ${suppressionReason(sql`l.workspace_id`, sql`l.email_key`, at)} as suppression, recent.until as guarded_until,
             (select count(*)::int from campaign_leads o
              where o.campaign_id = l.campaign_id and o.status = l.status and o.hold_reason is null and o.next_action_at <= ${at}
                and (l.status = 'pending' or o.alias_id = l.alias_id)
                and (o.next_action_at, o.row_index) < (l.next_action_at, l.row_index)) as ahead
      from campaign_leads l
      left join lateral (select * from sends s where s.campaign_lead_id = l.id and s.state not in ${ended}
                         order by s.step desc limit 1) open on true
      left join lateral ${addressGuardOf(sql`l`, at)} recent on true
      where l.campaign_id = ${campaign.id} and (l.id = ${leadId ?? null}::uuid or l.lead_id = ${leadId ?? null}::uuid)`),
  ]);
  const [workspace, senders, queue, lead] = results.map(
    (result) => (result as { rows: Record<string, unknown>[] }).rows,
  );
  return {
    workspaceTimezone: workspace![0]!["timezone"] as string,
    senders: senders!.map(readSender),
    queue: readQueue(queue![0]!),
    lead: lead![0] && readLead(lead![0]),
  };
}

const readSender = (row: Record<string, unknown>): SenderFacts => ({
  aliasId: row["id"] as string,
  email: row["email"] as string | null,
  aliasStatus: row["status"] as AliasStatus | null,
  lastError: row["last_error"] as string | null,
  open: row["open"] as boolean,
  closedUntil: readOptionalInstant(row["closed_until"]),
  nextSlotAt: readOptionalInstant(row["next_slot_at"]),
  lastSlotAt: readOptionalInstant(row["last_slot_at"]),
  minIntervalSeconds: row["min_interval_seconds"] as number | null,
  used: Number(row["used"]),
  dayCap: Number(row["day_cap"] ?? 0),
  dayFrom: readOptionalInstant(row["day_from"]),
  dayUntil: readOptionalInstant(row["day_until"]),
  domainShare: row["domain_share"] as DomainShare | null,
  dailyLimit: Number(row["daily_limit"] ?? 0),
  ramp: row["ramp"] as Ramp | null,
  createdAt: readOptionalInstant(row["created_at"]),
});

const readQueue = (row: Record<string, unknown>): QueueFacts => ({
  newDue: Number(row["new_due"]),
  followUpDue: Number(row["follow_up_due"]),
  waiting: Number(row["waiting"]),
  held: Number(row["held"]),
  inFlight: Number(row["in_flight"]),
  nextDueAt: readOptionalInstant(row["next_due_at"]),
});

const readLead = (row: Record<string, unknown>): LeadSendFacts => ({
  campaignLeadId: row["id"] as string,
  leadId: row["lead_id"] as string,
  email: row["email"] as string | null,
  status: row["status"] as CampaignLeadStatus,
  nextStep: row["next_step"] as number | null,
  nextActionAt: readOptionalInstant(row["next_action_at"]),
  aliasId: row["alias_id"] as string | null,
  holdReason: row["hold_reason"] as string | null,
  holdUntil: readOptionalInstant(row["hold_until"]),
  stopReason: row["stop_reason"] as string | null,
  open:
    row["state"] === null
      ? null
      : {
          state: row["state"] as SendState,
          step: Number(row["step"]),
          reason: row["reason"] as string | null,
          slotAt: readInstant(row["slot_at"]),
        },
  suppression: row["suppression"] as string | null,
  guardedUntil: readOptionalInstant(row["guarded_until"]),
  ahead: Number(row["ahead"]),
});
