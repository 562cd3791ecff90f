import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { foldLeadsStatement } from "./lead-sums.ts";
import { COUNTERS, countedRows, keyedRows, SUM_COLUMNS } from "./sums.ts";

const ADDED = sql.raw(COUNTERS.map((name) => `${name} = x.${name} + excluded.${name}`).join(", "));

/**
 * Takes at most so many deltas of messages and as many of leads into the sums; answers how many it took of those of which
 * it took more. Of two at once each takes its own. What reads the sums in one statement sees a delta either by itself or
 * folded in.
 */
export async function foldDeltas(db: Db, limit: number): Promise<number> {
  const folded = await commit(db, [foldSendsStatement(db, limit), foldLeadsStatement(db, limit)]);
  return Math.max(...folded.map(({ rows }) => rows[0]!.count));
}

const foldSendsStatement = (db: Db, limit: number) =>
  db.execute<{ count: number }>(sql`
    with free as materialized (
      select d.ctid from send_deltas d
      where not exists (select from campaigns_to_sum t where t.campaign_id = d.campaign_id)
      limit ${limit} for update of d skip locked
    ), taken as materialized (
      delete from send_deltas where ctid = any(array(select free.ctid from free)) returning *
    ), folded as (
      insert into campaign_sums as x (${SUM_COLUMNS})
      ${keyedRows(sql`taken`, sql`join campaigns c on c.id = d.campaign_id`)}
      on conflict (campaign_id, by, key) do update set ${ADDED}
    )
    select count(*)::int as count from taken`);

/** Campaigns of before there were sums. */
export async function campaignsToSum(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ campaign_id: string }>(
    sql`select campaign_id from campaigns_to_sum limit ${limit}`,
  );
  return rows.map(({ campaign_id: id }) => id);
}

/**
 * Makes the first sums of a campaign, of its messages as they are at one instant: changes until then are in them, later
 * ones are deltas. Meanwhile its first opens and clicks wait, and nothing else does.
 */
export async function sumCampaign(db: Db, campaignId: string): Promise<void> {
  const id = sql`${campaignId}::uuid`;
  const open = sql`(select t.campaign_id from campaigns_to_sum t where t.campaign_id = ${id})`;
  await commit(db, [
    db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${campaignId}::text || ':sums', 0))`,
    ),
    db.execute(sql`
      with counted as materialized (${countedRows(sql`array[${id}]`)}),
      contained as (delete from send_deltas where campaign_id in ${open}),
      summed as (
        insert into campaign_sums (${SUM_COLUMNS}) ${keyedRows(sql`counted`, sql`join campaigns c on c.id = d.campaign_id`)}
      ), hit as (
        insert into campaign_lead_hits (campaign_lead_id, campaign_id, opened, clicked)
        select s.campaign_lead_id, s.campaign_id, count(*) filter (where s.opens > 0), count(*) filter (where s.clicks > 0)
        from sends s where s.campaign_id in ${open} and (s.opens > 0 or s.clicks > 0) group by 1, 2
        on conflict (campaign_lead_id) do update set opened = excluded.opened, clicked = excluded.clicked
      )
      delete from campaigns_to_sum where campaign_id = ${id}`),
  ]);
}
