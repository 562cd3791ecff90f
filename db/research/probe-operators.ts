import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, rowReader } from "../base/rows.ts";

const readGranted = rowReader({ startAt: instant, leaseUntil: instant, minuteAt: instant });
const readWaiting = rowReader({ isNear: bool });

export type Reservation =
  /** A connection may begin at `startAt`; it is given back by `leaseUntil`, which names it. */
  | { kind: "granted"; startAt: Date; leaseUntil: Date; minuteAt: Date }
  /** None is free; the next may be ours. */
  | { kind: "busy" }
  /** It rests, or has been asked enough. */
  | { kind: "resting" };

export interface PacingRules {
  /** Connections at a time: one or two. */
  connections: number;
  intervalMs: number;
  /** Recipients named to one operator in a minute, and connections to all of them in a day; 0: as many as it takes. */
  recipientsPerMinute: number;
  connectionsPerDay: number;
}

/** The caller that asks for a connection. */
export interface Turn {
  operator: string;
  /** The same in each try. */
  caller: string;
  /** A caller waits for the answer: goes before probes of background jobs. */
  isUrgent: boolean;
  /** Recipients that the probe will name, as far as known. */
  recipients: number;
  /** A start further ahead is refused. */
  patienceMs: number;
  /** How long a connection is lent at most. */
  leaseMs: number;
}

/** Longer than the time between two tries of one who waits. */
const HEARD_MS = 1_000;

const ms = (count: number) => sql`make_interval(secs => ${count}::float8 / 1000)`;

/** Lends one of the operator's connections, in one statement. Starts are `intervalMs` apart, so no two leases end at once. */
export async function reserveConnection(
  db: Db,
  turn: Turn,
  now: Date,
  rules: PacingRules,
): Promise<Reservation> {
  const at = sql`${instantParam(now)}`;
  const start = sql`greatest(o.next_at, ${at})`;
  const end = sql`${start} + ${ms(turn.leaseMs)}`;
  const aIsFree = sql`(o.lease_a is null or o.lease_a <= ${at})`;
  const bIsFree = sql`(${rules.connections} > 1 and (o.lease_b is null or o.lease_b <= ${at}))`;
  // A start of its own for each, even without an interval, because the end of a lease is its name.
  const gap = ms(Math.max(1, rules.intervalMs));
  const isNewMinute = sql`(o.minute_at is null or o.minute_at + interval '1 minute' <= ${at})`;
  const named = sql`${turn.recipients}::int + case when ${isNewMinute} then 0 else o.minute_recipients end`;
  const { rows } = await db.execute(sql`
    with turn as (
      insert into probe_operators as o (operator, lease_a, next_at, strikes, minute_at, minute_recipients)
      select ${turn.operator}, ${at} + ${ms(turn.leaseMs)}, ${at} + ${gap}, '{}', ${at}, ${turn.recipients}
      where ${dayIsOpen(now, rules)}
      on conflict (operator) do update set
        lease_a = case when ${aIsFree} then ${end} else o.lease_a end,
        lease_b = case when ${aIsFree} then o.lease_b else ${end} end,
        next_at = ${start} + ${gap},
        minute_at = case when ${isNewMinute} then ${at} else o.minute_at end,
        minute_recipients = ${named},
        waiter_until = case when o.waiter = ${turn.caller}::uuid then null else o.waiter_until end
      where (o.rests_until is null or o.rests_until <= ${at}) and (${aIsFree} or ${bIsFree})
        and ${start} <= ${at} + ${ms(turn.patienceMs)}
        and ((${aIsFree} and ${bIsFree}) or not ${isAnothers(turn, now)})
        and (${rules.recipientsPerMinute} = 0 or ${isNewMinute} or ${named} <= ${rules.recipientsPerMinute})
      returning o.next_at - ${gap} as start_at, o.next_at - ${gap} + ${ms(turn.leaseMs)} as lease_until, o.minute_at
    ), day as (
      insert into probe_days as d (day, connections) select ${dayOf(now)}::date, 1 from turn
      on conflict (day) do update set connections = d.connections + 1
    )
    select * from turn`);
  const [granted] = rows;
  return granted
    ? { kind: "granted", ...readGranted(granted) }
    : { kind: (await waitFor(db, turn, now, rules)) ? "busy" : "resting" };
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

const dayIsOpen = (now: Date, { connectionsPerDay: most }: PacingRules) => sql`
  (${most} = 0 or not exists (select 1 from probe_days where day = ${dayOf(now)}::date and connections >= ${most}))`;

/** The next connection is promised to another probe that waits, and this one does not go before it. */
const isAnothers = ({ caller, isUrgent }: Turn, now: Date) => sql`
  coalesce(o.waiter_until > ${instantParam(now)} and o.waiter <> ${caller}::uuid and (o.waiter_is_urgent or not ${isUrgent}), false)`;

/** Promises the next connection to this probe, unless another waits that it does not go before. False when that is too far ahead to wait for. */
async function waitFor(db: Db, turn: Turn, now: Date, rules: PacingRules): Promise<boolean> {
  const at = sql`${instantParam(now)}`;
  const { rows } = await db.execute(sql`
    with waiting as (
      update probe_operators o
      set waiter = ${turn.caller}::uuid, waiter_is_urgent = ${turn.isUrgent}, waiter_until = ${at} + ${ms(HEARD_MS)}
      where operator = ${turn.operator} and not ${isAnothers(turn, now)}
        and (o.waiter is distinct from ${turn.caller}::uuid or o.waiter_until is null or o.waiter_until < ${at} + ${ms(HEARD_MS / 2)})
    )
    select (rests_until is null or rests_until <= ${at}) and next_at <= ${at} + ${ms(turn.patienceMs)}
      and ${dayIsOpen(now, rules)}
      and (${rules.recipientsPerMinute} = 0 or minute_at is null or minute_at + interval '1 minute' <= ${at} + ${ms(turn.patienceMs)}
        or minute_recipients + ${turn.recipients}::int <= ${rules.recipientsPerMinute}) as is_near
    from probe_operators where operator = ${turn.operator}`);
  // No row: the operator was never probed, so it is the day's limit that refused.
  return rows[0] !== undefined && readWaiting(rows[0]).isNear;
}

/**
 * Gives a connection back; `unnamed` recipients were reckoned with and not named, or named beyond that. One that was not
 * made counts for no day.
 */
export async function releaseConnection(
  db: Db,
  operator: string,
  { startAt, leaseUntil, minuteAt }: { startAt: Date; leaseUntil: Date; minuteAt: Date },
  { unnamed, wasMade }: { unnamed: number; wasMade: boolean },
): Promise<void> {
  const until = instantParam(leaseUntil);
  await db.execute(sql`
    with day as (
      update probe_days set connections = connections - 1
      where day = ${dayOf(startAt)}::date and connections > 0 and not ${wasMade}::boolean
    )
    update probe_operators set
      lease_a = case when lease_a = ${until} then null else lease_a end,
      lease_b = case when lease_b = ${until} then null else lease_b end,
      minute_recipients = case when minute_at = ${instantParam(minuteAt)} then greatest(0, minute_recipients - ${unnamed}::int) else minute_recipients end
    where operator = ${operator} and (lease_a = ${until} or lease_b = ${until})
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
