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

const IS_RUNNING = sql`c.status in ('active', 'draining') and c.deleted_at is null`;

/** (campaign, sender) pairs that hang together with the campaign through running ones; null for those of all running ones. */
export function relatedStatement(workspaceId: string, campaignId: string | null): SQL {
  const first = campaignId === null ? IS_RUNNING : sql`c.id = ${campaignId}`;
  return sql`
  with recursive own as materialized (
    select c.id as campaign_id, x.lane_id from campaigns c left join lateral (${sendersOf}) x on true
    where ${first} and c.workspace_id = ${workspaceId}
  ), linked(campaign_id) as (
    select c.id from own
    join campaign_senders shared on shared.lane_id = own.lane_id
    join campaigns c on c.id = shared.campaign_id and ${IS_RUNNING}
    union
    select c.id from linked
    join campaign_senders mine on mine.campaign_id = linked.campaign_id
    join campaign_senders shared on shared.lane_id = mine.lane_id
    join campaigns c on c.id = shared.campaign_id and ${IS_RUNNING}
  ), pair as (
    select own.campaign_id, own.lane_id from own
    union
    select next.campaign_id, next.lane_id from linked join campaign_senders next on next.campaign_id = linked.campaign_id
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
  /** As if the campaigns of a sender had equal parts of its days: fewer leads, and most runs need no more. */
  inEqualParts?: boolean;
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
  const byLane = Map.groupBy(related, ({ laneId }) => laneId);
  const places = new Map<string, { ofLanes: number; ofLane: number; row: Related }>();
  for (const row of related) {
    const { ofLanes, ofLane } = places.get(row.campaignId) ?? { ofLanes: 0, ofLane: 0 };
    const parts = first.inEqualParts === true ? byLane.get(row.laneId)!.length : 1;
    const aDay = Math.ceil(row.laneADay / parts);
    places.set(row.campaignId, {
      row,
      ofLanes: ofLanes + aDay,
      ofLane: Math.max(ofLane, aDay),
    });
  }
  const within = (aDay: number) => first.days * aDay + SPARE;
  return [...places].map(([id, { row, ofLanes, ofLane }]) => ({
    id,
    newLeads: Math.min(first.newLeads, within(Math.min(row.newADay, ofLanes))),
    followUps: Math.min(first.followUps, within(Math.min(row.campaignADay, ofLane))),
  }));
}
