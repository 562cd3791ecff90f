import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/base/client.ts";
import { instantParam } from "#db/base/instants.ts";
import { type QueueInputs, readQueue } from "#db/engine/sending-rows.ts";

/** What waits in a campaign, with each lead held against each condition: what the counts by groups are compared with. */
export async function wholeQueue(db: Db, campaignId: string, now: Date): Promise<QueueInputs> {
  const at = instantParam(now);
  const count = (condition: SQL) => sql`count(*) filter (where ${condition})::int`;
  const { rows } = await db.execute(sql`
    select ${count(sql`due and status = 'pending'`)} as new_due, ${count(sql`due and status = 'active'`)} as follow_up_due,
           ${count(sql`due and next_budget = 'connection'`)} as connections_due, ${count(sql`due and next_budget = 'message'`)} as messages_due,
           ${count(sql`next_action_at > ${at} and hold_reason is null`)} as waiting, ${count(sql`hold_reason is not null`)} as held,
           ${count(sql`hold_reason = 'awaiting_draft'`)} as awaiting_draft,
           ${count(sql`hold_reason = 'personalization_review_pending'`)} as awaiting_review,
           ${count(sql`hold_reason = 'awaiting_acceptance'`)} as awaiting_acceptance,
           ${count(sql`hold_reason = 'notes_used_up'`)} as awaiting_notes,
           min(hold_until) filter (where hold_reason = 'notes_used_up') as notes_until,
           ${count(sql`next_action_at is null and status = 'active'`)} as in_flight,
           min(next_action_at) filter (where next_action_at > ${at} and hold_reason is null) as next_due_at
    from (select *, next_action_at <= ${at} and hold_reason is null as due from campaign_leads
          where campaign_id = ${campaignId} and status in ('pending', 'active')) l`);
  return readQueue(rows[0]!);
}
