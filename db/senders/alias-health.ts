import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { closeLanes, openLanes } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { SUSPENDED } from "./domain-checks.ts";

/**
 * An alias in error is one whose account its owner has to mend; its lane is closed until then. A success with the alias
 * ends that, and clears its last error. Only an alias closed by its domain's records stays closed while that domain is
 * failing: the domain check opens it. Below, `which` is a condition on alias `a`; callers that can lock its lane do so before.
 */

/** CTE `healed` (id, status): aliases whose error is cleared. */
export const healedAlias = (which: SQL, at: SQL): SQL => sql`healed as (
      update mail_aliases a
      set status = case when a.status in ('error', 'pending') then 'active' else a.status end,
          last_error = null, last_error_kind = null, updated_at = ${at}
      where ${which} and (a.status in ('error', 'pending') or a.last_error is not null or a.last_error_kind is not null)
        and not (a.last_error is not distinct from ${SUSPENDED}::text
          and exists (select 1 from mail_domains d where d.id = a.domain_id and d.status = 'failing'))
      returning a.id, a.status
    )`;

/** The same after a message that was accepted; a rest that its sender takes lasts as long as it was meant to. */
export const healedBySend = (which: SQL, at: SQL): SQL => sql`${healedAlias(which, at)}, opened as (
      ${openLanes(
        {
          from: sql`healed`,
          where: sql`lane.id = healed.id and healed.status = 'active' and not lane.open`,
        },
        at,
      )}
    )`;

/** CTEs: aliases whose account was refused get an error and a closed lane; trying again unchanged is pointless. */
export const brokenAlias = (which: SQL, reason: SQL, at: SQL): SQL => sql`broken as (
      update mail_aliases a
      set status = case when a.status in ('active', 'pending') then 'error' else a.status end,
          last_error = left(${reason}, 1000), last_error_kind = 'account', updated_at = ${at}
      where ${which} returning a.id
    ), closed as (
      ${closeLanes({ from: sql`broken`, where: sql`lane.id = broken.id` }, at)}
    )`;

/** After a message that is kept nowhere. */
export async function healAlias(db: Db, id: string, now: Date): Promise<void> {
  await db.execute(sql`with ${healedBySend(sql`a.id = ${id}`, instantParam(now))} select 1`);
}

/**
 * Ends what is said of rests that are long over, of senders that are well: the message that a relay held up may have
 * gone out from another, and this one then has nothing by which to show that it works.
 */
export async function forgetPassedRests(db: Db, before: Date, now: Date): Promise<void> {
  await db.execute(sql`
    update mail_aliases a set last_error = null, updated_at = ${instantParam(now)}
    from sender_lanes lane
    where lane.id = a.id and lane.open and lane.closed_until <= ${instantParam(before)}
      and a.status = 'active' and a.last_error_kind is null and a.last_error is not null`);
}
