import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../base/instants.ts";
import { outboxRows } from "../base/fragments/outbox.ts";
import { transition } from "../base/fragments/transitions.ts";

/**
 * Pauses the running campaigns `c` that the condition is true of, and owes their
 * owners a notice: CTEs, and a select of the ids, to follow `with`. Reason and
 * condition may speak of the rows that `from` joins.
 */
export function pauseWithNotice(reason: SQL, where: SQL, now: Date, from?: SQL): SQL {
  const at = instantParam(now);
  const set = sql`paused_from = c.status, paused_reason = ${reason}, updated_at = ${at}`;
  const dedupKey = sql`'campaign:' || id || ':paused:' || ${at}::text`;
  const payload = { campaign_id: sql`id`, campaign_name: sql`name`, reason: sql`paused_reason` };
  return sql`paused as (
      ${transition("pause", set, from)} and ${where}
      returning c.id, c.workspace_id, c.name, c.paused_reason
    ), told as (${outboxRows("campaign_paused", sql`paused`, dedupKey, payload, now)})
    select id from paused`;
}
