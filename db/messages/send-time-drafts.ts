import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { OPEN } from "./generations.ts";
import { instantParam } from "../base/instants.ts";
import { isInUseHere } from "../base/moving.ts";
import { integer, orNull, rowReader, text } from "../base/rows.ts";

/** Drafts that the prefetch requests for steps that are due soon. */

export interface PrefetchOrder {
  now: Date;
  /** What can be needed until then is written now. */
  until: Date;
  /** New leads of a campaign whose texts are always to be there or requested, however few its senders can serve. */
  newLeadsAtLeast: number;
  newLeadsAtMost: number;
  /** A failed lead is tried again if its last try was before this. */
  triedBefore: Date;
  /** So often within a day a step's text is tried for one lead. */
  triesADay: number;
}

const readCampaign = rowReader({
  id: text,
  workspaceId: text,
  userId: text,
  systemPrompt: orNull(text),
  creditsAvailable: integer,
});
export type PrefetchCampaign = ReturnType<typeof readCampaign>;

const lead = sql`l.hold_reason = 'awaiting_draft' and l.campaign_id = c.id`;

/**
 * Excludes a lead whose text is being written, was tried a moment ago, or too often. A resume resets the count.
 */
const isOpen = sql`g.${OPEN}`;
const mayBeTried = (order: PrefetchOrder): SQL => sql`not exists (
    select 1 from generations g where g.campaign_lead_id = l.id and g.step = l.next_step and g.kind = 'send_time'
      and (${isOpen} or g.updated_at > greatest(${instantParam(order.triedBefore)}, c.guard_since)))
  and (select count(*) from generations g where g.campaign_lead_id = l.id and g.step = l.next_step and g.kind = 'send_time'
      and g.created_at > greatest(${instantParam(order.now)} - interval '1 day', c.guard_since)) < ${order.triesADay}`;

/** Started leads whose next text is needed within the time, the first due first. */
const followUps = (order: PrefetchOrder, limit: SQL): SQL => sql`
  select l.id, l.lead_id, l.dataset_id, l.row_index, l.next_step as step from campaign_leads l
  where ${lead} and l.status = 'active' and l.next_action_at <= ${instantParam(order.until)} and ${mayBeTried(order)}
  order by l.next_action_at, l.row_index limit ${limit}`;

/** New leads in the order in which they will be served. */
const newLeads = (order: PrefetchOrder, limit: SQL): SQL => sql`
  select l.id, l.lead_id, l.dataset_id, l.row_index, l.next_step as step from campaign_leads l
  where ${lead} and l.status = 'pending' and c.status = 'active' and l.next_action_at <= ${instantParam(order.until)} and ${mayBeTried(order)}
  order by l.next_action_at, l.row_index limit ${limit}`;

/** How many messages the senders of campaign `c` can send in the time, by their intervals and the rest of their day. */
const capacity = ({ now, until }: PrefetchOrder): SQL => {
  const at = instantParam(now);
  const seconds = (until.getTime() - now.getTime()) / 1000;
  return sql`least(c.daily_limit - c.used, c.max_new_leads_per_day - c.used_new, (
    select coalesce(sum(greatest(0, least(
      case when lane.day_until > ${at} then lane.day_cap - lane.used else lane.day_cap end,
      1 + ${seconds}::int / greatest(c.min_interval_seconds, lane.min_interval_seconds, 1)))), 0)
    from campaign_senders cs join sender_lanes lane on lane.id = cs.lane_id
    where cs.campaign_id = c.id and lane.open and lane.kind = 'email'))`;
};

/** New leads of campaign `c` with a text, and those whose text is being written; counted up to the order's number at most. */
const provided = ({ newLeadsAtMost }: PrefetchOrder): SQL => sql`((
    select count(*) from (select 1 from campaign_leads l
      where l.campaign_id = c.id and l.status = 'pending' and l.next_action_at is not null and l.hold_reason is null
      limit ${newLeadsAtMost}) ready
  ) + (
    select count(*) from (select 1 from generations g
      where g.campaign_id = c.id and g.kind = 'send_time' and g.generated_at is null and ${isOpen} and g.step = 1
      limit ${newLeadsAtMost}) open))`;

