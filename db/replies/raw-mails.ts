import { sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { orNull, rowReader, text, typed } from "../base/rows.ts";

/** Saves a message as it was received, `content` in base64; not where its message was not inserted, such as a duplicate. */
export const keepRawStatement = (
  db: Db,
  raw: { messageId: string; content: string; now: Date },
): Statement =>
  db.execute(sql`
    insert into raw_mails (message_id, content, received_at)
    select m.id, decode(${raw.content}, 'base64'), ${instantParam(raw.now)}
    from conversation_messages m where m.id = ${raw.messageId}::uuid
    on conflict (message_id) do nothing`);

const readRaw = rowReader({ direction: typed<"in" | "out">(), content: orNull(text) });

/** A message of a conversation, its own or the campaign's, with what was received in base64; undefined when there is none. */
export async function findRaw(
  db: Db,
  conversation: { id: string; workspaceId: string; campaignLeadId: string | null },
  messageId: string,
) {
  const { rows } = await db.execute(sql`
    select m.direction, encode(r.content, 'base64') as content
    from conversation_messages m left join raw_mails r on r.message_id = m.id
    where m.id = ${messageId}::uuid and m.conversation_id = ${conversation.id} and m.workspace_id = ${conversation.workspaceId}
    union all
    select 'out', null from sends s
    where s.id = ${messageId}::uuid and s.campaign_lead_id = ${conversation.campaignLeadId} and s.workspace_id = ${conversation.workspaceId}`);
  return rows[0] && readRaw(rows[0]);
}

/** Deletes what was received before then, the oldest first and no more than `limit`; answers how many. */
export async function forgetRaw(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute<{ forgotten: number }>(sql`
    with forgotten as (
      delete from raw_mails where message_id = any(array(
        select message_id from raw_mails where received_at < ${instantParam(before)} order by received_at limit ${limit}))
      returning message_id
    )
    select count(*)::int as forgotten from forgotten`);
  return rows[0]!.forgotten;
}
