import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../base/instants.ts";
import { restLanes } from "./lanes.ts";
import type { LaneRest } from "./store.ts";

/** Lets senders that are open rest, each until its instant. Lanes are locked by their ids, before the aliases. */
export function restStatement(now: Date, lanes: LaneRest[], reason: string): SQL {
  const at = instantParam(now);
  const wanted = JSON.stringify(lanes.map(({ laneId, until }) => ({ id: laneId, until })));
  return sql`
  with wanted as materialized (
    select w.id, w.until from jsonb_to_recordset(${wanted}::jsonb) w(id uuid, until timestamptz)
  ), resting as materialized (
    select lane.id from sender_lanes lane
    where lane.id = any(array(select wanted.id from wanted)) and lane.open order by lane.id for update
  ), alias as (
    update mail_aliases a set last_error = ${reason}, last_error_kind = null, updated_at = ${at}
    from resting where a.id = resting.id
  )
  ${restLanes({ from: sql`resting join wanted on wanted.id = resting.id`, where: sql`lane.id = resting.id` }, sql`wanted.until`, at)}`;
}
