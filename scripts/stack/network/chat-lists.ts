import { attendeeView, kept, messageView } from "./chat-operations.ts";
import { messagesOf } from "./chats.ts";
import { cursorOf, filterOf, newestFirst, page } from "./lists.ts";
import type { Chat } from "./model.ts";
import { type Asked, operation } from "./operation.ts";
import { findAccount } from "./sessions.ts";

/** The chats of an account; those of all, where the query names none. */
function chatsOf({ state, query }: Asked): (Chat & { accountId: string })[] {
  const wanted = filterOf(query, "account_id");
  const accounts =
    wanted === null
      ? state.books.accounts.values().filter(({ isNew }) => !isNew)
      : [findAccount(state, wanted)];
  const accountOf = new Map(accounts.map(({ owner, id }) => [owner, id]));
  return state.books.chats.values().flatMap((chat) => {
    const accountId = accountOf.get(chat.owner);
    return accountId === undefined ? [] : [{ ...chat, accountId }];
  });
}

function listMessages(asked: Asked): object {
  const { state, query } = asked;
  const before = filterOf(query, "before") ?? "9";
  const after = filterOf(query, "after") ?? "";
  const found = chatsOf(asked).flatMap((chat) =>
    messagesOf(state, chat.id)
      .map((message) => ({ chat, message, at: new Date(message.at).toISOString() }))
      .filter(({ at }) => at < before && at > after),
  );
  return page(
    "MessageList",
    newestFirst(found, ({ message }) => message.at),
    {
      query,
      view: ({ chat, message }) => messageView(chat, message),
      filters: cursorOf(query)?.filters ?? kept(query, ["account_id", "before", "after"]),
    },
  );
}

/** Each with whom there is a chat; the owner of the account not among them. */
function listAttendees(asked: Asked): object {
  return page(
    "ChatAttendeeList",
    newestFirst(chatsOf(asked), ({ lastAt }) => lastAt),
    {
      query: asked.query,
      view: (chat) => attendeeView(asked.state, chat, chat.person),
      filters: cursorOf(asked.query)?.filters ?? kept(asked.query, ["account_id"]),
    },
  );
}

/** Over all chats of an account at once. */
export const chatListOperations = [
  operation("GET", "messages", listMessages),
  operation("GET", "chat_attendees", listAttendees),
];
