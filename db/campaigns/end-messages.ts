import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, integer, rowReader } from "../base/rows.ts";

const readEnded = rowReader({
  /** Whether there was a campaign whose messages were to end. */
  isFound: bool,
  messages: integer,
});

/**
 * Ends messages of the campaign that has been over for longest, since before `before`, and whose figures are in its sums:
 * those of so many of its leads, with their drafts and what was told of them. Messages of a lead that has a conversation
 * stay, for they are part of it. Of a mail the lead stays, which its links are about.
 */
export async function endMessages(
  db: Db,
  { before, now, leads }: { before: Date; now: Date; leads: number },
): Promise<ReturnType<typeof readEnded>> {
  const { rows } = await db.execute(sql`
    with campaign as materialized (
      select c.id from campaigns c
      where (c.status = 'completed' or c.deleted_at is not null) and (c.messages_ended_at is null or c.messages_ended_at < c.updated_at)
        and c.updated_at < ${instantParam(before)} and not exists (select from campaigns_to_sum t where t.campaign_id = c.id)
      order by c.updated_at limit 1 for update skip locked
    ), lead as materialized (
      select s.campaign_lead_id as id from sends s
      where s.campaign_id = (select campaign.id from campaign)
        and not exists (select from conversations t where t.campaign_lead_id = s.campaign_lead_id)
      limit ${leads}
    ), gone as (
      delete from sends where campaign_lead_id = any(array(select lead.id from lead))
      returning id, campaign_lead_id, email_key is not null and transmitting_at is not null as is_mail
    ), kept as (
      insert into ended_sends (id, campaign_lead_id) select gone.id, gone.campaign_lead_id from gone where gone.is_mail
      on conflict do nothing
    ), hits as (
      delete from campaign_lead_hits where campaign_lead_id = any(array(select lead.id from lead))
    ), drafts as (
      delete from generations where campaign_lead_id = any(array(select lead.id from lead))
    ), unsubscriptions as (
      delete from email_events where send_id = any(array(select gone.id from gone))
    ), closed as (
      update campaigns set messages_ended_at = ${instantParam(now)}
      where id in (select campaign.id from campaign) and not exists (select from lead)
    )
    select exists (select from campaign) as is_found, (select count(*) from gone)::int as messages`);
  return readEnded(rows[0]!);
}
