import { type SQL, sql } from "drizzle-orm";
import { notHeld } from "./claim-probes.ts";

/**
 * In which of its campaigns a lane may have work, found by walks along indexes: a step costs a probe or two, and there
 * is one for each campaign in which leads wait for the lane, or to be started. Campaigns without any cost
 * none, however many the lane serves. A campaign that the walk comes upon need not be the lane's own, nor run.
 *
 * Each is a recursive CTE over `seed`, a CTE with a row (lane_id, ..) for each lane.
 */
const LOWEST = sql.raw("'00000000-0000-0000-0000-000000000000'::uuid");

/** `own`: the campaigns in which started leads wait for that lane. */
export function ownWalk(seed: SQL): SQL {
  const first = (laneId: SQL, behind: SQL) => sql`
    select l.campaign_id from campaign_leads l
    where l.alias_id = ${laneId} and ${behind} and l.status = 'active' and l.next_action_at is not null and ${notHeld}
    order by l.campaign_id limit 1`;
  return sql`own(lane_id, campaign_id) as (
    select s.lane_id, next.campaign_id from ${seed} s cross join lateral (${first(sql`s.lane_id`, sql`true`)}) next
    union all
    select w.lane_id, next.campaign_id from own w
    cross join lateral (${first(sql`w.lane_id`, sql`l.campaign_id > w.campaign_id`)}) next
  )`;
}

/** `pool`: those of its campaigns with started leads that any sender of a channel may take. */
export const poolWalk = (seed: SQL): SQL => sql`pool(lane_id, campaign_id, is_own) as (
    select s.lane_id, ${LOWEST}, false from ${seed} s
    union all
    select w.lane_id, place.campaign_id, mine.is_own
    from pool w ${stepOf(sql`l.alias_id is null and l.status = 'active' and l.next_action_at is not null`, sql`l.campaign_id`)}
  )`;

/** The leads that may be started: of these conditions the index that has the workspace first follows, and no other one. */
const mayStart = sql`l.workspace_id = w.workspace_id and l.status = 'pending'`;

/** `starts`: those of its campaigns with leads that may be started. */
export const startsWalk = (
  seed: SQL,
): SQL => sql`starts(lane_id, workspace_id, campaign_id, is_own) as (
    select s.lane_id, s.workspace_id, ${LOWEST}, false from ${seed} s
    union all
    select w.lane_id, w.workspace_id, place.campaign_id, mine.is_own
    from starts w ${stepOf(mayStart, sql`l.campaign_id`)}
  )`;

/**
 * The same of those in which the lane may start a lead at its slot (`at`), with what tells their order and room.
 * `usable` says so, in a FROM behind campaign `c`, its first lead `place`, and lane `w`. A lane's walk ends
 * when it has found `enough` campaigns whose turn it never was: those have the next one.
 */
export const startsNowWalk = (
  seed: SQL,
  usable: SQL,
  enough: SQL,
): SQL => sql`starts(lane_id, workspace_id, at, kind, budgets, barred, campaign_id, found, is_usable, last_served_at, is_other, room) as (
    select s.lane_id, s.workspace_id, s.at, s.kind, s.budgets, s.barred, ${LOWEST}, 0, false, null::timestamptz, false, 0::bigint from ${seed} s
    union all
    select w.lane_id, w.workspace_id, w.at, w.kind, w.budgets, w.barred, place.campaign_id, w.found + (now.is_other is not null and mine.last_served_at is null)::int,
           now.is_other is not null, mine.last_served_at, now.is_other, now.room
    from starts w ${stepOf(mayStart, sql`l.campaign_id, l.zone, l.next_action_at, l.row_index`)}
    left join lateral (
      select now.* from (select * from campaigns c where mine.is_own and c.id = place.campaign_id offset 0) c cross join lateral (${usable}) now
    ) now on true
    where w.found < ${enough}
  )`;

/** From the next campaign that lane `w` serves to the first one from there on that has such a lead. */
const stepOf = (isSuch: SQL, order: SQL): SQL => sql`cross join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where cs.lane_id = w.lane_id and cs.campaign_id > w.campaign_id order by cs.campaign_id limit 1
    ) served cross join lateral (
      select l.campaign_id, l.next_action_at from campaign_leads l
      where ${isSuch} and l.campaign_id >= served.campaign_id and ${notHeld} order by ${order} limit 1
    ) place left join lateral (
      select cs.campaign_id, cs.last_served_at from campaign_senders cs
      where place.campaign_id <> served.campaign_id and cs.campaign_id = place.campaign_id and cs.lane_id = w.lane_id offset 0
    ) other on place.campaign_id <> served.campaign_id
    cross join lateral (select place.campaign_id = served.campaign_id or other.campaign_id is not null as is_own,
      case when place.campaign_id = served.campaign_id then served.last_served_at else other.last_served_at end as last_served_at offset 0) mine`;
