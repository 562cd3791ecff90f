import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Campaign, campaignColumns, type CampaignSet, ownedBy } from "./campaigns.ts";
import { settleStepHoldsStatement } from "./draft-holds.ts";
import { type DelayPiece, settleDelaysStatement } from "./settle-delays.ts";
import { commit, type Db, type Statement } from "../base/client.ts";
import { budgetAt } from "../engine/budgets.ts";
import { lastSenderOn } from "../engine/last-sender.ts";
import { instantParam } from "../base/instants.ts";
import {
  lockCampaignStatement,
  openZonesStatement,
  wakeLanesStatement,
  zoneIn,
} from "../engine/index.ts";
import { campaigns, type LaneKind, type Step } from "../schema/index.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

/**
 * Steps (from 1) of which anything was sent, is being sent or may have been sent. Of messages that have ended (the
 * campaign was over, and runs again) the leads say how far they came; no more can end while the campaign can change.
 */
export async function sentSteps(db: Db, campaignId: string): Promise<Set<number>> {
  const { rows } = await db.execute<{ step: number }>(sql`
    select distinct step from sends where campaign_id = ${campaignId} and ${reachedSomebody}
    union select generate_series(1, max(l.current_step)) from campaign_leads l where l.campaign_id = ${campaignId}`);
  return new Set(rows.map(({ step }) => step));
}

const reachedSomebody = sql`state not in ('released', 'canceled')`;

export interface CampaignChange {
  before: Pick<Campaign, "id" | "workspaceId" | "status" | "configVersion" | "datasetId">;
  set: Omit<CampaignSet, "datasetId" | "steps"> & { datasetId?: string; steps?: Step[] };
  /** Steps that must not have been sent to any lead when the change takes effect. */
  unsentSteps: number[];
  /** Steps whose texts are written anew. */
  rewrittenSteps?: readonly number[];
  /** When leads that wait for steps of another delay than before fall due. */
  delays?: readonly DelayPiece[];
  now: Date;
}

/** Changes the configuration as it was read; undefined when status, configuration or sends moved on meanwhile. */
export async function changeCampaign(
  db: Db,
  change: CampaignChange,
): Promise<Campaign | undefined> {
  const { before, set, unsentSteps, now } = change;
  const version = before.configVersion + 1;
  const update = db
    .update(campaigns)
    .set({ ...set, configVersion: version, updatedAt: now })
    .where(
      and(
        ownedBy(before.workspaceId, before.id),
        eq(campaigns.status, before.status),
        eq(campaigns.configVersion, before.configVersion),
        sql`not exists (
          select 1 from sends s where s.campaign_id = ${before.id}
            and s.step = any(${sql.param(unsentSteps)}::int[]) and s.${reachedSomebody})`,
      ),
    )
    .returning(campaignColumns);
  // The row that this transaction wrote: a change that was overtaken finds the same version, which is another's.
  const changed = sql`campaign.id = ${before.id} and campaign.config_version = ${version} and campaign.xmin = pg_current_xact_id()::xid`;
  const [, , rows] = await commit(db, [
    // A change that wakes no lane and plans no message anew locks none: its senders go on for their other campaigns.
    wakes(change) || plansOthers(change)
      ? lockLanesInUse(db, before.id)
      : db.execute(sql`select 1`),
    lockCampaignStatement(db, before.id),
    update,
    ...consequences(db, change, changed),
  ]);
  return rows[0];
}

/** Whether it changes what follows the messages under way, which is recorded under the lock of their lanes. */
const plansOthers = ({ set }: CampaignChange): boolean =>
  PLANNING.some((field) => set[field] !== undefined);
const PLANNING = ["steps", "unreviewedLaunchPolicy", "timezone", "useLeadTimezone"] as const;

/** Its own lanes, and those of messages under way whose sender it has no more. */
const lockLanesInUse = (db: Db, campaignId: string): Statement =>
  db.execute(sql`
    select lane.id from sender_lanes lane
    where lane.id in (
      select cs.lane_id from campaign_senders cs where cs.campaign_id = ${campaignId}
      union select s.lane_id from sends s where s.campaign_id = ${campaignId} and s.state in ('claimed', 'transmitting', 'unknown'))
    order by lane.id for update`);

