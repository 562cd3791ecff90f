import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { gapOver, ownInterval, sharedInterval, soon } from "./lane-slots.ts";
import { type LaneKind, senderLanes } from "../schema/index.ts";
import { integer, orNull, rowReader, typed } from "../base/rows.ts";
import { areConnections, type DaySpan, laneUseIn } from "./counters.ts";

/**
 * A sender's lane opens and closes, rests, gets its cap and is woken here and
 * nowhere else; besides, the engine's own statements (claim, begin, outcomes,
 * sweep, rollover) write `sender_lanes`. The linter holds that. The verbs are SQL,
 * so that they can stand in a statement of their own or behind another's rows.
 */

/** The lanes that a verb is about: a relation to join to `lane`, and the join's condition. */
export interface Lanes {
  from: SQL;
  where: SQL;
}

/** Whether the lane of send `s` is still a sender of its campaign: an alias may be taken off it after the claim. */
export const serves = (s: SQL): SQL =>
  sql`exists (select 1 from campaign_senders serving where serving.campaign_id = ${s}.campaign_id and serving.lane_id = ${s}.lane_id)`;

/** The senders to which leads went over while these sends were open, as rows (lane_id, id, is_own, is_heir). */
export const heirs = (sends: SQL): SQL => sql`
  select l.alias_id, open_send.id, false, true from ${sends} open_send
  join campaign_leads l on l.id = open_send.campaign_lead_id and l.alias_id <> open_send.lane_id`;

/** For the verbs here and in single-messages.ts. */
export const change = (set: SQL, { from, where }: Lanes, at: SQL): SQL =>
  sql`update sender_lanes lane set ${set}, updated_at = ${at} from ${from} where ${where}`;

/** The same of what wakes nobody: when a lane that sleeps looked last is what `wakeForLeft` goes by. */
export const adjust = (set: SQL, { from, where }: Lanes, at: SQL): SQL =>
  sql`update sender_lanes lane set ${set}, updated_at = case when lane.next_slot_at is null then lane.updated_at else ${at} end
    from ${from} where ${where}`;

/**
 * Lets open lanes look for work of campaign `c` (of several, the one with the shortest
 * interval: a lane gets one row), once their gap and rest are over. Cheap and safe to
 * repeat: a lane without work parks itself again.
 */
export const wakeLanes = (lanes: Lanes, at: SQL): SQL =>
  change(sql`next_slot_at = ${soon(at, sharedInterval)}`, isOpen(lanes), at);

/** The same for whatever work they have. */
export const wakeLanesForAll = (lanes: Lanes, at: SQL): SQL =>
  change(sql`next_slot_at = ${soon(at, ownInterval)}`, isOpen(lanes), at);

const isOpen = ({ from, where }: Lanes): Lanes => ({ from, where: sql`lane.open and ${where}` });

/** Opens lanes with a clean slate: what failed before is forgiven, a rest is over, and they look for work. */
export const openLanes = (lanes: Lanes, at: SQL): SQL =>
  change(
    sql`open = true, closed_since = null, failures = 0, closed_until = null,
        next_slot_at = least(lane.next_slot_at, greatest(${at}, ${gapOver(ownInterval)}))`,
    lanes,
    at,
  );

/** Closes lanes until they are opened. `closed_since` starts the time after which their leads go to other senders. */
export const closeLanes = (lanes: Lanes, at: SQL): SQL =>
  change(
    sql`open = false, closed_since = coalesce(lane.closed_since, ${at}), next_slot_at = null`,
    lanes,
    at,
  );

/** Keeps lanes from acting until then; neither claim nor begin passes a rest, and no claim takes a resting lane. */
export const restLanes = (lanes: Lanes, until: SQL, at: SQL): SQL =>
  adjust(
    sql`closed_until = greatest(lane.closed_until, ${until}),
        next_slot_at = case when lane.next_slot_at < ${until} then ${until} else lane.next_slot_at end`,
    lanes,
    at,
  );

/** Ends a rest before its time: lanes that were to act look for work once their gap is over. */
export const endRest = (lanes: Lanes, at: SQL): SQL =>
  adjust(
    sql`closed_until = null,
        next_slot_at = case when lane.next_slot_at is not null then greatest(${at}, ${gapOver(ownInterval)}) end`,
    lanes,
    at,
  );

/** What they may send on their present accounting day. */
export const capLanes = (lanes: Lanes, dayCap: SQL, at: SQL): SQL =>
  adjust(sql`day_cap = ${dayCap}`, lanes, at);

