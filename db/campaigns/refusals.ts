import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { isInUseHere } from "../base/moving.ts";
import { outboxRows } from "../base/fragments/outbox.ts";

/**
 * Owes a notice for each address that a relay refused for good, by the sends. The dedup keys are those of
 * bounce reports, so that a repeat, or a report of the same refusal, adds nothing.
 */
async function oweBounces(db: Db, where: SQL, since: Date, now: Date): Promise<void> {
  const refused = sql`refused`;
  const dedupKey = sql`'feedback:' || id || ':hard_bounce'`;
  const payload = {
    campaign_id: sql`campaign_id`,
    campaign_lead_id: sql`campaign_lead_id`,
    send_id: sql`id`,
    why: sql`left(reason, 300)`,
  };
  await db.execute(sql`
    with refused as (
      select s.id, s.workspace_id, s.campaign_id, s.campaign_lead_id, s.reason from sends s
      where s.state = 'rejected' and s.bounced_at > ${instantParam(since)} and ${where} and ${isInUseHere(sql`s.workspace_id`)}
        and not exists (select 1 from outbox told where told.dedup_key = 'feedback:' || s.id || ':hard_bounce')
      -- An erasure is waited for and its send has no words then, or it waits and finds them here.
      for share of s
    )
    ${outboxRows("lead_hard_bounce", refused, dedupKey, payload, now)}`);
}

export const oweBouncesOf = (db: Db, campaignIds: string[], since: Date, now: Date) =>
  oweBounces(db, sql`s.campaign_id = any(${sql.param(campaignIds)}::uuid[])`, since, now);

/** The same for whatever was under way since then. */
export const oweMissedBounces = (db: Db, since: Date, now: Date) =>
  oweBounces(
    db,
    sql`s.campaign_id in (select c.id from campaigns c where c.status in ('active', 'draining', 'paused') or c.updated_at > ${instantParam(since)})`,
    since,
    now,
  );