/** New leads of campaign `c` whose texts are to be there: as many as can be served in the time, and a few at least. */
const wanted = (order: PrefetchOrder): SQL =>
  sql`least(${order.newLeadsAtMost}, greatest(${order.newLeadsAtLeast}, ${capacity(order)}))`;

/**
 * Running campaigns that are open within the time and lack texts for it. One index probe for each campaign with a
 * waiting lead, however many wait there.
 */
export async function campaignsLackingDrafts(
  db: Db,
  order: PrefetchOrder,
  limit: number,
): Promise<PrefetchCampaign[]> {
  const next = (than: string) =>
    sql.raw(
      `select l.campaign_id from campaign_leads l where l.hold_reason = 'awaiting_draft' and ${than} order by l.campaign_id limit 1`,
    );
  const { rows } = await db.execute(sql`
    with recursive waiting as (
      (${next("true")})
      union all
      select (${next("l.campaign_id > waiting.campaign_id")}) from waiting where waiting.campaign_id is not null
    ), campaign as materialized (
      select c.*, ${wanted(order)} - ${provided(order)} as lacking
      from waiting join campaigns c on c.id = waiting.campaign_id
      where c.status in ('active', 'draining') and c.deleted_at is null and c.unreviewed_launch_policy <> 'hold'
        and c.open_from <= ${instantParam(order.until)} and ${isInUseHere(sql`c.workspace_id`)}
    )
    select c.id, c.workspace_id, c.user_id, c.system_prompt,
           coalesce(balance.available, 0) as credits_available
    from campaign c
    cross join lateral (select exists (${followUps(order, sql`1`)}) as has_follow_ups) due
    left join credit_balances balance on balance.workspace_id = c.workspace_id
    where due.has_follow_ups or (c.lacking > 0 and exists (${newLeads(order, sql`1`)}))
    order by c.id limit ${limit}`);
  return rows.map(readCampaign);
}

const readLead = rowReader({
  id: text,
  leadId: text,
  datasetId: text,
  rowIndex: integer,
  step: integer,
});
export type LeadToWriteFor = ReturnType<typeof readLead>;

/** The leads whose texts are written next: follow-ups, then as many new leads as lack one. */
export async function leadsToWriteFor(
  db: Db,
  campaign: Pick<PrefetchCampaign, "id">,
  order: PrefetchOrder,
  limit: number,
): Promise<LeadToWriteFor[]> {
  const { rows } = await db.execute(sql`
    with c as materialized (
      select c.*, greatest(0, ${wanted(order)} - ${provided(order)}) as lacking from campaigns c where c.id = ${campaign.id}
    )
    select * from (
      select x.*, 1 as kind from c cross join lateral (${followUps(order, sql`${limit}`)}) x
      union all
      select x.*, 2 from c cross join lateral (${newLeads(order, sql`least(${limit}, c.lacking)`)}) x
    ) both_kinds order by kind limit ${limit}`);
  return rows.map(readLead);
}

export interface NewSendTimeDraft extends LeadToWriteFor {
  generationId: string;
}

/** Generations for a campaign; a lead that another worker requested meanwhile has its text written once. */
export function insertSendTimeDraftsStatement(
  db: Db,
  { id, workspaceId, userId }: Pick<PrefetchCampaign, "id" | "workspaceId" | "userId">,
  {
    drafts,
    promptVersionHash,
    now,
  }: { drafts: readonly NewSendTimeDraft[]; promptVersionHash: string; now: Date },
): Statement {
  const at = instantParam(now);
  const records = drafts.map((draft) => ({
    id: draft.generationId,
    campaign_lead_id: draft.id,
    dataset_id: draft.datasetId,
    lead_id: draft.leadId,
    row_index: draft.rowIndex,
    step: draft.step,
  }));
  return db.execute(sql`
    insert into generations
      (id, workspace_id, user_id, created_at, updated_at, kind, campaign_id, step, campaign_lead_id, dataset_id, lead_id, row_index,
       lead_index, prompt_version_hash, status, attempts, due_at)
    select r.id, ${workspaceId}::uuid, ${userId}::uuid, ${at}, ${at}, 'send_time', ${id}::uuid, r.step, r.campaign_lead_id, r.dataset_id,
      r.lead_id, r.row_index, 0, ${promptVersionHash}, 'pending', 0, ${at}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, campaign_lead_id uuid, dataset_id uuid,
      lead_id uuid, row_index int, step int)
    on conflict do nothing`);
}