const wakes = ({ before }: CampaignChange): boolean => before.status === "active";

/** The statements that a change entails, in its transaction; `changed` is false there if the change did not take place. */
function consequences(db: Db, change: CampaignChange, changed: SQL): Statement[] {
  const { before, set, delays = [], now } = change;
  const at = sql`${now.toISOString()}::timestamptz`;
  const statements: Statement[] = [];
  if (set.datasetId !== undefined && set.datasetId !== before.datasetId) {
    statements.push(
      db.execute(sql`
        delete from campaign_leads l using campaigns campaign
        where ${changed} and l.campaign_id = campaign.id and l.dataset_id = ${before.datasetId} and l.current_step = 0`),
    );
  }
  if (set.steps !== undefined) {
    // Leads that waited for a step which is gone have had all there is.
    statements.push(
      db.execute(sql`
        update campaign_leads l set ${leadEnd({ status: "completed", stopReason: sql`l.stop_reason` }, now)}
        from campaigns campaign
        where ${changed} and l.campaign_id = campaign.id and l.status = 'active' and l.next_step > ${set.steps.length}`),
    );
  }
  if (set.steps !== undefined)
    statements.push(
      settleBudgetsStatement(db, change, changed),
      settleChannelsStatement(db, changed, now),
    );
  if (
    [set.steps, set.unreviewedLaunchPolicy, set.connectedAccountId].some((to) => to !== undefined)
  )
    statements.push(settleStepHoldsStatement(db, changed, now, change.rewrittenSteps));
  if (set.aliasIds !== undefined || set.connectedAccountId !== undefined) {
    const launched = sql`${changed} and campaign.launched_at is not null`;
    statements.push(...senderStatements(db, launched), ...orphansStatements(db, launched, now));
  }
  // A campaign by email has an account at most by name, and its leads none.
  if (set.connectedAccountId !== undefined || set.type !== undefined)
    statements.push(accountOfLeadsStatement(db, changed, now));
  if (set.useLeadTimezone !== undefined) {
    const zone = zoneIn(sql`campaign.use_lead_timezone`, sql`l.timezone`);
    statements.push(
      db.execute(sql`
        update campaign_leads l set zone = ${zone}, updated_at = ${at}
        from campaigns campaign
        where ${changed} and l.campaign_id = campaign.id and l.zone <> ${zone}`),
    );
  }
  const own = { campaignId: before.id, now };
  if (delays.length > 0) statements.push(settleDelaysStatement(db, delays, changed, now));
  if (before.status === "active" && WINDOW.some((field) => set[field] !== undefined))
    statements.push(
      openZonesStatement(db, own, sql`c.config_version = ${before.configVersion + 1}`),
    );
  if (wakes(change)) statements.push(wakeLanesStatement(db, own));
  return statements;
}

/** Leads that wait take from the budget of what their step is now; no step of an email campaign has one. */
function settleBudgetsStatement(db: Db, { set, now }: CampaignChange, changed: SQL): Statement {
  const budget = budgetAt(sql`campaign.steps`, sql`(l.next_step - 1)`);
  const mayHave = set.type === undefined ? sql`campaign.type <> 'email'` : sql`true`;
  return db.execute(sql`
    update campaign_leads l set next_budget = ${budget}, updated_at = ${instantParam(now)}
    from campaigns campaign
    where ${changed} and ${mayHave} and l.campaign_id = campaign.id and l.status in ('pending', 'active')
      and l.next_step is not null and l.next_budget <> ${budget}`);
}

/**
 * Leads under way that wait for a step which is of the other channel now are handed over as the engine hands them over
 * between two steps: to the sender of their last step there, or else to any. In an email campaign there is no other.
 */
