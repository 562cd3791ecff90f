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

/** (campaign, sender) pairs that hang together with the campaign through running ones of its workspace, whose senders alone they can share; null for those of all running ones. */
export function relatedStatement(workspaceId: string, campaignId: string | null): SQL {
  const first = campaignId === null ? IS_RUNNING : sql`c.id = ${campaignId}`;
  // Of all of them none is left that hangs together with these.
  const others = campaignId === null ? sql`false` : sql`${IS_RUNNING} and c.id <> ${campaignId}`;
  return sql`
  with recursive own as materialized (
    select c.id as campaign_id, x.lane_id from campaigns c left join lateral (${sendersOf}) x on true
    where ${first} and c.workspace_id = ${workspaceId}
  ), other as materialized (
    select sender.campaign_id, sender.lane_id from campaigns c join campaign_senders sender on sender.campaign_id = c.id
    where c.workspace_id = ${workspaceId} and ${others}
  ), linked(campaign_id) as (
    select other.campaign_id from own join other on other.lane_id = own.lane_id
    union
    select shared.campaign_id from linked
    join other mine on mine.campaign_id = linked.campaign_id join other shared on shared.lane_id = mine.lane_id
  ), pair as (
    select own.campaign_id, own.lane_id from own
    union
    select other.campaign_id, other.lane_id from linked join other on other.campaign_id = linked.campaign_id
  )
  select pair.campaign_id, pair.lane_id, c.daily_limit as campaign_a_day, least(c.daily_limit, c.max_new_leads_per_day) as new_a_day,
         greatest(lane.day_cap, a.daily_limit, account.daily_connection_limit + account.daily_message_limit, 0) as lane_a_day
  from pair join campaigns c on c.id = pair.campaign_id
  -- By the workspace, or a guess of many pairs reads the senders of all of them.
  left join sender_lanes lane on lane.id = pair.lane_id and lane.workspace_id = ${workspaceId}
  left join mail_aliases a on a.id = pair.lane_id and a.workspace_id = ${workspaceId}
  left join connected_accounts account on account.id = pair.lane_id and account.workspace_id = ${workspaceId}`;
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
