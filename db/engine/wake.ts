import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../client.ts";
import { instantParam } from "./instants.ts";

/** When a lane may act for campaign `c` again: after its gap and its breaker. LEAST and GREATEST pass over nulls. */
export const earliestSlot = (at: SQL): SQL => sql`greatest(${at}, lane.closed_until,
  lane.last_slot_at + make_interval(secs => greatest(lane.min_interval_seconds, c.min_interval_seconds)))`;

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

/** The same for one sender, after its own settings changed or it became usable again. */
export function wakeLaneStatement(db: Db, { laneId, now }: { laneId: string; now: Date }) {
  return db.execute(sql`
    update sender_lanes lane
    set next_slot_at = greatest(${instantParam(now)},
          coalesce(lane.last_slot_at + make_interval(secs => coalesce(lane.min_interval_seconds, 60)), ${instantParam(now)})),
        closed_until = null, updated_at = ${instantParam(now)}
    where lane.id = ${laneId} and lane.open`);
}
