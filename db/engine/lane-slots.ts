import { type SQL, sql } from "drizzle-orm";

/** When a lane may act: its gaps, its slots, and how late it is. SQL about rows that a statement calls `lane` and `c`. */

/** A sender without an interval of its own keeps the shortest that a campaign may have. */
export const ownInterval = sql`coalesce(lane.min_interval_seconds, 60)`;
/** The gap that campaign `c` and its sender `lane` keep. GREATEST passes over nulls. */
export const sharedInterval = sql`greatest(lane.min_interval_seconds, c.min_interval_seconds)`;

/**
 * The wait after a lane's `slotNo`-th action, drawn from a hash: computed again
 * it is the same, so a wake never shortens the slot that the claim gave. At least
 * a second over the interval, so that a send which begins a little after its slot
 * does not keep the next waiting. Twin of gapSeconds in
 * src/domain/engine/chance.ts.
 */
export const laneGap = (interval: SQL, laneId: SQL, slotNo: SQL): SQL =>
  sql`make_interval(secs => ${interval} + greatest(1, ${interval} * lane_jitter(${laneId}, ${slotNo})))`;

/** When the gap after a lane's last action is over, to the millisecond that columns keep; null before the first. */
export const gapAfter = (lastSlotAt: SQL, interval: SQL, laneId: SQL, slotNo: SQL): SQL =>
  sql`(${lastSlotAt} + ${laneGap(interval, laneId, slotNo)})::timestamptz(3)`;

export const gapOver = (interval: SQL): SQL =>
  gapAfter(sql`lane.last_slot_at`, interval, sql`lane.id`, sql`lane.slot_no`);

/** When `lane` may act for campaign `c`, not before `at`: after its rest and its gap. */
export const earliestSlot = (at: SQL, interval: SQL = sharedInterval): SQL =>
  sql`greatest(${at}, lane.closed_until, ${gapOver(interval)})`;

/** Whether `lane` will not look by itself as soon as it could act for campaign `c`. */
export const sleeps = (at: SQL): SQL =>
  sql`(lane.next_slot_at is null or lane.next_slot_at > ${earliestSlot(at)})`;

/**
 * Whether lane `lane` can use what send `s` gave back: a lead without a sender goes to whichever lane of campaign `c`
 * claims first, and a place of the campaign's used-up day frees all its lanes. A lane that is due soon enough anyway
 * is not woken.
 */
export const mayUse = (
  s: SQL,
  at: SQL,
): SQL => sql`(${s}.is_new or c.type = 'mixed' or c.used >= c.daily_limit)
  and lane.open and ${sleeps(at)}`;

/**
 * A plan stays as it is where ticks, or begins, are late by less: a slot that has just passed keeps its place, and
 * what began late moves nothing that follows. Less than the grace that a tick has for its last begins (tick.ts).
 */
export const LATE_SECONDS = 20;
export const late = sql.raw(`interval '${LATE_SECONDS} seconds'`);

/** Sooner after its last begin a sender never begins again, whatever was planned. */
export const bareGapAfter = (lastBegunAt: SQL, interval: SQL): SQL =>
  sql`${lastBegunAt} + make_interval(secs => ${interval})`;

/** The slot of a lane that is due: its own, or now, if that has passed too long ago. */
export const dueSlot = (now: SQL): SQL =>
  sql`case when lane.next_slot_at > ${now} - ${late} then lane.next_slot_at else ${now} end`;

/** How far a begin moves the plan of its lane: as far as it is too late for that. */
export const lateBy = (at: SQL, slotAt: SQL): SQL =>
  sql`greatest(interval '0', ${at} - ${slotAt} - ${late})`;

export const soon = (at: SQL, interval: SQL): SQL =>
  sql`least(lane.next_slot_at, ${earliestSlot(at, interval)})`;

/**
 * When a lane whose last claim sent nothing may act: as if there had been no claim,
 * so counted from when its last send really began.
 */
export const slotGivenBack = (at: SQL): SQL => sql`greatest(${at}, lane.closed_until,
  ${gapAfter(sql`lane.last_begun_at`, ownInterval, sql`lane.id`, sql`lane.slot_no`)})`;
