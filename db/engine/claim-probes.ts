import { type SQL, sql } from "drizzle-orm";

/** Held leads are out of the probes' indexes; upkeep ends a hold whose time is over. */
export const notHeld = sql`l.hold_reason is null`;

/**
 * The zones of campaign `c` with their pieces of window: of all its leads that is the one '' and its own
 * piece, but where it goes by their clocks. Each is probed by itself, so that leads whose window is shut
 * stand before nobody.
 */
export const zones = sql`
  select '' as zone, c.open_from, c.open_until where not c.use_lead_timezone
  union all
  select zone.zone, zone.open_from, zone.open_until from campaign_zones zone
  where c.use_lead_timezone and zone.campaign_id = c.id`;

/** The zones that are open at the slot. */
export const openZones = sql`
  select array_agg(z.zone order by z.zone) as zones from (${zones}) z
  where slot.at >= z.open_from and slot.at < z.open_until`;

/** Where a lead comes from: those that wait for this sender, started ones that any of its channel may take, and new ones. */
export const OWN = sql.raw("0");
export const POOL = sql.raw("1");
export const NEW = sql.raw("2");

/** The first leads of the open zones of campaign `c`, due by the slot. */
const firstOf = (source: SQL, probe: SQL, limit: SQL) => sql`
  select first.id, ${source} as source, first.next_action_at, first.row_index
  from unnest(open.zones) z(zone) cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and ${probe} and l.next_action_at <= slot.at and ${notHeld}
    order by l.next_action_at, l.row_index, l.id limit ${limit}
  ) first
  order by first.next_action_at, first.row_index, first.id limit ${limit}`;

/** Of the lane. */
export const followUp = firstOf(
  OWN,
  sql`l.alias_id = slot.lane_id and l.status = 'active'`,
  sql`1`,
);

export const pooled = (kind: SQL, limit: SQL) =>
  firstOf(
    POOL,
    sql`l.next_channel = ${kind} and l.alias_id is null and l.status = 'active'`,
    limit,
  );

export const newLead = (limit: SQL) => firstOf(NEW, sql`l.status = 'pending'`, limit);
