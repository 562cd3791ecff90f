import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { from, instant, rowReader, text, typed } from "../base/rows.ts";
import type { Weekday } from "../schema/index.ts";
import { wakeLanes } from "./lanes.ts";
import { ROLLED_AT_ONCE } from "./rollover.ts";
import type { ZonePiece } from "./rollovers.ts";

/**
 * Where a campaign goes by the clocks of its leads, `campaign_zones` has the window of each of
 * their zones while it runs. A new zone, or one whose window changed, gets an empty interval:
 * closed, and over at once, so that the next tick reads it before it claims. The statement that
 * inserts one wakes the campaign's lanes.
 */

const goesByZones = sql`(c.status in ('active', 'draining') and c.deleted_at is null and c.use_lead_timezone)`;

export function dueZoneRollovers(now: Date): SQL {
  return sql`
  select z.campaign_id, z.zone, z.open_until, c.timezone, c.sending_window_start, c.sending_window_end, c.send_days
  from campaign_zones z join campaigns c on c.id = z.campaign_id
  where z.open_until <= ${instantParam(now)} and ${goesByZones}
  order by z.open_until limit ${ROLLED_AT_ONCE}`;
}

export const readZoneRollover = rowReader({
  campaignId: text,
  zone: text,
  timezone: text,
  start: from("sending_window_start", text),
  end: from("sending_window_end", text),
  days: from("send_days", typed<Weekday[]>()),
  openUntil: instant,
});

/** Deletes zones of ended campaigns, which would head the rollovers; a campaign that is about to run again holds its row. */
export function forgetZonesStatement(now: Date): SQL {
  return sql`
  with idle as materialized (
    select c.id from campaigns c
    where c.id in (select z.campaign_id from campaign_zones z where z.open_until <= ${instantParam(now)} order by z.open_until limit ${ROLLED_AT_ONCE})
      and not ${goesByZones}
    for share skip locked
  )
  delete from campaign_zones z using idle where z.campaign_id = idle.id`;
}

export function rollOverZonesStatement(zones: ZonePiece[]): SQL {
  const rows = zones.map(({ campaignId, zone, openFrom, openUntil, after }) => ({
    campaign_id: campaignId,
    zone,
    open_from: openFrom,
    open_until: openUntil,
    after,
  }));
  return sql`
  update campaign_zones z set open_from = r.open_from, open_until = r.open_until
  from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as r(campaign_id uuid, zone text, open_from timestamptz, open_until timestamptz, after timestamptz)
  where z.campaign_id = r.campaign_id and z.zone = r.zone and z.open_until = r.after`;
}

/** The zone of a lead within campaign `c`. */
export const zoneIn = (usesLeadTimezone: SQL, timezone: SQL): SQL =>
  sql`case when ${usesLeadTimezone} then coalesce(${timezone}, '') else '' end`;

/**
 * Gives the campaign every zone that its leads have, all of them to be read anew. Needs the
 * campaign's row locked, and its lanes woken.
 */
export const openZonesStatement = (
  db: Db,
  { campaignId, now }: { campaignId: string; now: Date },
  condition: SQL = sql`true`,
): Statement =>
  db.execute(sql`
    ${insertZones(
      sql`select distinct c.id, l.zone from campaigns c join campaign_leads l on l.campaign_id = c.id
          where c.id = ${campaignId} and c.use_lead_timezone and ${condition}`,
      now,
    )} do update set open_from = excluded.open_from, open_until = excluded.open_until`);

/** Adds zones; existing ones stay as they are. */
export const addZones = (pairs: SQL, now: Date): SQL => sql`${insertZones(pairs, now)} do nothing`;

const insertZones = (pairs: SQL, now: Date): SQL => sql`
  insert into campaign_zones (campaign_id, zone, open_from, open_until)
  select pair.campaign_id, pair.zone, ${instantParam(now)}, ${instantParam(now)} from (${pairs}) pair(campaign_id, zone)
  on conflict (campaign_id, zone)`;

/**
 * Copies the time zones of leads `lead` that match the condition to their campaign leads. Runs after the statement
 * that changed them, in its transaction: lanes and campaigns are locked first, as everywhere, and lanes whose lead now
 * waits in another zone are woken.
 */
export function followTimeZones(db: Db, which: SQL, now: Date): Statement[] {
  const at = instantParam(now);
  // One by one, by index: right after an import the statistics do not know its leads yet.
  const moved = sql`
    from leads lead
    cross join lateral (select l.id, l.campaign_id, l.timezone from campaign_leads l where l.lead_id = lead.id offset 0) l
    join campaigns c on c.id = l.campaign_id
    where ${which} and l.timezone is distinct from lead.timezone`;
  return [
    db.execute(sql`
      select lane.id from sender_lanes lane
      where lane.id in (
        select cs.lane_id from campaign_senders cs where cs.campaign_id in (select c.id ${moved} and ${goesByZones}))
      order by lane.id for update`),
    db.execute(
      sql`select c.id from campaigns c where c.id in (select c.id ${moved}) order by c.id for share`,
    ),
    db.execute(sql`
      with moved as (
        update campaign_leads l
        set timezone = lead.timezone, zone = ${zoneIn(sql`c.use_lead_timezone`, sql`lead.timezone`)}, updated_at = ${at}
        from leads lead, campaigns c
        where l.id = any(array(select l.id ${moved})) and lead.id = l.lead_id and c.id = l.campaign_id
        returning l.campaign_id, l.zone, ${goesByZones} as goes_by_zones
      ), zones as (
        ${addZones(sql`select distinct campaign_id, zone from moved where goes_by_zones`, now)}
      )
      ${wakeLanes(
        {
          from: sql`(
            select cs.lane_id, min(own.min_interval_seconds) as min_interval_seconds
            from campaigns own join campaign_senders cs on cs.campaign_id = own.id
            where own.id in (select campaign_id from moved where goes_by_zones) group by cs.lane_id
          ) c`,
          where: sql`lane.id = c.lane_id`,
        },
        at,
      )}`),
  ];
}
