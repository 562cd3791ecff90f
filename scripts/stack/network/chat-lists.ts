import type { State } from "./books.ts";
import { messagesOf } from "./chats.ts";
import { attendeeId, attendeeView, chatView, messageView, type SeenChat } from "./chat-views.ts";
import { NetworkRefusal } from "./errors.ts";
import { filterOf, isWithin, newestFirst, page } from "./lists.ts";
import type { Account } from "./model.ts";
import type { Asked } from "./operation.ts";
import { findById } from "./people.ts";
import { findAccount } from "./sessions.ts";

/** The member's session through which the provider shows a chat: the latest, an open one before others. */
function sessionOf({ books }: State, owner: string): Account | undefined {
  const own = books.accounts.values().filter((each) => each.owner === owner && !each.isNew);
  return own.findLast(({ status }) => status === "OK") ?? own.at(-1);
}

export function findChat(state: State, id: string): SeenChat {
  const chat = state.books.chats.get(id);
  const account = chat === undefined ? undefined : sessionOf(state, chat.owner);
  if (chat === undefined || account === undefined)
    throw new NetworkRefusal("resource_not_found", "Chat not found.");
  return { ...chat, accountId: account.id };
}

/**
 * The chats of the account that is named, or of all, the latest first. They need no open session: what the provider has
 * seen it shows, whatever became of the account since.
 */
function seenChats({ state, query }: Asked): SeenChat[] {
  const id = filterOf(query, "account_id");
  const accounts =
    id === null
      ? state.books.accounts.values().filter(({ isNew }) => !isNew)
      : [findAccount(state, id)];
  const idOfOwner = new Map(accounts.map((account) => [account.owner, account.id]));
  const seen = state.books.chats.values().flatMap((chat) => {
    const accountId = idOfOwner.get(chat.owner);
    return accountId === undefined ? [] : [{ ...chat, accountId }];
  });
  return newestFirst(seen, ({ lastAt }) => lastAt);
}

export function listChats(asked: Asked): object {
  const { query } = asked;
  const unread = filterOf(query, "unread");
  const within = isWithin(query);
  const found = seenChats(asked).filter(
    (chat) => within(chat.lastAt) && (unread === null || (unread === "true") === chat.unread > 0),
  );
  const filters = ["account_id", "unread", "before", "after"];
  return page("ChatList", found, { query, view: chatView, filters });
}

/** The chats with one person, by the id of the attendee or of the person. */
export function listChatsWith(asked: Asked): object {
  const [wanted = ""] = asked.parts;
  const person = findById(wanted)?.slug;
  const found = seenChats(asked).filter(
    (chat) => chat.person === person || attendeeId(chat, false) === wanted,
  );
  return page("ChatList", found, { query: asked.query, view: chatView, filters: ["account_id"] });
}

/** Of these chats, the latest first. */
export function listMessages({ state, query }: Asked, chats: readonly SeenChat[]): object {
  const within = isWithin(query);
  const found = chats.flatMap((chat) =>
    messagesOf(state, chat.id)
      .filter(({ at }) => within(at))
      .map((message) => ({ chat, message })),
  );
  const latestFirst = newestFirst(found, ({ message }) => message.at);
  const view = ({ chat, message }: (typeof found)[number]) => messageView(chat, message);
  return page("MessageList", latestFirst, {
    query,
    view,
    filters: ["account_id", "before", "after"],
  });
}

export const listAllMessages = (asked: Asked) => listMessages(asked, seenChats(asked));

/** Both sides of a chat; the one list that has no pages. */
export function listAttendees({ state, parts: [id = ""] }: Asked): object {
  const chat = findChat(state, id);
  const items = [chat.owner, chat.person].map((slug) => attendeeView(state, chat, slug));
  return { object: "ChatAttendeeList", items };
}

/** The people with whom an account has a chat. */
export function listAllAttendees(asked: Asked): object {
  const view = (chat: SeenChat) => attendeeView(asked.state, chat, chat.person);
  const { query } = asked;
  return page("ChatAttendeeList", seenChats(asked), { query, view, filters: ["account_id"] });
}
