import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../client.ts";
import { instantParam } from "../instants.ts";

/**
 * The wait after a lane's `slotNo`-th action, drawn from a hash: computed again
 * it is the same, so a wake never shortens the slot that the claim gave. At least
 * a second over the interval, so that a send which begins a little after its slot
 * does not come too close to the next. Twin of gapSeconds in
 * src/domain/engine/chance.ts.
 */
export const laneGap = (interval: SQL, laneId: SQL, slotNo: SQL): SQL =>
  sql`make_interval(secs => ${interval} + greatest(1, ${interval} * lane_jitter(${laneId}, ${slotNo})))`;

/** The gap that campaign `c` and its sender `lane` keep. GREATEST passes over nulls. */
const gapOfLane = laneGap(
  sql`greatest(lane.min_interval_seconds, c.min_interval_seconds)`,
  sql`lane.id`,
  sql`lane.slot_no`,
);

/** When `lane` may act for campaign `c`, not before `at`: after its gap and its breaker. */
export const earliestSlot = (at: SQL): SQL =>
  sql`greatest(${at}, lane.closed_until, lane.last_slot_at + ${gapOfLane})`;

/**
 * Lets every sender of a campaign look for work at once: after a launch, a
 * resume, new leads, a wider window or a higher cap. Cheap and safe to repeat: a
 * lane without work parks itself again. The gap after its last action is kept.
 */
export function wakeLanesStatement(db: Db, { campaignId, now }: { campaignId: string; now: Date }) {
  return db.execute(sql`
    update sender_lanes lane
    set next_slot_at = least(lane.next_slot_at, ${earliestSlot(instantParam(now))}),
        updated_at = ${instantParam(now)}
    from campaign_senders cs join campaigns c on c.id = cs.campaign_id
    where cs.campaign_id = ${campaignId} and lane.id = cs.lane_id and lane.open`);
}

/** How many open lanes have a slot up to then, counted no further than `limit`. */
export async function countDueLanes(db: Db, until: Date, limit: number): Promise<number> {
  const { rows } = await db.execute(sql`
    select count(*)::int as due from (
      select 1 from sender_lanes where open and kind = 'email' and next_slot_at <= ${instantParam(until)} limit ${limit}
    ) lanes`);
  return Number(rows[0]!["due"]);
}

/** The same for one sender, after its own settings changed or it became usable again. */
export function wakeLaneStatement(db: Db, { laneId, now }: { laneId: string; now: Date }) {
  return db.execute(sql`
    update sender_lanes lane
    set next_slot_at = greatest(${instantParam(now)},
          coalesce(lane.last_slot_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60)), ${instantParam(now)})),
        closed_until = null, updated_at = ${instantParam(now)}
    where lane.id = ${laneId} and lane.open`);
}
