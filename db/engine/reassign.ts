import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { wakeLanes } from "./lanes.ts";

/**
 * Gives the started leads of senders that have been closed since before
 * `closedBefore` to open senders of the same campaign and channel, spread by a hash of lead
 * and sender, and wakes those. A lead in flight keeps its sender; so do leads of
 * a campaign without an open one. At most 1,000 leads a call; answers how many.
 */
export async function reassignLeads(db: Db, now: Date, closedBefore: Date): Promise<number> {
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    with gone as (
      select cs.campaign_id, cs.lane_id, lane.kind
      from sender_lanes lane
      join campaign_senders cs on cs.lane_id = lane.id
      join campaigns c on c.id = cs.campaign_id and c.status in ('active', 'draining') and c.deleted_at is null
      where not lane.open and lane.closed_since <= ${instantParam(closedBefore)}
    ), stranded as (
      select l.id, l.campaign_id, gone.kind from gone join campaign_leads l
        on l.campaign_id = gone.campaign_id and l.alias_id = gone.lane_id
      where l.status = 'active' and l.next_action_at is not null and l.hold_reason is null
      limit 1000 for update of l skip locked
    ), chosen as (
      select stranded.id, stranded.campaign_id, best.lane_id
      from stranded cross join lateral (
        select cs.lane_id from campaign_senders cs join sender_lanes lane on lane.id = cs.lane_id
        where cs.campaign_id = stranded.campaign_id and lane.open and lane.kind = stranded.kind
        order by md5(stranded.id::text || cs.lane_id::text) limit 1
      ) best
    ), moved as (
      update campaign_leads l set alias_id = chosen.lane_id, updated_at = ${at}
      from chosen where l.id = chosen.id
      returning l.id
    ), woken as (
      ${wakeLanes(
        {
          from: sql`(
            select chosen.lane_id, min(own.min_interval_seconds) as min_interval_seconds
            from chosen join campaigns own on own.id = chosen.campaign_id group by chosen.lane_id
          ) c`,
          where: sql`lane.id = c.lane_id`,
        },
        at,
      )}
    )
    select count(*)::int as moved from moved`);
  return Number(rows[0]!["moved"]);
}
