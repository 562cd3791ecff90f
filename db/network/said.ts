import { commit, type Db } from "../client.ts";
import { countDirectMessage } from "../engine.ts";
import { keepMessageStatements, type NetworkMessage, type Thread } from "./messages.ts";

/** What was said through the API: in its thread, and in the day's use of its account. */
export async function keepSaid(db: Db, thread: Thread, message: NetworkMessage): Promise<void> {
  await commit(db, [
    countDirectMessage(db, thread.account.id, message.now),
    ...keepMessageStatements(db, thread, message),
  ]);
}
