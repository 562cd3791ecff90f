import { type SQL, sql } from "drizzle-orm";
import type { Ramp, Weekday } from "../schema/index.ts";
import { connectionsSince } from "./counters.ts";
import { allotCtes } from "./domain-quotas.ts";
import { instantParam } from "../base/instants.ts";
import {
  bool,
  from,
  instant,
  integer,
  orNull,
  type Row,
  rowReader,
  text,
  typed,
} from "../base/rows.ts";
import { closeLanes } from "./lanes.ts";
import type { AccountDay, CampaignPiece, LaneDay, LaneRollover } from "./rollovers.ts";

/** So many lanes and so many campaigns at once. */
export const ROLLED_AT_ONCE = 500;

/** What the day of lane `lane` at that instant is computed from if it is that of `account`; null for an alias. */
export const accountColumns = (at: SQL, scope?: SQL): SQL => sql`
  account.daily_connection_limit, account.daily_message_limit, account.warmup_days, account.warmup_from,
  case when account.id is not null then ${connectionsSince(sql`${at} - interval '8 days'`, scope)} end as connections`;

/** In whatever zone a date begins with a quarter of an hour. */
const QUARTER_MS = 900_000;
const lastQuarter = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS);

/** Whether a date may begin between the two, the latter included. */
export const mayDayEnd = (from: Date, until: Date): boolean =>
  lastQuarter(until) > lastQuarter(from);

/**
 * Lanes whose next slot, which lies no later than `until`, is not on their day: it lies behind its end, or has been
 * waiting since before the last quarter of an hour, with which that has ended. Each is a range of an index; those
 * which are due on their day, of which there may be a hundred thousand, are in neither.
 */
export function dueLaneRollovers(now: Date, until: Date): SQL {
  const quarter = instantParam(new Date(lastQuarter(now) * QUARTER_MS));
  const due = (isDue: SQL): SQL => sql`(
    select lane.id, lane.next_slot_at from sender_lanes lane where lane.open and ${isDue}
    order by lane.next_slot_at limit ${ROLLED_AT_ONCE})`;
  return sql`
  with due as materialized (
    ${due(sql`lane.next_slot_at <= ${instantParam(until)} and (lane.day_until is null or lane.day_until <= lane.next_slot_at)`)}
    union all
    ${due(sql`lane.next_slot_at < ${quarter} and lane.day_until > lane.next_slot_at and lane.day_until <= ${instantParam(now)}`)}
  )
  select lane.id, w.timezone, greatest(lane.next_slot_at, ${instantParam(now)}) as slot_at, coalesce(a.daily_limit, lane.day_cap) as daily_limit, a.ramp, coalesce(a.created_at, lane.updated_at) as created_at,
         ${accountColumns(sql`greatest(lane.next_slot_at, ${instantParam(now)})`)}
  from sender_lanes lane
  join workspaces w on w.id = lane.workspace_id
  left join mail_aliases a on a.id = lane.id
  left join connected_accounts account on account.id = lane.id
  where lane.id = any(array(select due.id from due order by due.next_slot_at limit ${ROLLED_AT_ONCE}))
  order by lane.next_slot_at`;
}

/** In two parts, each a range of an index: with an `or` all campaigns are read and sorted. */
export function dueCampaignRollovers(now: Date): SQL {
  const due = (isDue: SQL): SQL => sql`(
    select id, timezone, use_lead_timezone, sending_window_start, sending_window_end, send_days, open_until
    from campaigns where status in ('active', 'draining') and deleted_at is null and ${isDue}
    order by open_until limit ${ROLLED_AT_ONCE})`;
  return sql`
  ${due(sql`open_until is null`)} union all ${due(sql`open_until <= ${instantParam(now)}`)} limit ${ROLLED_AT_ONCE}`;
}

const readLane = rowReader({
  id: text,
  timezone: text,
  slotAt: instant,
  dailyLimit: integer,
  ramp: orNull(typed<Ramp>()),
  createdAt: instant,
});
const readAccount = rowReader({
  dailyConnectionLimit: integer,
  dailyMessageLimit: integer,
  warmupDays: integer,
  warmupFrom: orNull(instant),
  connections: { read: (slots) => (slots as string[]).map(instant.read) },
});

