import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { domainOfKey } from "../schema/index.ts";
import { late } from "./lane-slots.ts";

/**
 * A rate for each pair of sending domain and receiving operator that put the domain off, or refused it, by policy: half
 * of what it was with each such refusal, and one message an hour more for each ten minutes without. It grows by time
 * alone, so that the rate of any instant is known beforehand; at `FULL` an hour the pair is free. Twin of
 * src/domain/engine/memory/operator-rates.ts.
 */
export const FULL = 60;
export const LEAST = 1;
export const GROWS_EACH_MS = 600_000;
export const HOUR_MS = 3_600_000;

const full = sql.raw(String(FULL));
const least = sql.raw(String(LEAST));
const growsEach = sql.raw(String(GROWS_EACH_MS / 1000));
const hour = sql.raw(String(HOUR_MS));

/** Messages an hour by row `r` at that instant; not above `FULL`. */
export const rateAt = (at: SQL): SQL => sql`case when r.full_at > ${at}
      then r.per_hour + floor(extract(epoch from ${at} - r.changed_at) / ${growsEach})::int else ${full} end`;

const gapOf = (perHour: SQL): SQL => sql`(${hour} / (${perHour})) * interval '1 millisecond'`;

/** The operator of the domain's mail hosts; before it was looked up the domain stands for itself. */
export const operatorOfKey = (emailKey: SQL): SQL => sql`coalesce(
      (select d.operator from recipient_domains d where d.domain = ${domainOfKey(emailKey)}), ${domainOfKey(emailKey)}, '')`;

/** Whether any pair is slow: else nothing that follows costs anything. */
export const anySlow = (at: SQL): SQL =>
  sql`exists (select from operator_rates r where r.full_at > ${at})`;

/** Fills the claim's `v_bar_*`: to which operators its due lanes may not write, and until when. A slot may lie a little back. */
export const barsOfLanes = (at: SQL): SQL => sql`
    select coalesce(array_agg(a.id), '{}'), coalesce(array_agg(r.operator), '{}'), coalesce(array_agg(least(r.next_at, r.full_at)), '{}')
    into v_bar_lanes, v_bar_operators, v_bar_until
    from mail_aliases a join operator_rates r on r.domain_id = a.domain_id
    where a.id = any(v_lanes) and least(r.next_at, r.full_at) > ${at} - ${late}`;

const bars = sql`unnest(v_bar_lanes, v_bar_operators, v_bar_until) bar(lane_id, operator, until)`;

/** The operators to which that lane may not write at that instant; null for none. */
export const barredAt = (laneId: SQL, at: SQL): SQL =>
  sql`(select array_agg(bar.operator order by bar.operator) from ${bars} where bar.lane_id = ${laneId} and bar.until > ${at})`;

/** When the first of them may be written to again. */
export const barredUntil = (laneId: SQL, at: SQL): SQL =>
  sql`(select min(bar.until) from ${bars} where bar.lane_id = ${laneId} and bar.until > ${at})`;

/** Whether a sender of which these operators are barred may write to lead `l`. */
export const notBarred = (barred: SQL): SQL =>
  sql`(${barred} is null or ${operatorOfKey(sql`l.email_key`)} <> all(${barred}))`;

/** Locks the slow pairs of all that is recorded and begun, right after their lanes. */
export const lockPairs = (at: SQL): SQL => sql`
    perform 1 from (
      select 1 from operator_rates r
      where r.full_at > ${at} and r.domain_id = any(array(
        select a.domain_id from sends s join mail_aliases a on a.id = s.lane_id where s.id = any(v_ended || v_begin)))
      order by r.domain_id, r.operator for update) pairs`;

/** Fills `v_pace_*` with those of the begins that go to a slow pair. */
export const pacedBegins = (at: SQL): SQL => sql`
    select coalesce(array_agg(s.id), '{}'), coalesce(array_agg(r.domain_id), '{}'), coalesce(array_agg(r.operator), '{}'),
           coalesce(array_agg(least(r.next_at, r.full_at)), '{}')
    into v_pace_sends, v_pace_domains, v_pace_operators, v_pace_until
    from sends s join mail_aliases a on a.id = s.lane_id
    join operator_rates r on r.domain_id = a.domain_id and r.operator = ${operatorOfKey(sql`s.email_key`)}
    where s.id = any(v_begin) and s.email_key is not null and r.full_at > ${at}`;

/** CTE `pace` of the begin: the slow pair of a send. */
export const pace: SQL = sql`pace as materialized (
    select * from unnest(v_pace_sends, v_pace_domains, v_pace_operators, v_pace_until) p(id, domain_id, operator, until)
  )`;

/** CTE `paced`: of a pair of which a message begins the next one waits for the gap. */
export const pacedOn = (at: SQL): SQL => sql`paced as (
    update operator_rates r set next_at = ${at} + ${gapOf(rateAt(at))}
    from verdict v join pace p on p.id = v.id
    where v.refusal is null and r.domain_id = p.domain_id and r.operator = p.operator
  )`;

/**
 * CTEs that cut the pairs of sends, rows of `settled` that were refused by policy: once for all messages that began
 * before the last cut, which is not for what they show.
 */
export const cutPairs = (
  at: SQL,
  { settled, isRefused }: { settled: SQL; isRefused: SQL },
): SQL => {
  const halved = sql`greatest(${least}, (${rateAt(at)}) / 2)`;
  const fullAt = (perHour: SQL) =>
    sql`${at} + (${full} - ${perHour}) * interval '1 second' * ${growsEach}`;
  const first = sql.raw(String(FULL / 2));
  return sql`refusing as materialized (
    select a.domain_id, ${operatorOfKey(sql`s.email_key`)} as operator, max(s.transmitting_at) as begun_at, max(s.reason) as reason
    from ${settled} s join mail_aliases a on a.id = s.lane_id
    where ${isRefused} and s.email_key is not null and s.transmitting_at is not null and a.domain_id is not null group by 1, 2
  ), slowed as (
    insert into operator_rates as r (domain_id, operator, per_hour, changed_at, next_at, full_at, since, reason)
    select f.domain_id, f.operator, ${first}, ${at}, ${at} + ${gapOf(first)}, ${fullAt(first)}, ${at}, left(f.reason, 300)
    from refusing f order by f.domain_id, f.operator
    on conflict (domain_id, operator) do update set
      per_hour = ${halved}, changed_at = ${at}, next_at = greatest(r.next_at, ${at} + ${gapOf(halved)}), full_at = ${fullAt(halved)},
      since = case when r.full_at > ${at} then r.since else ${at} end, reason = excluded.reason
    where r.changed_at < (select f.begun_at from refusing f where f.domain_id = r.domain_id and f.operator = r.operator)
  )`;
};

/** Of a report that came later: slows the pair of a campaign's message, or a single one. False where its sender has no domain of ours. */
export async function slowPair(
  db: Db,
  { messageId, reason, now }: { messageId: string; reason: string; now: Date },
): Promise<boolean> {
  const { rows } = await db.execute<{ has_domain: boolean }>(sql`
    with settled as (
      select s.lane_id, s.email_key, s.transmitting_at, ${reason}::text as reason from sends s where s.id = ${messageId}
      union all select e.alias_id, nullif(e.email_key, ''), coalesce(e.sent_at, e.updated_at), ${reason}::text from emails e where e.id = ${messageId}
    ), ${cutPairs(instantParam(now), { settled: sql`settled`, isRefused: sql`true` })}
    select exists (select 1 from settled s join mail_aliases a on a.id = s.lane_id where a.domain_id is not null) as has_domain`);
  return rows[0]!.has_domain;
}
