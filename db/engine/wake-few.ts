import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { uuidArray } from "../base/text-array.ts";
import { FEW_SENDERS } from "../schema/index.ts";
import { startsLeads } from "./claim-park.ts";
import { notHeld, zones } from "./claim-probes.ts";
import { earliestSlot, sleeps } from "./lane-slots.ts";
import { wakeLanes } from "./lanes.ts";

/**
 * The senders that a lead wakes which none has begun and any of its campaign may take. In a campaign of few senders all that
 * sleep; of many it would cost a row of each for one message, so that a few are looked at, or as many woken as there are
 * such leads. What may be lost by that, because a sender closes or rests before it looks, or does something else first,
 * `wakeForLeft` finds a minute later: then all look that did not since.
 */

/** So many of many are looked at for one that can send at once. */
const SOME = sql.raw("100");
/** Left is what may be sent for as long; a transaction that a look did not see has come to its end in half the time. */
const LEFT_SECONDS = 60;
const leftAfter = sql.raw(`interval '${LEFT_SECONDS} seconds'`);
const unseen = sql.raw(`interval '${LEFT_SECONDS / 2} seconds'`);
/** So many of the leads of a campaign and zone are looked at for one that was left: an operator may hold up the first. */
const FIRST = sql.raw("8");

/** The senders of a campaign that follow on `pivot` in the order of ids, around, `most` of them. */
const follow = (campaignId: SQL, pivot: SQL, most: SQL): SQL => {
  const from = (is: SQL) => sql`(
      select cs.lane_id from campaign_senders cs where cs.campaign_id = ${campaignId} and ${is} order by cs.lane_id limit ${most})`;
  return sql`select next.lane_id from (
      ${from(sql`cs.lane_id > ${pivot}`)} union all ${from(sql`cs.lane_id < ${pivot}`)}) next limit ${most}`;
};

/**
 * The other senders of the campaign of row `s` that look for what came back: of many those that follow on its lane,
 * which is in the middle of them as any other is. All of them where a place of a used-up day may be for a lead of
 * any one, and where only some have the budget or the channel for it.
 */
export const otherSenders = (s: SQL): SQL =>
  follow(
    sql`${s}.campaign_id`,
    sql`${s}.lane_id`,
    sql`(select case when own.type = 'email' and own.used < own.daily_limit then ${FEW_SENDERS} end from campaigns own where own.id = ${s}.campaign_id)`,
  );

/** Whether campaign `c` is by email alone, and of many senders. */
const hasMany = sql`(c.type = 'email' and exists (select from campaign_senders many where many.campaign_id = c.id offset ${FEW_SENDERS}))`;

/** When campaign `c` next starts leads. */
const opensAt = sql`case when c.used >= c.daily_limit or not ${startsLeads} then c.open_until else c.open_from end`;

/**
 * The senders that rows `back` (campaign_id, alias_id, leads) concern: a lead's own, and for `leads` that have none yet
 * those of the campaign `c`. Of many as many as leads, of the sleeping ones among some the soonest who can send, and
 * first those without any work, since another looks sooner or later by itself; at each instant they are others.
 */
const sendersFor = (back: SQL, at: SQL): SQL => sql`
  from (${back}) back join campaigns c on c.id = back.campaign_id cross join lateral (select ${hasMany} as has_many offset 0) size
  cross join lateral (
    select cs.lane_id from campaign_senders cs
    where cs.campaign_id = c.id and case when back.alias_id is not null then cs.lane_id = back.alias_id else not size.has_many end
    union all
    (select lane.id from (${follow(sql`c.id`, sql`md5((${at})::text)::uuid`, sql`(${SOME} + back.leads)`)}) cs
     cross join lateral (select * from sender_lanes own where own.id = cs.lane_id offset 0) lane
     where back.alias_id is null and size.has_many and lane.open and ${sleeps(at)}
     order by coalesce(lane.used >= lane.day_cap and lane.day_until > ${at}, false), greatest(${earliestSlot(at)}, ${opensAt}),
              lane.next_slot_at desc nulls first, lane.id
     limit back.leads)
  ) cs`;