export const readLaneRollover = (row: Row): LaneRollover => ({
  ...readLane(row),
  account: readAccountDay(row),
});

/** Null where the lane's sender is no account. */
export const readAccountDay = (row: Row): AccountDay | null =>
  row["connections"] === null ? null : readAccount(row);

export const readCampaignRollover = rowReader({
  id: text,
  timezone: text,
  start: from("sending_window_start", text),
  end: from("sending_window_end", text),
  days: from("send_days", typed<Weekday[]>()),
  useLeadTimezone: bool,
  openUntil: orNull(instant),
});

/** So many are looked at: more than are claimed next. */
const LOOKED_AT = 100;

/** A lane whose alias or account is gone never acts again. Looked for among those that would act next. */
export function closeOrphansStatement(now: Date, until: Date): SQL {
  const at = instantParam(now);
  return closeLanes(
    {
      from: sql`(
        select next.id, next.kind, next.connection_cap from sender_lanes next
        where next.open and next.next_slot_at <= ${instantParam(until)} order by next.next_slot_at limit ${LOOKED_AT}
      ) orphan`,
      where: sql`lane.id = orphan.id and lane.open and (orphan.kind = 'email' or orphan.connection_cap is not null)
        and not exists (select 1 from mail_aliases a where a.id = orphan.id)
        and not exists (select 1 from connected_accounts account where account.id = orphan.id)`,
    },
    at,
  );
}

/**
 * A new accounting day starts at zero, with what the sender may send by itself or
 * what the limit of its domain leaves it. A lane that another tick has rolled is left
 * alone. To be preceded by `lockQuotasOfLanes` in the same transaction.
 */
export function rollOverLanesStatement(now: Date, lanes: LaneDay[]): SQL {
  return sql`
  with asked as (
    select r.id as lane_id, r.day_from, r.day_until, r.slot_at, r.day_cap as own, r.connection_cap, 0 as used
    from jsonb_to_recordset(${JSON.stringify(
      lanes.map(({ id, slotAt, dayFrom, dayUntil, dayCap, connectionCap }) => ({
        id,
        slot_at: slotAt,
        day_from: dayFrom,
        day_until: dayUntil,
        day_cap: dayCap,
        connection_cap: connectionCap,
      })),
    )}::jsonb) as r(id uuid, slot_at timestamptz, day_from timestamptz, day_until timestamptz, day_cap int, connection_cap int)
    join sender_lanes lane on lane.id = r.id
    where lane.day_until is null or lane.day_until <= r.slot_at
  ), ${allotCtes}
  update sender_lanes lane
  set day_from = asked.day_from, day_until = asked.day_until, day_cap = coalesce(dealt.day_cap, asked.own),
      connection_cap = asked.connection_cap, used = 0, connections_used = 0, updated_at = ${instantParam(now)}
  from asked left join dealt on dealt.lane_id = asked.lane_id
  where lane.id = asked.lane_id`;
}

/**
 * The next piece of the window. Two pieces can lie on one calendar date (a
 * window across midnight that opens every day), so the count starts anew only
 * with a new date. Lanes parked because the campaign was closed look again.
 */
export function rollOverCampaignsStatement(campaigns: CampaignPiece[]): SQL {
  return sql`
  with r as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(
      campaigns.map(({ id, openFrom, openUntil, day, after }) => ({
        id,
        open_from: openFrom,
        open_until: openUntil,
        day,
        after,
      })),
    )}::jsonb) as piece(id uuid, open_from timestamptz, open_until timestamptz, day date, after timestamptz)
  ), stale as materialized (
    select c.id from campaigns c join r on r.id = c.id
    where c.open_until is not distinct from r.after order by c.id for update of c
  )
  update campaigns c
  set open_from = r.open_from, open_until = r.open_until, open_day = r.day,
      used = case when c.open_day = r.day then c.used else 0 end,
      used_new = case when c.open_day = r.day then c.used_new else 0 end
  from stale join r on r.id = stale.id
  where c.id = stale.id`;
}
