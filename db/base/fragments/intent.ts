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
