import { eq, sql, type SQL } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { campaigns, senderLanes } from "../schema/index.ts";
import { instantParam } from "../base/instants.ts";

/** A calendar day of some time zone, as the instants between which it lasts. */
export interface DaySpan {
  from: Date;
  until: Date;
}

/** Whether the ledger row `s` used up a place of its day: claims that were given back did not. */
const tookPlace = sql`s.state not in ('released', 'canceled') and (s.attempts > 0 or s.state = 'claimed')`;

const within = ({ from, until }: DaySpan, at: SQL = sql`s.slot_at`): SQL =>
  sql`${at} >= ${instantParam(from)} and ${at} < ${instantParam(until)}`;

/**
 * A campaign's counters for a day that begins to count now: the sends that the
 * ledger has in it already, charged to whichever date, so that no change of window
 * or time zone grants a second daily limit. To be preceded by
 * `lockCampaignStatement`, or a claim that is being committed is not seen.
 */
export function countersOf(
  campaignId: string,
  day: DaySpan,
): { used: SQL<number>; usedNew: SQL<number> } {
  const count = (condition: SQL) => sql<number>`(
    select count(*)::int from sends s
    where s.campaign_id = ${campaignId} and ${within(day)} and ${tookPlace} and ${condition})`;
  // By step: a retry is a claim of a lead that is no longer new, of the message that began it.
  return { used: count(sql`true`), usedNew: count(sql`s.step = 1`) };
}

/** What they would begin with. */
export async function countedIn(
  db: Db,
  campaignId: string,
  day: DaySpan,
): Promise<{ used: number; usedNew: number }> {
  const { used, usedNew } = countersOf(campaignId, day);
  const { rows } = await db.execute<{ used: number; usedNew: number }>(
    sql`select ${used} as used, ${usedNew} as "usedNew"`,
  );
  return rows[0]!;
}

/** The same for a sender, single messages and all; of its connection requests alone, if asked for those. */
export const laneUseIn = (
  workspaceId: string | SQL,
  laneId: SQL,
  day: DaySpan,
  part?: SQL,
): SQL<number> => {
  const sends = sql<number>`(
  select count(*)::int from sends s
  where s.workspace_id = ${workspaceId} and s.lane_id = ${laneId} and ${within(day)} and ${tookPlace} and ${part ?? sql`true`})`;
  return part === undefined ? sql<number>`(${sends} + ${singlesIn(laneId, day)})` : sends;
};

const singlesIn = (laneId: SQL, day: DaySpan): SQL => sql`(
  select (select count(*)::int from emails single where single.alias_id = ${laneId} and ${within(day, sql`single.counted_at`)})
    + (select count(*)::int from placement_mails single where single.alias_id = ${laneId} and ${within(day, sql`single.counted_at`)}))`;

export const areConnections = sql`s.budget = 'connection'`;

/** Slots of lane `lane`'s connection requests since then, as JSON: the weekly limit counts them by date. */
export const connectionsSince = (since: SQL, scope: SQL = sql`true`): SQL => sql`to_jsonb(array(
  select s.slot_at from sends s
  where s.lane_id = lane.id and s.slot_at >= ${since} and ${areConnections} and ${tookPlace} and ${scope}))`;

/** Waits for a claim of the campaign that is being committed; the next statement of the transaction sees what it did. */
export const lockCampaignStatement = (db: Db, campaignId: string): Statement =>
  db.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.id, campaignId)).for("update");

/** The same for every sender of a workspace; locked in one order. */
export const lockLanesStatement = (db: Db, workspaceId: string): Statement =>
  db
    .select({ id: senderLanes.id })
    .from(senderLanes)
    .where(eq(senderLanes.workspaceId, workspaceId))
    .orderBy(senderLanes.id)
    .for("update");
