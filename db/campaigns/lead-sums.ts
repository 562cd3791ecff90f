import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";

/** Sums and changes, as their index has them. */
const ofCampaign = (id: SQL): SQL => sql`x.is_sum = any('{true, false}') and x.campaign_id = ${id}`;

/**
 * How many leads of a campaign have ended. The sums and what is not folded in yet are rows of one table, and so of one
 * instant within a statement; of a campaign of before there were sums the leads are counted. A read is planned each time:
 * this is one table more to plan, and takes as long as the count of a campaign of a hundred leads.
 */
export const endedLeads = (campaignId: SQL): SQL<number> => sql`(
  select case when bool_or(x.status is null)
    then (select coalesce(sum(l.leads), 0) from counted_leads(${campaignId}) l where l.status not in ('pending', 'active'))
    else coalesce(sum(x.leads) filter (where x.status not in ('pending', 'active')), 0) end::int
  from campaign_lead_sums x where ${ofCampaign(campaignId)})`;

/** The leads of a campaign as rows (status, leads, held) of which several may have one status. */
export const leadSumRows = (campaignId: SQL): SQL => {
  const isToCount = sql`exists (select from kept where kept.status is null)`;
  return sql`
  with kept as materialized (
    select x.status, x.leads, x.held from campaign_lead_sums x where ${ofCampaign(campaignId)}
  )
  select kept.status, kept.leads, kept.held from kept where not ${isToCount}
  union all
  select l.status, l.leads, l.held from counted_leads(${campaignId}) l where ${isToCount}`;
};

/** Takes at most so many changes into the sums (`fold-sums.ts`). */
export const foldLeadsStatement = (db: Db, limit: number) =>
  db.execute<{ count: number }>(sql`
    with free as materialized (
      select d.ctid from campaign_lead_sums d
      where not d.is_sum and d.status is not null
        and not exists (select from campaign_lead_sums t where not t.is_sum and t.status is null and t.campaign_id = d.campaign_id)
      limit ${limit} for update of d skip locked
    ), taken as materialized (
      delete from campaign_lead_sums where ctid = any(array(select free.ctid from free)) returning *
    ), folded as (
      insert into campaign_lead_sums as x (campaign_id, status, leads, held, is_sum)
      select campaign_id, status, sum(leads), sum(held), true from taken group by 1, 2 order by 1, 2
      on conflict (campaign_id, status) where is_sum do update set leads = x.leads + excluded.leads, held = x.held + excluded.held
    )
    select count(*)::int as count from taken`);

/** Campaigns of before there were sums of leads. */
export async function campaignsToCount(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ campaign_id: string }>(
    sql`select campaign_id from campaign_lead_sums where not is_sum and status is null limit ${limit}`,
  );
  return rows.map(({ campaign_id: id }) => id);
}

/**
 * Makes the first sums of a campaign, of its leads as they are at one instant: changes until then are in them, later ones
 * are rows beside them. Of two at once the second finds it done.
 */
export async function countCampaign(db: Db, campaignId: string): Promise<void> {
  await db.execute(sql`
    with mine as materialized (
      delete from campaign_lead_sums where campaign_id = ${campaignId}::uuid and status is null returning campaign_id
    ), contained as (
      delete from campaign_lead_sums d using mine where d.campaign_id = mine.campaign_id and d.status is not null
    )
    insert into campaign_lead_sums (campaign_id, status, leads, held, is_sum)
    select mine.campaign_id, l.status, l.leads, l.held, true
    from mine cross join lateral counted_leads(mine.campaign_id) l`);
}
