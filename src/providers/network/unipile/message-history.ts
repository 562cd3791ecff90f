import type { Answer, ChatMessage, IncomingMessage, Page } from "../index.ts";
import { chat, incomingMessage, message } from "./messages.ts";
import { orAccountGone, whenMissing } from "./missing.ts";
import { askPage, type Unipile } from "./pages.ts";

const LONGEST_PAGE = 250;
/** With one person there is mostly one chat, and a second one for a paid message. */
const CHATS_WITH_ONE = 5;

/** The API leaves out the instant itself. */
const justBefore = (since: Date): string =>
  new Date(Math.max(0, since.getTime() - 1)).toISOString();

/** What others said in any chat of the account since then, the latest first. */
export async function incomingSince(
  unipile: Unipile,
  accountId: string,
  since: Date,
  cursor: string | null,
): Promise<Answer<Page<IncomingMessage>>> {
  const page = await askPage(unipile, {
    path: ["messages"],
    of: accountId,
    limit: LONGEST_PAGE,
    query: { account_id: accountId, after: justBefore(since) },
    cursor,
    item: incomingMessage,
  });
  if (!page.ok) return orAccountGone(page);
  const items = page.value.items.filter((each) => each !== null);
  return { ok: true, value: { ...page.value, items } };
}

/** What was said in a chat since then, the latest first. */
export async function messagesIn(
  unipile: Unipile,
  chatId: string,
  since: Date,
): Promise<Answer<ChatMessage[]>> {
  const page = await askPage(unipile, {
    path: ["chats", chatId, "messages"],
    of: chatId,
    limit: LONGEST_PAGE,
    query: { after: justBefore(since) },
    item: message,
  });
  if (!page.ok) return page;
  const messages = page.value.items.filter((each) => each !== null);
  return { ok: true, value: latestFirst(messages.filter(({ sentAt }) => sentAt >= since)) };
}

/** The same of all chats with a person. */
export async function messagesWith(
  unipile: Unipile,
  accountId: string,
  personId: string,
  since: Date,
): Promise<Answer<ChatMessage[]>> {
  const chats = await askPage(unipile, {
    path: ["chat_attendees", personId, "chats"],
    of: accountId,
    query: { account_id: accountId },
    limit: CHATS_WITH_ONE,
    item: chat,
  });
  if (!chats.ok)
    return whenMissing<ChatMessage[]>(unipile.ask, accountId, chats, () => ({
      ok: true,
      value: [],
    }));
  const theirs = chats.value.items.filter((each) => each.accountId === accountId);
  const answers = await Promise.all(theirs.map((each) => messagesIn(unipile, each.id, since)));
  const failure = answers.find((each) => !each.ok);
  if (failure !== undefined) return failure;
  return { ok: true, value: latestFirst(answers.flatMap((each) => (each.ok ? each.value : []))) };
}

const latestFirst = (messages: ChatMessage[]) =>
  messages.toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
