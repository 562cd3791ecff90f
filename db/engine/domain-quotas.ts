import { type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { type DaySpan, laneUseIn } from "./counters.ts";
import { instantParam } from "../base/instants.ts";
import { capLanes } from "./lanes.ts";

/**
 * The daily limit of a mail domain is dealt out to its senders, each when its
 * accounting day begins, so that the claim needs to look at nothing but its lane.
 * `domain_shares` has what was dealt; it never adds up to more than the limit.
 * A transaction that deals, or changes what the dealing reads (a limit, an alias's
 * domain, the workspace's zone), first takes the workspace's lock, before any row.
 */
const quotaKey = (workspaceId: SQL): SQL =>
  sql`hashtextextended(${workspaceId}::text || ':domain-limits', 0)`;

export const lockQuotas = (db: Db, workspaceId: string): Statement =>
  db.execute(sql`select pg_advisory_xact_lock(${quotaKey(sql`${workspaceId}::uuid`)})`);

/** Of the workspaces of these lanes, in one order. */
export const lockQuotasOfLanes = (laneIds: SQL): SQL => sql`
  select pg_advisory_xact_lock(k) from (
    select distinct ${quotaKey(sql`lane.workspace_id`)} as k from sender_lanes lane where lane.id = any(${laneIds}) order by k
  ) keys`;

/** Shares of older days are never read again. */
const KEPT_DAYS = 4;

export const forgetQuotasStatement = (now: Date, laneIds: SQL): SQL => sql`
  delete from domain_shares old using mail_aliases a
  where a.id = any(${laneIds}) and old.domain_id = a.domain_id
    and old.day_from < ${instantParam(now)} - make_interval(days => ${KEPT_DAYS})`;

/**
 * A sender's even part of its domain's limit: `daily_limit`, over how many
 * `senders` and its `place` among them. What does not divide goes round with the
 * days, so that a limit below the number of senders starves none of them. Twin of
 * quotaOf in src/domain/senders/domain-quota.ts.
 */
const evenQuota = (dayFrom: SQL): SQL => sql`(d.daily_limit / s.senders
  + ((s.place + floor(extract(epoch from ${dayFrom}) / 86400)::bigint) % s.senders < d.daily_limit % s.senders)::int)::int`;

/** The senders of domain `d`: the open ones, and the lane itself. */
const sendersOf = (laneId: SQL): SQL => sql`
  select count(*)::int as senders, (count(*) filter (where sibling.id < ${laneId}))::int as place
  from mail_aliases member join sender_lanes sibling on sibling.id = member.id
  where member.workspace_id = d.workspace_id and member.domain_id = d.id and (sibling.open or sibling.id = ${laneId})`;

/** As an expression over an alias `a`: what its share is computed from, as JSON; null without a limit. */
export const domainQuotaOf = (aliasId: SQL, domainId: SQL): SQL => sql`(
  select jsonb_build_object('domain', d.domain, 'limit', d.daily_limit, 'senders', s.senders, 'place', s.place)
  from mail_domains d cross join lateral (${sendersOf(aliasId)}) s
  where d.id = ${domainId} and d.daily_limit is not null)`;

/**
 * The same of all aliases of these `domains`, a statement of ids, as one of (id, quota) that looks at each alias once: for
 * lists of many aliases of one domain.
 */
export const domainQuotasOf = (domains: SQL): SQL => sql`
  select member.id, jsonb_build_object('domain', member.domain, 'limit', member.daily_limit,
    'senders', member.opened + (member.has_lane and not member.open)::int, 'place', member.place) as quota
  from (
    select a.id, d.domain, d.daily_limit, lane.id is not null as has_lane, coalesce(lane.open, false) as open,
           (count(*) filter (where lane.open) over (partition by d.id))::int as opened,
           (count(*) filter (where lane.open) over (partition by d.id order by a.id rows between unbounded preceding and 1 preceding))::int as place
    from mail_domains d join mail_aliases a on a.domain_id = d.id and a.workspace_id = d.workspace_id
    left join sender_lanes lane on lane.id = a.id
    where d.id in (${domains}) and d.daily_limit is not null
  ) member`;

/**
 * From `asked` (lane_id, day_from, own, used) to `dealt` (lane_id, day_cap), for
 * lanes whose domain has a limit, and stores the shares. Each lane keeps what it has
 * used; beyond that it gets its even share, as far as the limit less all other
 * shares and uses goes.
 */
export const allotCtes: SQL = sql`wish as (
    select asked.lane_id, asked.day_from, asked.used, d.id as domain_id, d.daily_limit,
           least(asked.own, ${evenQuota(sql`asked.day_from`)}) as want
    from asked join mail_aliases a on a.id = asked.lane_id
    join mail_domains d on d.id = a.domain_id and d.daily_limit is not null
    cross join lateral (${sendersOf(sql`asked.lane_id`)}) s
  ), rest as (
    select wish.*,
           wish.daily_limit - sum(wish.used) over whole - coalesce((
             select sum(other.dealt) from domain_shares other
             where other.domain_id = wish.domain_id and other.day_from = wish.day_from
               and not exists (select 1 from wish again where again.lane_id = other.lane_id
                 and again.domain_id = other.domain_id and again.day_from = other.day_from)), 0) as pool,
           sum(greatest(wish.want - wish.used, 0)) over (whole order by wish.lane_id)
             - greatest(wish.want - wish.used, 0) as before
    from wish window whole as (partition by wish.domain_id, wish.day_from)
  ), dealt as (
    select rest.*, rest.used + more as dealt,
           case when pool < 0 then 0 else least(want, rest.used + more) end as day_cap
    from rest cross join lateral (
      select greatest(0, least(want - rest.used, pool - before))::int as more) m
  ), noted as (
    insert into domain_shares (domain_id, day_from, lane_id, dealt)
    select domain_id, day_from, lane_id, dealt from dealt
    on conflict (domain_id, day_from, lane_id) do update set dealt = excluded.dealt
  )`;

/**
 * Deals anew to lanes whose day has begun, from the caps that they have now. The
 * lanes are to be locked before, in the same transaction, or a claim that is being
 * committed is not seen. `scope` is a condition on alias `a`.
 */
export const reallotStatement = (db: Db, scope: SQL, now: Date): Statement =>
  db.execute(sql`
    with asked as (
      select lane.id as lane_id, lane.day_from, lane.day_cap as own, lane.used
      from mail_aliases a join sender_lanes lane on lane.id = a.id
      where ${scope} and lane.day_until > ${instantParam(now)}
    ), ${allotCtes}
    ${capLanes({ from: sql`dealt`, where: sql`lane.id = dealt.lane_id` }, sql`dealt.day_cap`, instantParam(now))}`);

/**
 * Deals anew to all senders of an alias's domain, after one of them sent more than its share: the excess comes off
 * the unused shares of the rest.
 */
export async function redealDomainOf(
  db: Db,
  { workspaceId, aliasId }: { workspaceId: string; aliasId: string },
  now: Date,
): Promise<void> {
  const isSibling = sql`a.workspace_id = ${workspaceId}
    and a.domain_id = (select own.domain_id from mail_aliases own where own.id = ${aliasId})`;
  await commit(db, [
    lockQuotas(db, workspaceId),
    db.execute(sql`
      select lane.id from sender_lanes lane where lane.id in (select a.id from mail_aliases a where ${isSibling})
      order by lane.id for update`),
    reallotStatement(db, isSibling, now),
  ]);
}

/**
 * Stores as shares the sends that the ledger has in these days already, for the
 * senders of limited domains and those with a recent share: for days that were not
 * dealt until now, because there was no limit or the days had other bounds. Shares of
 * senders that left stay as they are. `scope` is a condition on domain `d`.
 */
export const recordSpentStatement = (db: Db, scope: SQL, days: DaySpan[]): Statement[] =>
  days.map((day) =>
    db.execute(sql`
    insert into domain_shares (domain_id, day_from, lane_id, dealt)
    select member.domain_id, ${instantParam(day.from)}, member.lane_id, spent.messages
    from mail_domains d
    cross join lateral (
      select a.domain_id, a.id as lane_id from mail_aliases a where a.workspace_id = d.workspace_id and a.domain_id = d.id
      union select old.domain_id, old.lane_id from domain_shares old
      where old.domain_id = d.id and old.day_from > ${instantParam(day.from)} - interval '25 hours' and old.day_from < ${instantParam(day.until)}
    ) member
    cross join lateral (select ${laneUseIn(sql`d.workspace_id`, sql`member.lane_id`, day)} as messages) spent
    where d.daily_limit is not null and ${scope}
    on conflict (domain_id, day_from, lane_id) do update set dealt = greatest(domain_shares.dealt, excluded.dealt)
    where exists (select 1 from mail_aliases a where a.id = excluded.lane_id and a.domain_id = excluded.domain_id)`),
  );
