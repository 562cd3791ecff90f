import { z } from "zod";
import type { Answer, ChatMessage, NetworkChats, SentMessage } from "../index.ts";
import { describeChats } from "./chat-details.ts";
import { lostFailure } from "./failures.ts";
import { chat, message } from "./messages.ts";
import { isMissing, orAccountGone, whenMissing } from "./missing.ts";
import { askPage, type Unipile } from "./pages.ts";
import { noPerson } from "./people.ts";
import { optionalId } from "./values.ts";

const LONGEST_PAGE = 250;
/** With one person there is mostly one chat, and a second one where somebody paid to write. */
const CHATS_WITH_ONE = 5;

const sent = z.object({ object: z.literal("MessageSent"), message_id: optionalId });
const started = z.object({
  object: z.literal("ChatStarted"),
  chat_id: optionalId,
  message_id: optionalId,
});

export function createChats(unipile: Unipile): NetworkChats {
  const { ask } = unipile;

  /** Of one chat, since then, the latest first. */
  async function messagesOf(accountId: string, chatId: string, since: Date | null) {
    const page = await askPage(unipile, {
      path: ["chats", chatId, "messages"],
      accountId,
      limit: LONGEST_PAGE,
      // The API leaves out the instant itself.
      query: since === null ? {} : { after: new Date(since.getTime() - 1).toISOString() },
      item: message,
    });
    return page.ok ? { ok: true as const, value: said(page.value.items, since) } : page;
  }

  async function messagesWith(accountId: string, personId: string, since: Date | null) {
    const chats = await askPage(unipile, {
      path: ["chat_attendees", personId, "chats"],
      accountId,
      query: { account_id: accountId },
      limit: CHATS_WITH_ONE,
      item: chat,
    });
    if (!chats.ok)
      return whenMissing<ChatMessage[]>(ask, accountId, chats, () => ({ ok: true, value: [] }));
    const theirs = chats.value.items.filter((each) => each.accountId === accountId);
    const answers = await Promise.all(theirs.map((each) => messagesOf(accountId, each.id, since)));
    const failure = answers.find((each) => !each.ok);
    if (failure !== undefined) return failure as Answer<ChatMessage[]>;
    const all = answers.flatMap((each) => (each.ok ? each.value : []));
    return { ok: true as const, value: latestFirst(all) };
  }

  return {
    async list(accountId, { limit, cursor }) {
      const page = await askPage(unipile, {
        path: ["chats"],
        accountId,
        query: { account_id: accountId },
        limit: Math.min(limit, LONGEST_PAGE),
        cursor,
        item: chat,
      });
      if (!page.ok) return orAccountGone(page);
      // Whatever a cursor was made to say, an account's list has that account's chats.
      const chats = page.value.items.filter((each) => each.accountId === accountId);
      return {
        ok: true,
        value: { ...page.value, items: await describeChats(unipile, accountId, chats) },
      };
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

    messagesWith,

    async send(chatId, text) {
      const answer = await ask({
        purpose: "act",
        method: "POST",
        path: ["chats", chatId, "messages"],
        body: formOf([["text", text]]),
        shape: sent,
      });
      if (!answer.ok) return answer;
      const messageId = answer.value.message_id;
      return messageId === null ? unnamed() : { ok: true, value: { messageId, chatId } };
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
      return chatId === null || messageId === null
        ? unnamed()
        : { ok: true, value: { messageId, chatId } };
    },
  };
}

/** It was said, and the API may not say which message it is: as with an answer that was lost, it has to be looked up. */
const unnamed = () =>
  ({
    ok: false,
    failure: lostFailure("act", "unnamed_message", "The network did not say which message it is"),
  }) as const;

const said = (messages: readonly (ChatMessage | null)[], since: Date | null) =>
  messages
    .filter((each) => each !== null)
    .filter(({ sentAt }) => since === null || sentAt >= since);

const latestFirst = (messages: ChatMessage[]) =>
  messages.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime());

function formOf(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
