import * as z from "zod";
import type { Chat, ChatMessage, IncomingMessage } from "../index.ts";
import { count, id, instant, optionalId, optionalName, optionalUrl, text, yes } from "./values.ts";

const row = z.object({
  id,
  chat_id: id,
  sender_id: optionalId,
  text: text.nullish().catch(null),
  timestamp: instant,
  is_sender: yes,
  is_event: yes.optional(),
});

/** Null for an event that is no message, such as a reaction, and for one without an instant. */
export const message = row.transform(messageOf);

/** Null for the account's own messages, too. */
export const incomingMessage = row.transform((each): IncomingMessage | null => {
  const said = messageOf(each);
  if (said?.direction !== "in") return null;
  const { id: messageId, chatId, text: words, sentAt: at } = said;
  return { messageId, chatId, personId: each.sender_id, text: words, at };
});

function messageOf(each: z.output<typeof row>): ChatMessage | null {
  if (each.timestamp === null || each.is_event === true) return null;
  return {
    id: each.id,
    chatId: each.chat_id,
    direction: each.is_sender ? "out" : "in",
    text: each.text ?? "",
    sentAt: each.timestamp,
  };
}

export const chat = z
  .object({
    id,
    account_id: id,
    attendee_provider_id: optionalId,
    name: optionalName,
    timestamp: instant,
    unread_count: count,
    lastMessage: message.nullish().catch(null),
  })
  .transform((each): Chat => ({
    id: each.id,
    accountId: each.account_id,
    attendee: { personId: each.attendee_provider_id, name: each.name, profileUrl: null },
    lastMessage: each.lastMessage ?? null,
    unreadCount: each.unread_count ?? 0,
    updatedAt: each.timestamp,
  }));

export const attendee = z.object({
  provider_id: id,
  name: optionalName,
  profile_url: optionalUrl,
  is_self: yes.optional(),
});
export type Attendee = z.output<typeof attendee>;