/** What a sender may do on a day; null for an interval of its own that it has not, and for a second budget. */
export type LaneSize = Pick<
  typeof senderLanes.$inferSelect,
  "dayCap" | "connectionCap" | "minIntervalSeconds"
>;

/** Caps and interval of a sender whose owner changed them. */
export const sizeLanes = (lanes: Lanes, size: LaneSize, at: SQL): SQL =>
  adjust(
    sql`day_cap = ${size.dayCap}::int, connection_cap = ${size.connectionCap}::int,
        min_interval_seconds = ${size.minIntervalSeconds}::int`,
    lanes,
    at,
  );

/** Moves lanes to another accounting day, with the sends that the ledger has in it already. A lane that had used up its old day is woken. */
export const moveLanes = (lanes: Lanes, day: DaySpan, at: SQL): SQL =>
  adjust(
    sql`day_from = ${instantParam(day.from)}, day_until = ${instantParam(day.until)},
        used = ${laneUseIn(sql`lane.workspace_id`, sql`lane.id`, day)},
        connections_used = case when lane.kind = 'email' then 0 else ${laneUseIn(sql`lane.workspace_id`, sql`lane.id`, day, areConnections)} end,
        next_slot_at = case when lane.next_slot_at is not null then ${soon(at, ownInterval)} end`,
    lanes,
    at,
  );

/** The lane of an alias or account: as it is, it has nothing to do until a campaign wakes it. */
export const insertLane = (
  db: Db,
  lane: Pick<
    typeof senderLanes.$inferInsert,
    "id" | "workspaceId" | "kind" | "open" | "minIntervalSeconds" | "dayCap" | "connectionCap"
  >,
  now: Date,
): Statement =>
  db.insert(senderLanes).values({ ...lane, slotNo: 0, used: 0, failures: 0, updatedAt: now });

/** Together with what campaigns knew of it; nothing while its alias or account is there. */
export const deleteLane = (db: Db, id: string): Statement =>
  db.execute(sql`
    with gone as (
      delete from sender_lanes lane
      where lane.id = ${id} and not exists (select 1 from mail_aliases a where a.id = lane.id)
        and not exists (select 1 from connected_accounts a where a.id = lane.id)
      returning lane.id
    )
    delete from campaign_senders cs using gone where cs.lane_id = gone.id`);

/** The senders of a campaign. */
const ofCampaign = (campaignId: string): Lanes => ({
  from: sql`campaign_senders cs join campaigns c on c.id = cs.campaign_id`,
  where: sql`cs.campaign_id = ${campaignId} and lane.id = cs.lane_id`,
});

/**
 * To be run before anything else of a transaction that wakes them: lanes come
 * first in the order of locks, as in the claim, and among them the lower id.
 */
export const lockCampaignLanes = (db: Db, campaignId: string): Statement =>
  db.execute(sql`
    select lane.id from sender_lanes lane
    where lane.id in (select cs.lane_id from campaign_senders cs where cs.campaign_id = ${campaignId})
    order by lane.id for update`);

/** The same for one lane, before its alias or a message of it is written to. */
export const lockLane = (db: Db, id: string): Statement =>
  db.execute(sql`select lane.id from sender_lanes lane where lane.id = ${id} for update`);

/** Wakes every sender of a campaign: after a launch, a resume, new leads, a wider window or a higher cap. */
export const wakeLanesStatement = (
  db: Db,
  { campaignId, now }: { campaignId: string; now: Date },
): Statement => db.execute(wakeLanes(ofCampaign(campaignId), instantParam(now)));

export const kindArray = (kinds: readonly LaneKind[]): SQL =>
  sql`${`{${kinds.join(",")}}`}::text[]`;

/** How many open lanes of these kinds have a slot up to then, counted no further than `limit`; and how fast ticks are. */
export async function countDueLanes(
  db: Db,
  kinds: readonly LaneKind[],
  until: Date,
  limit: number,
): Promise<{ due: number; sendsPerSecond: number | null }> {
  const { rows } = await db.execute(sql`
    select count(*)::int as due, (select sends_per_second from engine_state where id = 1) from (
      select 1 from sender_lanes where open and kind = any(${kindArray(kinds)}) and next_slot_at <= ${instantParam(until)} limit ${limit}
    ) lanes`);
  return readDue(rows[0]!);
}

const readDue = rowReader({ due: integer, sendsPerSecond: orNull(typed<number>()) });
