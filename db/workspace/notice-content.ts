import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import type { OutboxKind } from "../base/fragments/outbox.ts";
import { integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { PausedReason } from "../schema/index.ts";

/** One thing that a notice tells of, as things are now. */
export type NoticeItem = ReturnType<typeof readItem>;
const readItem = rowReader({
  kind: typed<OutboxKind>(),
  /** How many of its kind the notice has. */
  total: integer,
  campaignId: orNull(text),
  campaignName: orNull(text),
  campaignLeadId: orNull(text),
  reason: orNull(typed<PausedReason>()),
  name: orNull(text),
  address: orNull(text),
  /** Of a bounce: what the other side's server said. */
  why: orNull(text),
  conversationId: orNull(text),
  said: orNull(text),
  /** What the mail turned out to be. */
  saidClass: orNull(text),
  emailId: orNull(text),
  subject: orNull(text),
  accountId: orNull(text),
  accountName: orNull(text),
  aliasId: orNull(text),
  aliasEmail: orNull(text),
  domainId: orNull(text),
  domainName: orNull(text),
  webhookId: orNull(text),
  webhookUrl: orNull(text),
});

/** The characters of a reply that a notice shows at most. */
const SAID_LENGTH = 2_000;

/** The first few of each kind, in the order of `kinds`; everything else of them is only counted. */
export async function readNotice(
  db: Db,
  noticeId: string,
  kinds: OutboxKind[],
  ofEach: number,
): Promise<NoticeItem[]> {
  const { rows } = await db.execute(sql`
    with told as (
      select o.kind, o.payload, row_number() over (partition by o.kind order by o.created_at, o.id) as place,
        count(*) over (partition by o.kind) as total
      from outbox o where o.notice_id = ${noticeId} and o.kind = any(${sql.param(kinds)}::text[])
    )
    select t.kind, t.total, t.payload ->> 'campaign_id' as campaign_id, coalesce(c.name, t.payload ->> 'campaign_name') as campaign_name,
      cl.id as campaign_lead_id, t.payload ->> 'reason' as reason,
      coalesce(nullif(l.full_name, ''), nullif(concat_ws(' ', l.first_name, l.last_name), '')) as name,
      coalesce(cl.email, cl.profile_url, e.to_email, m.from_email) as address,
      t.payload ->> 'why' as why,
      m.conversation_id, left(m.text, ${SAID_LENGTH}) as said, m.class as said_class, e.id as email_id, e.subject,
      t.payload ->> 'account_id' as account_id, t.payload ->> 'account_name' as account_name,
      t.payload ->> 'alias_id' as alias_id, t.payload ->> 'alias_email' as alias_email,
      t.payload ->> 'domain_id' as domain_id, t.payload ->> 'domain_name' as domain_name,
      t.payload ->> 'webhook_id' as webhook_id, t.payload ->> 'webhook_url' as webhook_url
    from told t
      left join campaigns c on c.id = (t.payload ->> 'campaign_id')::uuid
      left join campaign_leads cl on cl.id = (t.payload ->> 'campaign_lead_id')::uuid
      left join leads l on l.id = cl.lead_id
      left join emails e on e.id = (t.payload ->> 'email_id')::uuid
      left join conversation_messages m on m.id = (t.payload ->> 'message_id')::uuid
    where t.place <= ${ofEach}
    order by array_position(${sql.param(kinds)}::text[], t.kind), t.place`);
  return rows.map(readItem);
}
