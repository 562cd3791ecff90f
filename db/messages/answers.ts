import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { ConversationRow } from "../replies/conversations.ts";
import { emails } from "../schema/index.ts";
import { type EmailRow, foundAsJudged, type NewEmail } from "./emails.ts";

/** A message of a conversation, and by which channel it came or went. */
export type LastMessage = ReturnType<typeof readLast>;
const readLast = rowReader({
  id: text,
  direction: typed<"in" | "out">(),
  channel: typed<"email" | "socialnet">(),
  messageId: orNull(text),
  fromEmail: text,
  subject: orNull(text),
  text: orNull(text),
  html: orNull(text),
  sentAt: instant,
});

/** Where an answer begins: the thread's newest messages, and its sender and recipient. */
export interface ThreadEnd {
  last: LastMessage;
  /** The newest that came in; null where nothing did. */
  incoming: LastMessage | null;
  /** The alias, and the account, that last wrote in it. */
  aliasId: string | null;
  accountId: string | null;
  /** The person's address, and their id at the network, as campaign or message know it. */
  toEmail: string | null;
  personId: string | null;
  profileUrl: string | null;
}

/** All messages of conversation `c`: its own, and those of its campaign's lead. */
const messages: SQL = sql`(
      select m.id, m.direction, case when m.dedup_key like 'network:%' then 'socialnet' else 'email' end as channel, m.message_id, m.from_email,
        m.subject, m.text, m.html, m.sent_at
      from conversation_messages m where m.conversation_id = c.id
      union all
      select s.id, 'out', case when s.budget = '' then 'email' else 'socialnet' end, case when s.budget = '' then s.message_id end, '',
        s.subject, null, b.html, coalesce(s.accepted_at, s.transmitting_at)
      from sends s left join send_bodies b on b.send_id = s.id
      where s.campaign_lead_id = c.campaign_lead_id and s.state in ('accepted', 'assumed_sent', 'unknown')
        and (s.budget <> 'message' or s.message_id is not null or b.send_id is not null)
    )`;

/** Undefined where nothing was said. */
export async function endOfThread(
  db: Db,
  { id, workspaceId }: Pick<ConversationRow, "id" | "workspaceId">,
): Promise<ThreadEnd | undefined> {
  const { rows } = await db.execute(sql`
    with c as materialized (select * from conversations where id = ${id} and workspace_id = ${workspaceId}),
    said as materialized (select message.* from c, lateral ${messages} message)
    select newest.*,
      coalesce((select e.alias_id from emails e where e.conversation_id = c.id and e.workspace_id = c.workspace_id order by e.id desc limit 1),
        (select s.lane_id from sends s where s.campaign_lead_id = c.campaign_lead_id and s.budget = '' and s.transmitting_at is not null order by s.transmitting_at desc limit 1),
        case when c.channel = 'email' then c.alias_id end) as alias_id,
      coalesce((select s.lane_id from sends s where s.campaign_lead_id = c.campaign_lead_id and s.budget <> '' and s.transmitting_at is not null order by s.transmitting_at desc limit 1),
        case when c.channel = 'socialnet' then c.alias_id end) as account_id,
      coalesce((select l.email from campaign_leads l where l.id = c.campaign_lead_id),
        (select e.to_email from emails e where e.conversation_id = c.id and e.workspace_id = c.workspace_id and e.to_email <> '' order by e.id desc limit 1)) as to_email,
      (select l.person_id from campaign_leads l where l.id = c.campaign_lead_id) as person_id,
      (select l.profile_url from campaign_leads l where l.id = c.campaign_lead_id) as profile_url
    from c, lateral (
      (select * from said order by sent_at desc, id desc limit 1)
      union all
      (select * from said where direction = 'in' order by sent_at desc, id desc limit 1)
    ) newest`);
  const [last, incoming] = rows.map(readLast);
  if (last === undefined) return undefined;
  const [row] = rows.map(readEnd);
  return { last, incoming: incoming ?? null, ...row! };
}

const readEnd = rowReader({
  aliasId: orNull(text),
  accountId: orNull(text),
  toEmail: orNull(text),
  personId: orNull(text),
  profileUrl: orNull(text),
});

/**
 * Keeps an answer, if the conversation's newest message is still the one of that id: what comes in meanwhile waits for
 * this transaction, or is seen by it (`isFenced`); so is an erasure (`foundAsJudged`).
 */
export async function insertAnswer(
  db: Db,
  email: NewEmail,
  lastMessageId: string | null,
): Promise<EmailRow> {
  const insert = db.insert(emails).values(email).returning();
  const isLast =
    lastMessageId === null
      ? sql`true`
      : sql`(select message.id from ${messages} message order by message.sent_at desc, message.id desc limit 1) = ${lastMessageId}::uuid`;
  const { workspaceId, emailKey, conversationId } = email;
  const [, , , , rows] = await commit(db, [
    // They lock the thread: the next statement sees what was committed while they waited.
    ...foundAsJudged(db, workspaceId, [emailKey], [conversationId]),
    fenceStatement(
      db,
      sql`select 1 from conversations c where c.id = ${conversationId} and ${isLast}`,
      1,
    ),
    insert,
  ]);
  return rows[0]!;
}
