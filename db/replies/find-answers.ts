import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";

/** The parts of a mail's header by which it may belong to the workspace. */
export interface MailClues {
  uid: number;
  /** When it came. */
  at: Date;
  /** What it answers, in its own words. */
  messageIds: readonly string[];
  /** The sender's address in its compared form; null when it has none. */
  senderKey: string | null;
}

/** The mails that answer a message of the workspace, or come from a recipient of one, sent since `since`. */
export async function findAnswers(
  db: Db,
  order: { workspaceId: string; mails: readonly MailClues[]; since: Date },
): Promise<Set<number>> {
  const records = order.mails.map(({ uid, at, messageIds, senderKey }) => ({
    uid,
    at: at.toISOString(),
    ids: messageIds,
    sender: senderKey,
  }));
  const since = instantParam(order.since);
  // Servers count whole seconds, and by clocks of their own.
  const at = sql`m.at + interval '1 minute'`;
  const { rows } = await db.execute<{ uid: number | string }>(sql`
    with mail as (
      select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as m(uid bigint, at timestamptz, ids text[], sender text)
    )
    select m.uid from mail m
    where exists (select 1 from sends s where s.message_id = any(m.ids) and s.workspace_id = ${order.workspaceId} and s.transmitting_at is not null)
      or exists (select 1 from emails e where e.message_id = any(m.ids) and e.workspace_id = ${order.workspaceId} and e.attempts > 0)
      or exists (select 1 from sends s where s.workspace_id = ${order.workspaceId} and s.email_key = m.sender and s.transmitting_at > ${since} and s.transmitting_at <= ${at})
      or exists (select 1 from emails e where e.workspace_id = ${order.workspaceId} and e.email_key = m.sender and e.sent_at > ${since} and e.sent_at <= ${at})`);
  return new Set(rows.map(({ uid }) => Number(uid)));
}
