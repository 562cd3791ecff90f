import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { countDirectMessage, holdSuppressionsStatement } from "../engine/index.ts";
import { saveMessageStatements, type NetworkMessage, type Thread } from "./messages.ts";

/** Saves a message sent through the API in its thread, and counts it in its account's day. False when it was saved before. */
export async function addDirectMessage(
  db: Db,
  thread: Thread,
  message: NetworkMessage,
): Promise<boolean> {
  const isNew = sql`exists (select 1 from conversation_messages kept where kept.id = ${message.id})`;
  const [, , , , { rows }] = await commit(db, [
    holdSuppressionsStatement(db, thread.account.workspaceId),
    ...saveMessageStatements(db, thread, message),
    db.execute<{ is_new: boolean }>(sql`select ${isNew} as is_new`),
    countDirectMessage(db, thread.account.id, message.now, isNew),
  ]);
  return rows[0]!.is_new;
}
