import { sql } from "drizzle-orm";
import type { Db } from "./client.ts";
import { instantParam } from "./instants.ts";
import { instant, orNull, rowReader } from "./rows.ts";

const readGranted = rowReader({ startAt: instant, leaseUntil: instant });
const readWaiting = rowReader({ restsUntil: orNull(instant), freeAt: orNull(instant) });

export type Reservation =
  /** A connection may begin at `startAt`; it is given back by `leaseUntil`, which names it. */
  | { kind: "granted"; startAt: Date; leaseUntil: Date }
  /** None is free; one is by then at the latest. */
  | { kind: "busy"; freeAt: Date }
  | { kind: "resting" };

export interface PacingRules {
  /** Connections at a time: one or two. */
  connections: number;
  intervalMs: number;
  /** A start further ahead is refused. */
  patienceMs: number;
  /** How long a connection is lent at most. */
  leaseMs: number;
}

/** Lends one of the operator's connections, in one statement. Starts are `intervalMs` apart, so no two leases end at once. */
export async function reserveConnection(
  db: Db,
  operator: string,
  now: Date,
  { connections, intervalMs, patienceMs, leaseMs }: PacingRules,
): Promise<Reservation> {
  const ms = (count: number) => sql`make_interval(secs => ${count}::float8 / 1000)`;
  const at = sql`${instantParam(now)}`;
  const start = sql`greatest(o.next_at, ${at})`;
  const aIsFree = sql`(o.lease_a is null or o.lease_a <= ${at})`;
  const bIsFree = sql`(${connections} > 1 and (o.lease_b is null or o.lease_b <= ${at}))`;
  // A start of its own for each, even without an interval, because the end of a lease is its name.
  const gap = ms(Math.max(1, intervalMs));
  const { rows } = await db.execute(sql`
    insert into probe_operators as o (operator, lease_a, next_at, strikes)
    values (${operator}, ${at} + ${ms(leaseMs)}, ${at} + ${gap}, '{}')
    on conflict (operator) do update set
      lease_a = case when ${aIsFree} then ${start} + ${ms(leaseMs)} else o.lease_a end,
      lease_b = case when ${aIsFree} then o.lease_b else ${start} + ${ms(leaseMs)} end,
      next_at = ${start} + ${gap}
    where (o.rests_until is null or o.rests_until <= ${at}) and (${aIsFree} or ${bIsFree})
      and ${start} <= ${at} + ${ms(patienceMs)}
    returning o.next_at - ${gap} as start_at, o.next_at - ${gap} + ${ms(leaseMs)} as lease_until
  `);
  const [granted] = rows;
  return granted
    ? { kind: "granted", ...readGranted(granted) }
    : whyNot(db, operator, now, connections);
}

async function whyNot(
  db: Db,
  operator: string,
  now: Date,
  connections: number,
): Promise<Reservation> {
  const { rows } = await db.execute(sql`
    select rests_until, greatest(next_at, case when ${connections} > 1 then least(lease_a, lease_b) else lease_a end) as free_at
    from probe_operators where operator = ${operator}
  `);
  const { restsUntil = null, freeAt = null } = rows[0] ? readWaiting(rows[0]) : {};
  if (restsUntil !== null && restsUntil > now) return { kind: "resting" };
  return { kind: "busy", freeAt: freeAt ?? now };
}

/** Gives a connection back. */
export async function releaseConnection(db: Db, operator: string, leaseUntil: Date): Promise<void> {
  await db.execute(sql`
    update probe_operators set
      lease_a = case when lease_a = ${instantParam(leaseUntil)} then null else lease_a end,
      lease_b = case when lease_b = ${instantParam(leaseUntil)} then null else lease_b end
    where operator = ${operator} and (lease_a = ${instantParam(leaseUntil)} or lease_b = ${instantParam(leaseUntil)})
  `);
}

/** The operator is left alone until then. */
export async function restOperator(db: Db, operator: string, until: Date): Promise<void> {
  await db.execute(
    sql`update probe_operators set rests_until = ${instantParam(until)} where operator = ${operator}`,
  );
}

/**
 * One domain's hosts refused us at a recipient, which one tenant of the operator may do for reasons of its own: only
 * when `limit` domains did within the window, the operator rests.
 */
export async function strikeOperator(
  db: Db,
  operator: string,
  domain: string,
  { now, since, until, limit }: { now: Date; since: Date; until: Date; limit: number },
): Promise<void> {
  const kept = sql`case when o.struck_at > ${instantParam(since)} then o.strikes else '{}' end`;
  const strikes = sql`(select array_agg(distinct each) from unnest(${kept} || ${domain}::text) as each)`;
  await db.execute(sql`
    update probe_operators o set strikes = ${strikes},
      struck_at = case when o.struck_at > ${instantParam(since)} then o.struck_at else ${instantParam(now)} end,
      rests_until = case when cardinality(${strikes}) >= ${limit} then ${instantParam(until)} else o.rests_until end
    where operator = ${operator}
  `);
}