function settleChannelsStatement(db: Db, changed: SQL, now: Date): Statement {
  const sender = sql`(${lastSenderOn(sql`place.channel`, sql`l.id`)})`;
  return db.execute(sql`
    with place as materialized (
      select campaign.id as campaign_id, step.no, step.config ->> 'channel' as channel
      from campaigns campaign cross join lateral jsonb_array_elements(campaign.steps) with ordinality step(config, no)
      where ${changed} and campaign.type <> 'email'
    ), handed as materialized (
      select l.id, place.channel, ${sender} as sender
      from place join campaign_leads l on l.campaign_id = place.campaign_id and l.next_step = place.no
      left join sender_lanes own on own.id = l.alias_id
      where l.status = 'active' and coalesce(l.next_channel, own.kind) is distinct from place.channel
    )
    update campaign_leads l
    set alias_id = handed.sender, next_channel = case when handed.sender is null then handed.channel end, updated_at = ${instantParam(now)}
    from handed where l.id = handed.id`);
}

/** The fields that the windows of leads' zones are computed from. */
const WINDOW = [
  "useLeadTimezone",
  "timezone",
  "sendingWindowStart",
  "sendingWindowEnd",
  "sendDays",
] as const;

/**
 * Started leads of a removed sender go on from another: those of an alias spread by a hash of the lead, those of an
 * account from the one that is there, with which no lead is connected yet, whichever channel their next step is of.
 */
export function orphansStatements(db: Db, condition: SQL, now: Date): Statement[] {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isOrphan = (kind: LaneKind) => sql`
    ${condition} and l.campaign_id = campaign.id and l.status = 'active'
      and exists (select 1 from sender_lanes lane where lane.id = l.alias_id and lane.kind = ${kind})`;
  return [
    db.execute(sql`
      update campaign_leads l
      set updated_at = ${at}, alias_id = ${spreadOverAliases(sql`l.id`)}
      from campaigns campaign
      where ${isOrphan("email")} and l.alias_id <> all(coalesce(campaign.alias_ids, '{}'))`),
    db.execute(sql`
      update campaign_leads l set updated_at = ${at}, alias_id = campaign.connected_account_id
      from campaigns campaign
      where ${isOrphan("socialnet")} and l.alias_id <> campaign.connected_account_id
        and exists (select 1 from campaign_senders cs where cs.campaign_id = campaign.id and cs.lane_id = campaign.connected_account_id)`),
  ];
}

/** Leads are asked by the campaign's account, with which nobody is connected yet; those that it has before its launch, too. */
export const accountOfLeadsStatement = (db: Db, condition: SQL, now: Date): Statement =>
  db.execute(sql`
    update campaign_leads l
    set connected_account_id = campaign.connected_account_id, connected_at = null, updated_at = ${instantParam(now)}
    from campaigns campaign
    where ${condition} and campaign.type <> 'email' and l.campaign_id = campaign.id and l.status in ('pending', 'active')
      and l.connected_account_id is distinct from campaign.connected_account_id`);

/** One of the aliases of `campaign`, by a hash of the lead. */
export const spreadOverAliases = (leadId: SQL): SQL => sql`campaign.alias_ids[
  1 + ((hashtextextended(${leadId}::text, 0) & 9223372036854775807) % nullif(cardinality(campaign.alias_ids), 0))::int]`;

/** The senders of `campaign`, in SQL: its aliases, and its account where it has steps on a network. */
const ownSenders = sql`(coalesce(campaign.alias_ids, '{}')
  || case when campaign.type <> 'email' and campaign.connected_account_id is not null then array[campaign.connected_account_id] else '{}' end)`;

/** Makes the lanes of the campaign those of its aliases and its account, where the condition on `campaign` holds. */
export function senderStatements(db: Db, condition: SQL): [Statement, Statement] {
  return [
    db.execute(sql`
      delete from campaign_senders cs using campaigns campaign, sender_lanes lane
      where ${condition} and cs.campaign_id = campaign.id and lane.id = cs.lane_id
        and (lane.kind = 'email' or exists (select 1 from connected_accounts a where a.id = lane.id))
        and cs.lane_id <> all(${ownSenders})`),
    db.execute(sql`
      insert into campaign_senders (campaign_id, lane_id)
      select campaign.id, sender from campaigns campaign cross join lateral unnest(${ownSenders}) sender
      where ${condition}
      on conflict do nothing`),
  ];
}
