import * as z from "zod";
import type { Answer, ChatMessage, NetworkChats, SentMessage } from "../index.ts";
import { describeChats, detailsOf } from "./chat-details.ts";
import { failed, lostFailure } from "./failures.ts";
import { chat } from "./messages.ts";
import { isMissing, orAccountGone, whenMissing } from "./missing.ts";
import { askPage, type Unipile } from "./pages.ts";
import { noPerson } from "./people.ts";
import { incomingSince, messagesIn, messagesWith } from "./message-history.ts";
import { optionalId } from "./values.ts";

const LONGEST_PAGE = 250;
/** Clocks differ, and the network takes its time. */
const RECENT_MS = 10 * 60_000;

const sent = z.object({ object: z.literal("MessageSent"), message_id: optionalId });
const started = z.object({
  object: z.literal("ChatStarted"),
  chat_id: optionalId,
  message_id: optionalId,
});

export function createChats(unipile: Unipile): NetworkChats {
  const { ask } = unipile;

  /** The API may take a message without saying which it is: then it is the latest of its words. */
  async function named(
    text: string,
    messageId: string | null,
    chatId: string | null,
    recent: (since: Date) => Promise<Answer<ChatMessage[]>>,
  ): Promise<Answer<SentMessage>> {
    if (messageId !== null && chatId !== null) return { ok: true, value: { messageId, chatId } };
    const messages = await recent(new Date(unipile.now().getTime() - RECENT_MS));
    const words = text.replaceAll("\r\n", "\n");
    const found = messages.ok
      ? messages.value.find((each) => each.direction === "out" && each.text === words)
      : undefined;
    return found === undefined
      ? unnamed()
      : { ok: true, value: { messageId: found.id, chatId: found.chatId } };
  }

  return {
    async list(accountId, { limit, cursor }) {
      const [page, details] = await Promise.all([
        askPage(unipile, {
          path: ["chats"],
          of: accountId,
          query: { account_id: accountId },
          limit: Math.min(limit, LONGEST_PAGE),
          cursor,
          item: chat,
        }),
        detailsOf(unipile, accountId, { isFirstPage: cursor === null }),
      ]);
      if (!page.ok) return orAccountGone(page);
      // Whatever a cursor was made to say, an account's list has that account's chats.
      const chats = page.value.items.filter((each) => each.accountId === accountId);
      const items = await describeChats(unipile, accountId, chats, details);
      return { ok: true, value: { ...page.value, items } };
    },

    async get(chatId) {
      const answer = await ask({
        purpose: "read",
        method: "GET",
        path: ["chats", chatId],
        shape: chat.nullable(),
      });
      return isMissing(answer) ? { ok: true, value: null } : answer;
    },

    heard: (accountId, since, cursor) => incomingSince(unipile, accountId, since, cursor),

    messagesWith: (accountId, personId, since) => messagesWith(unipile, accountId, personId, since),

    async send(chatId, text) {
      const answer = await ask({
        purpose: "act",
        method: "POST",
        path: ["chats", chatId, "messages"],
        body: formOf([["text", text]]),
        shape: sent,
      });
      if (!answer.ok) return answer;
      return named(text, answer.value.message_id, chatId, (since) =>
        messagesIn(unipile, chatId, since),
      );
    },

    async start(accountId, personId, text) {
      const answer = await ask({
        purpose: "act",
        method: "POST",
        path: ["chats"],
        body: formOf([
          ["account_id", accountId],
          ["attendees_ids", personId],
          ["text", text],
        ]),
        shape: started,
      });
      if (!answer.ok) return whenMissing<SentMessage>(ask, accountId, answer, noPerson);
      const { chat_id: chatId, message_id: messageId } = answer.value;
      return named(text, messageId, chatId, (since) =>
        messagesWith(unipile, accountId, personId, since),
      );
    },
  };
}

/** As with an answer that was lost, it has to be looked up later. */
const unnamed = () =>
  failed(
    lostFailure("act", "unnamed_message", "The network did not say which message this became"),
  );

function formOf(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
