import { type SQL, sql } from "drizzle-orm";
import { integer, orNull, rowReader, text } from "../base/rows.ts";

/** The senders of campaign `c`, or those that it will have once it is launched. */
export const sendersOf = sql`
  select unnest(c.alias_ids) as lane_id where c.type <> 'socialnet' union select c.connected_account_id where c.type <> 'email' and c.connected_account_id is not null union select own.lane_id from campaign_senders own where own.campaign_id = c.id`;

/** A campaign and one of its senders, each with what its limits let it do on a day. */
export type Related = ReturnType<typeof readRelated>;
export const readRelated = rowReader({
  campaignId: text,
  /** Null of a campaign without senders. */
  laneId: orNull(text),
  campaignADay: integer,
  newADay: integer,
  laneADay: integer,
});

/** (campaign, sender) pairs that hang together with the campaign through running ones; null for those of all running ones. */
export function relatedStatement(workspaceId: string, campaignId: string | null): SQL {
  const first =
    campaignId === null
      ? sql`c.status in ('active', 'draining') and c.deleted_at is null`
      : sql`c.id = ${campaignId}`;
  return sql`
  with recursive pair(campaign_id, lane_id) as (
    select c.id, x.lane_id from campaigns c left join lateral (${sendersOf}) x on true
    where ${first} and c.workspace_id = ${workspaceId}
    union
    select next.campaign_id, next.lane_id from pair
    join campaign_senders shared on shared.lane_id = pair.lane_id
    join campaigns c on c.id = shared.campaign_id and c.status in ('active', 'draining') and c.deleted_at is null
    join campaign_senders next on next.campaign_id = c.id
  )
  select pair.campaign_id, pair.lane_id, c.daily_limit as campaign_a_day, least(c.daily_limit, c.max_new_leads_per_day) as new_a_day,
         greatest(lane.day_cap, a.daily_limit, account.daily_connection_limit + account.daily_message_limit, 0) as lane_a_day
  from pair join campaigns c on c.id = pair.campaign_id
  left join sender_lanes lane on lane.id = pair.lane_id
  left join mail_aliases a on a.id = pair.lane_id
  left join connected_accounts account on account.id = pair.lane_id`;
}

/** How far a look ahead goes: into the leads, and in days, within which limits let no more be sent. */
export interface FirstLeads {
  newLeads: number;
  /** Of each sender. */
  followUps: number;
  days: number;
}

/** How many leads of each queue of a campaign are read. */
export interface FirstPlaces {
  id: string;
  newLeads: number;
  followUps: number;
}

/** Leads that are taken and not written to (suppressed, written to by another campaign) cost no place of a day. */
const SPARE = 100;

/** No more than the limits of the campaign and its senders let go out within the days. */
export function placesWithin(related: Related[], first: FirstLeads): FirstPlaces[] {
  const places = new Map<string, { ofLanes: number; ofLane: number; row: Related }>();
  for (const row of related) {
    const { ofLanes, ofLane } = places.get(row.campaignId) ?? { ofLanes: 0, ofLane: 0 };
    const { campaignId, laneADay } = row;
    places.set(campaignId, {
      row,
      ofLanes: ofLanes + laneADay,
      ofLane: Math.max(ofLane, laneADay),
    });
  }
  const within = (aDay: number) => first.days * aDay + SPARE;
  return [...places].map(([id, { row, ofLanes, ofLane }]) => ({
    id,
    newLeads: Math.min(first.newLeads, within(Math.min(row.newADay, ofLanes))),
    followUps: Math.min(first.followUps, within(Math.min(row.campaignADay, ofLane))),
  }));
}
