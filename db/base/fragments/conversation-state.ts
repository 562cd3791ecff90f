import { type SQL, sql } from "drizzle-orm";
import { instantParam } from "../instants.ts";

/** The state of a conversation by now: a snooze that is over is none. */
export const stateAt = (now: Date): SQL =>
  sql`case when conversations.state = 'snoozed' and conversations.snoozed_until <= ${instantParam(now)} then 'open' else conversations.state end`;
