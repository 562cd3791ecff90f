import { type SQL, sql } from "drizzle-orm";
import { notBarred } from "./operator-rates.ts";

/** Held leads are out of the probes' indexes; upkeep ends a hold whose time is over. */
export const notHeld = sql`l.hold_reason is null`;

/**
 * The zones of campaign `c` with their window intervals: one zone '' with the campaign's own interval, unless it goes
 * by its leads' clocks. Each zone is probed by itself, so that leads whose window is shut do not block open zones.
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

/** A lead's source: started ones of this sender, started ones that any sender of the channel may take, and new ones. */
export const OWN = sql.raw("0");
export const POOL = sql.raw("1");
export const NEW = sql.raw("2");

const ofZones = sql`unnest(open.zones) z(zone)`;
/** Each budget by itself as well, so that leads of a used-up budget do not block those of another. */
const ofBudgets = sql`unnest(slot.budgets) b(budget) cross join ${ofZones}`;

/** The first leads of the open zones of campaign `c`, due by the slot. */
const firstOf = (source: SQL, places: SQL, probe: SQL, limit: SQL) => sql`
  select first.id, ${source} as source, first.next_action_at, first.row_index
  from ${places} cross join lateral (
    select l.id, l.next_action_at, l.row_index from campaign_leads l
    where l.campaign_id = c.id and l.zone = z.zone and ${probe} and l.next_action_at <= slot.at and ${notHeld}
    order by l.next_action_at, l.row_index, l.id limit ${limit}
  ) first
  order by first.next_action_at, first.row_index, first.id limit ${limit}`;

/** Of the lane. */
export const followUp = firstOf(
  OWN,
  ofZones,
  sql`l.alias_id = slot.lane_id and l.status = 'active' and ${notBarred(sql`slot.barred`)}`,
  sql`1`,
);

/**
 * Leads that wait for that lane and take from that budget. Of these conditions the index over budgets follows, and
 * no other one of a lane: a plan that was made while the table was small cannot walk along the leads of a used-up budget.
 */
export const waitsFor = (laneId: SQL, budget: SQL): SQL =>
  sql`l.alias_id = ${laneId} and l.next_budget = ${budget} and l.next_budget <> '' and l.status <> 'pending'`;

/** Of the lane, if its day has parts. */
export const followUpOfBudget = firstOf(
  OWN,
  ofBudgets,
  waitsFor(sql`slot.lane_id`, sql`b.budget`),
  sql`1`,
);

export const pooled = (kind: SQL, limit: SQL) =>
  firstOf(
    POOL,
    ofBudgets,
    sql`l.next_channel = ${kind} and l.next_budget = b.budget and l.alias_id is null and l.status = 'active' and ${notBarred(sql`slot.barred`)}`,
    limit,
  );

export const newLead = (limit: SQL) =>
  firstOf(NEW, ofZones, sql`l.status = 'pending' and ${notBarred(sql`slot.barred`)}`, limit);