/**
 * Leads that any of many senders may take, each with since when; those that a tick before the last one had looked for
 * are left out. While such a lead is there, senders that are awake stay so, and leads behind the first few need no look.
 */
const waiting: SQL = sql`
  select * from (
    select c.id as campaign_id, c.min_interval_seconds, greatest(lead.updated_at, lead.next_action_at, c.open_from, z.open_from) as since
    from campaigns c cross join lateral (${zones}) z cross join lateral (
      select l.updated_at, l.next_action_at from campaign_leads l
      where l.workspace_id = c.workspace_id and l.campaign_id = c.id and l.zone = z.zone and l.status = 'pending' and ${notHeld} and l.next_action_at is not null
      order by l.next_action_at limit ${FIRST}
    ) lead
    where c.status = 'active' and c.deleted_at is null and cardinality(c.alias_ids) > ${FEW_SENDERS} and c.type = 'email'
      and c.used < c.daily_limit and ${startsLeads}
  ) w where w.since > coalesce((select last_tick_at from engine_state where id = 1), '-infinity') - ${leftAfter}`;

/** Wakes the senders of many that did not look since a lead came that is still there; but none whose day is used up. */
export const wakeForLeft = (now: Date): SQL => {
  const at = instantParam(now);
  return wakeLanes(
    {
      from: sql`(
        select cs.lane_id, min(w.min_interval_seconds) as min_interval_seconds, max(w.since) as since
        from (select campaign_id, min(min_interval_seconds) as min_interval_seconds, max(since) as since
              from (${waiting}) w where since <= ${at} - ${leftAfter} group by campaign_id) w
        join campaign_senders cs on cs.campaign_id = w.campaign_id group by cs.lane_id
      ) c`,
      where: sql`lane.id = c.lane_id and ${sleeps(at)} and lane.updated_at < c.since + ${unseen}
        and (lane.used >= lane.day_cap and lane.day_until > ${at}) is not true`,
    },
    at,
  );
};

/** When the next lead will have been left. */
export const nextLeft: SQL = sql`select min(w.since) + ${leftAfter} from (${waiting}) w`;

/**
 * Wakes the lanes that may serve leads that have come back, rows (campaign_id, alias_id) of `back`. A lane that is due
 * soon enough anyway is not touched.
 */
export const wakeLanesFor = (back: SQL, at: SQL): SQL =>
  wakeLanes(
    {
      from: sql`(
        select cs.lane_id, min(c.min_interval_seconds) as min_interval_seconds
        ${sendersFor(sql`select campaign_id, alias_id, count(*) as leads from ${back} group by campaign_id, alias_id`, at)}
        group by cs.lane_id
      ) c`,
      where: sql`lane.id = c.lane_id and ${sleeps(at)}`,
    },
    at,
  );

/**
 * To be run before anything else of a transaction that may wake for these leads of a campaign: locks the lanes that may be woken,
 * by id. One that gets or loses its sender, and a sender that falls asleep meanwhile, is woken without having been
 * locked: that may deadlock, which is repeated, and loses no wake-up.
 */
export const lockLanesOfLeads = (
  db: Db,
  campaignId: string,
  campaignLeadIds: readonly string[],
  now: Date,
): Statement =>
  db.execute(sql`
    select lane.id from sender_lanes lane
    where lane.id = any(array(
      select cs.lane_id ${sendersFor(
        sql`select l.campaign_id, l.alias_id, count(*) as leads from campaign_leads l
            where l.id = any(${uuidArray(campaignLeadIds)}) and l.campaign_id = ${campaignId} group by l.campaign_id, l.alias_id`,
        instantParam(now),
      )}))
    order by lane.id for update`);
