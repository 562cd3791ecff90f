import { and, asc, eq, inArray, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { senderStatements } from "./change.ts";
import type { Campaign } from "./campaigns.ts";
import { settleStepHoldsStatement } from "./draft-holds.ts";
import { commit, type Db } from "../base/client.ts";
import { budgetAt } from "../engine/budgets.ts";
import { draftHoldAt } from "../engine/draft-hold.ts";
import { holdDatasets } from "../base/fragments/hold-datasets.ts";
import { instantParam } from "../base/instants.ts";
import {
  countersOf,
  type DaySpan,
  openZonesStatement,
  wakeLanesStatement,
  zoneIn,
} from "../engine/index.ts";
import { type CampaignRow, campaigns } from "../schema/index.ts";
import { campaignLeadId, unusableReason } from "../base/fragments/campaign-lead.ts";
import { type Move, moveStatement } from "./state.ts";
import { transition } from "../base/fragments/transitions.ts";

export interface LaunchAttempt {
  campaignId: string;
  /** A message of another attempt finds nothing to do. */
  jobId: string;
  now: Date;
}

/** Columns of a campaign lead that comes into being, in the order of `newLeadValues`. */
export const newLeadColumns = sql`(id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, profile_url,
  connected_account_id, timezone, zone, status, current_step, next_step, next_budget, next_action_at, hold_reason, stop_reason, metadata, created_at, updated_at)`;

/**
 * The select list of a new campaign lead, over `lead` with its `reason` (null: usable); `budget`: from which step 1 takes;
 * `hold`: what it waits for before.
 */
export const newLeadValues = (
  campaignId: SQL,
  usesLeadTimezone: SQL,
  nextActionAt: SQL,
  now: Date,
  budget: SQL,
  hold: SQL = sql`null::text`,
): SQL => sql`
  ${campaignLeadId(campaignId, sql`lead.id`)}, lead.workspace_id, ${campaignId}, lead.id, lead.dataset_id, lead.row_index,
  lead.email, lead.email_key, lead.profile_url,
  (select own.connected_account_id from campaigns own where own.id = ${campaignId} and own.type <> 'email'), lead.timezone, ${zoneIn(usesLeadTimezone, sql`lead.timezone`)},
  case when lead.reason is null then 'pending' else 'skipped' end, 0,
  case when lead.reason is null then 1 end, ${budget}, case when lead.reason is null then ${nextActionAt} end, case when lead.reason is null then ${hold} end,
  lead.reason, '{}'::jsonb,
  ${instantParam(now)}, ${instantParam(now)}`;

export interface Chunk {
  /** False when the campaign is no longer launching by this job. */
  owned: boolean;
  /** Rows of the dataset that were read; fewer than the limit means that it is through. */
  read: number;
}

/**
 * Makes campaign leads of the dataset's next rows and moves the cursor past
 * them, in one statement after the dataset's lock: if a worker dies between two chunks, the next run goes
 * on exactly there. The campaign's row lock serialises two runs.
 */
export async function materialiseChunk(
  db: Db,
  { campaignId, jobId, now }: LaunchAttempt,
  limit: number,
): Promise<Chunk> {
  const make = db.execute<{ owned: number; read: number }>(sql`
    with campaign as (
      select c.id, c.type, c.use_lead_timezone, c.dataset_id, c.launch_cursor, c.launch_requested_at, ${draftHoldAt(sql`0`)} as first_hold, ${budgetAt(sql`c.steps`, sql`0`)} as first_budget
      from campaigns c
      where c.id = ${campaignId} and c.status = 'launching' and c.launch_job_id = ${jobId} and c.deleted_at is null
      for update
    ), chunk as (
      select lead.*, ${unusableReason(sql`campaign.type`, now)} as reason
      from campaign cross join lateral (
        select l.* from leads l
        where l.dataset_id = campaign.dataset_id and l.row_index > campaign.launch_cursor
        order by l.row_index limit ${limit}
      ) lead
    ), made as (
      insert into campaign_leads ${newLeadColumns}
      select ${newLeadValues(
        sql`campaign.id`,
        sql`campaign.use_lead_timezone`,
        sql`date_trunc('second', campaign.launch_requested_at)`,
        now,
        sql`campaign.first_budget`,
        sql`campaign.first_hold`,
      )}
      from campaign cross join chunk lead
      order by lead.row_index
      on conflict do nothing
    ), moved as (
      update campaigns set launch_cursor = last.row_index, updated_at = ${instantParam(now)}
      from (select max(row_index) as row_index from chunk) last
      where campaigns.id = (select id from campaign) and last.row_index is not null
    )
    select (select count(*) from campaign)::int as owned, (select count(*) from chunk)::int as read`);
  const dataset = sql`select c.dataset_id from campaigns c where c.id = ${campaignId}`;
  const [, { rows }] = await commit(db, [holdDatasets(db, dataset), make]);
  const { owned, read } = rows[0]!;
  return { owned: owned > 0, read };
}

export interface Activation extends LaunchAttempt {
  campaign: Move["campaign"];
  window: { openFrom: Date; openUntil: Date; day: string };
  /** The calendar day on which the window opens. */
  day: DaySpan;
  /** When step 1 falls due. */
  firstActionAt: Date;
  /** Step 1 waits: the leads, made due at once, are moved to `firstActionAt`. */
  delayed: boolean;
  /** A model writes some of its texts: leads that it had before the launch begin to wait for theirs. */
  drafted: boolean;
}

/** Lets the launch take effect, in one transaction; undefined if it is not this job's any more, or no lead is usable. */
export async function activateCampaign(db: Db, order: Activation): Promise<Campaign | undefined> {
  const { campaign, jobId, now, window } = order;
  const update = moveStatement(db, {
    campaign,
    trigger: "activate",
    set: {
      launchedAt: now,
      launchError: null,
      totalLeads: sql`(select count(*)::int from campaign_leads l where l.campaign_id = campaigns.id)`,
      openFrom: window.openFrom,
      openUntil: window.openUntil,
      openDay: window.day,
      ...countersOf(campaign.id, order.day),
    },
    expect: { launchJobId: jobId },
    where: sql`exists (select 1 from campaign_leads l where l.campaign_id = campaigns.id and l.status in ('pending', 'active'))`,
    now,
  });
  const activated = sql`campaign.id = ${campaign.id} and campaign.status = 'active'
    and campaign.launch_job_id = ${jobId} and campaign.launched_at = ${instantParam(now)}`;
  const makeDue = db.execute(sql`
    update campaign_leads l set next_action_at = ${instantParam(order.firstActionAt)}, updated_at = ${instantParam(now)}
    from campaigns campaign
    where ${activated} and l.campaign_id = campaign.id and l.status = 'pending' and l.current_step = 0
      and (l.next_action_at is null or ${order.delayed})`);
  const [rows] = await commit(db, [
    update,
    makeDue,
    ...(order.drafted ? [settleStepHoldsStatement(db, activated, now)] : []),
    ...senderStatements(db, activated),
    openZonesStatement(db, { campaignId: campaign.id, now }),
    wakeLanesStatement(db, { campaignId: campaign.id, now }),
  ]);
  return rows[0];
}

/** Ends the launch of this job, if it is still its own. */
export async function failLaunch(
  db: Db,
  { campaignId, jobId, now }: LaunchAttempt,
  launchError: string,
): Promise<boolean> {
  const set = sql`launch_error = ${launchError}, updated_at = ${instantParam(now)}`;
  const { rows } = await db.execute(sql`
    ${transition("fail_launch", set)} and c.id = ${campaignId} and c.launch_job_id = ${jobId} returning c.id`);
  return rows.length > 0;
}

/** Launches whose message seems lost: launching without progress since, or scheduled for an instant that is past. */
export async function stalledLaunches(db: Db, since: Date, limit: number): Promise<CampaignRow[]> {
  return db
    .select()
    .from(campaigns)
    .where(
      and(
        isNull(campaigns.deletedAt),
        inArray(campaigns.status, ["launching", "scheduled"]),
        lt(campaigns.updatedAt, since),
        or(eq(campaigns.status, "launching"), lte(campaigns.startDate, since)),
      ),
    )
    .orderBy(asc(campaigns.updatedAt))
    .limit(limit);
}
