import { type SQL, sql } from "drizzle-orm";
import { canTake, transition } from "../base/fragments/transitions.ts";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { rowReader, text, typed } from "../base/rows.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

/** A drain skips no more leads than this in one statement: 300,000 took 34 s, with the campaign's row locked. */
export const SKIPPED_AT_ONCE = 5_000;

/** Whether campaign `c` has a lead of this status. */
const hasLead = (status: "pending" | "active"): SQL =>
  sql`exists (select 1 from campaign_leads l where l.campaign_id = c.id and l.status = ${sql.raw(`'${status}'`)})`;

/** Campaign `c` has no active lead, and no pending one but those that a drain skips. */
const isIdle = sql`c.${canTake("complete")} and c.deleted_at is null
  and not ${hasLead("active")} and (c.status = 'draining' or not ${hasLead("pending")})`;

const skip = (now: Date): SQL => sql`
  update campaign_leads l set ${leadEnd({ status: "skipped", stopReason: "campaign_drained" }, now)}`;

/**
 * Ends running campaigns without a lead left to act on. While draining, leads
 * that were never started become skipped; where they are too many the campaign
 * stays as it is (`drained`). One that was given leads, or of which a lead goes on,
 * since it was read is another version of its row (Postgres's `xmin`) once that is
 * free. It stays as it is, too (`changed`), and has to be looked at again: whatever
 * else may have changed it, no campaign is left running that has nothing to do.
 */
export function completeStatement(now: Date, campaignIds: SQL): SQL {
  const at = instantParam(now);
  return sql`
  with idle as materialized (
    select c.id, c.xmin as version, (
      select count(*) from (
        select 1 from campaign_leads l where l.campaign_id = c.id and l.status = 'pending' limit ${SKIPPED_AT_ONCE + 1}) p
      ) as waiting
    from campaigns c where c.id = any(${campaignIds}) and ${isIdle}
  ), finished as (
    ${transition("complete", sql`updated_at = ${at}`, sql`from idle`)} and c.id = idle.id
      and c.xmin = idle.version and idle.waiting <= ${SKIPPED_AT_ONCE}
    returning c.id
  ), skipped as (
    ${skip(now)} where l.campaign_id = any(array(select finished.id from finished)) and l.status = 'pending'
  )
  select idle.id, case when finished.id is not null then 'completed' when idle.waiting > ${SKIPPED_AT_ONCE} then 'drained' else 'changed' end as became
  from idle left join finished on finished.id = idle.id`;
}

export const readFinish = rowReader({
  id: text,
  became: typed<"completed" | "drained" | "changed">(),
});

/**
 * Skips some of the leads that a drained campaign never started; none unless it drains
 * and has no active lead. The campaign's row lock serialises two callers.
 * By arrays of ids: the planner never joins those by reading the table once for each.
 */
export async function skipUnstarted(db: Db, campaignId: string, now: Date): Promise<void> {
  const at = instantParam(now);
  await db.execute(sql`
  with drained as materialized (
    select c.id from campaigns c where c.id = ${campaignId} and c.status = 'draining' and ${isIdle} for update
  ), chunk as materialized (
    select l.id from campaign_leads l where l.campaign_id = (select id from drained) and l.status = 'pending' limit ${SKIPPED_AT_ONCE}
  ), locked as materialized (
    select l.id from campaign_leads l where l.id = any(array(select chunk.id from chunk)) and l.status = 'pending' order by l.id for update
  ), skipped as (
    ${skip(now)} where l.id = any(array(select locked.id from locked))
  )
  update campaigns c set updated_at = ${at} from drained where c.id = drained.id`);
}

/** Draining campaigns without an active lead and untouched since `before`: the job that was to end them was lost. */
export async function stalledDrains(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select c.id from campaigns c
    where c.status = 'draining' and c.updated_at < ${instantParam(before)} and ${isIdle}
    order by c.updated_at limit ${limit}`);
  return rows.map(({ id }) => id);
}
