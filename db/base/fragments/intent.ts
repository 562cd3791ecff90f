import { type SQL, sql } from "drizzle-orm";
import type { ReplyIntent } from "../../schema/index.ts";

/**
 * Sets the intent of a conversation `c`, beside its `last_message_at`, by what came in at `sentAt`: the newest reply
 * that says anything has the word, and what says nothing leaves what was known.
 */
export const suggestIntent = (intent: ReplyIntent | null | undefined, sentAt: SQL): SQL => {
  if (intent === null || intent === undefined) return sql``;
  const isNews =
    intent === "unclear"
      ? sql`c.intent is null`
      : sql`c.intent is null or c.last_message_at <= ${sentAt}`;
  return sql`, intent = case when ${isNews} then ${intent}::text else c.intent end`;
};

/** Sets what conversation `c` is by what came in at `sentAt`: the class of the newest, and open again where a person wrote. */
export const hears = (messageClass: string, isReply: boolean, sentAt: SQL): SQL =>
  sql`, class = case when c.class is null or c.last_message_at <= ${sentAt} then ${messageClass}::text else c.class end${
    isReply ? sql`, state = 'open', snoozed_until = null` : sql``
  }`;
