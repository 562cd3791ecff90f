import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { ownInterval, soon } from "./lane-slots.ts";
import { adjust, change, type Lanes } from "./lanes.ts";

/**
 * Single messages of the API count in their sender's day, so that campaigns have the rest; caps and gaps never hold
 * them back. Those of mail have a ledger (`emails.counted_at`), from which a day is counted anew.
 */

const isInDay = (at: SQL): SQL => sql`(lane.day_from <= ${at} and ${at} < lane.day_until)`;

/** A single email takes a place of its sender's present day. Answers whether it was one more than there was (is_over). */
export const countSingle = ({ from, where }: Lanes, at: SQL): SQL => sql`
  ${adjust(sql`used = lane.used + 1`, { from, where: sql`${where} and ${isInDay(at)}` }, at)}
  returning lane.used > lane.day_cap as is_over`;

/** It gives back the place that it took at `countedAt`; a sender whose day was used up looks again. */
export const uncountSingle = ({ from, where }: Lanes, countedAt: SQL, at: SQL): SQL =>
  change(
    sql`used = greatest(lane.used - 1, 0),
        next_slot_at = case when lane.open and lane.used >= lane.day_cap then ${soon(at, ownInterval)} else lane.next_slot_at end`,
    { from, where: sql`${where} and ${isInDay(countedAt)}` },
    at,
  );

/**
 * A message of the network, where the condition holds. A lane whose day is over is woken: the next tick begins its new
 * day, so that what follows counts there.
 */
export const countDirectMessage = (
  db: Db,
  accountId: string,
  now: Date,
  condition: SQL = sql`true`,
): Statement => {
  const at = instantParam(now);
  const isToday = isInDay(at);
  return db.execute(
    change(
      sql`used = lane.used + case when ${isToday} then 1 else 0 end,
          next_slot_at = case when ${isToday} is true or not lane.open then lane.next_slot_at else ${soon(at, ownInterval)} end`,
      {
        from: sql`(select ${accountId}::uuid as id) account`,
        where: sql`lane.id = account.id and ${condition}`,
      },
      at,
    ),
  );
};
