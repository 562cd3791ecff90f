import { z } from "zod";
import type { State } from "./books.ts";
import { chatOf, messagesOf, say } from "./chats.ts";
import { NetworkRefusal } from "./errors.ts";
import { isConnected, openInvitation } from "./invitations.ts";
import { cursorOf, filterOf, newestFirst, page } from "./lists.ts";
import type { Account, Chat, Message } from "./model.ts";
import { type Asked, bodyOf, formText, operation } from "./operation.ts";
import { findById, idOf, nameOf, personOf } from "./people.ts";
import { findAccount, requireSession } from "./sessions.ts";

/** The member's session through which the provider shows a chat; the latest, if there are several. */
function sessionOf({ books }: State, owner: string): Account | undefined {
  return books.accounts.values().findLast((each) => each.owner === owner && !each.isNew);
}

function findChat(state: State, id: string): Chat & { accountId: string } {
  const chat = state.books.chats.get(id);
  const account = chat === undefined ? undefined : sessionOf(state, chat.owner);
  if (chat === undefined || account === undefined)
    throw new NetworkRefusal("resource_not_found", "Chat not found.");
  return { ...chat, accountId: account.id };
}

/** As a chat list and a chat alone show it; the last message as `lastMessage` in neither. */
function chatView(accountId: string, chat: Chat): object {
  const { id, person, lastAt, unread } = chat;
  return {
    object: "Chat",
    id,
    account_id: accountId,
    account_type: "LINKEDIN",
    provider_id: `2-${id}`,
    attendee_provider_id: idOf(person),
    name: null,
    type: 0,
    timestamp: lastAt === 0 ? null : new Date(lastAt).toISOString(),
    unread_count: unread,
    archived: 0,
    muted_until: null,
    read_only: 0,
    disabledFeatures: [],
    folder: ["INBOX", "INBOX_LINKEDIN_CLASSIC"],
  };
}

/** A chat list knows no session: what the provider has seen it shows, whatever became of the account since. */
function listChats(asked: Asked): object {
  const { state, query } = asked;
  const accountOf = listedAccounts(asked);
  const isUnread = filterOf(query, "unread");
  const before = filterOf(query, "before") ?? "9";
  const after = filterOf(query, "after") ?? "";
  const found = state.books.chats.values().filter(({ owner, unread, lastAt }) => {
    return (
      accountOf.has(owner) &&
      (isUnread === null || (isUnread === "true") === unread > 0) &&
      isWithin(lastAt, after, before)
    );
  });
  return page(
    "ChatList",
    newestFirst(found, (each) => each.lastAt),
    {
      query,
      view: (chat) => chatView(accountOf.get(chat.owner) ?? "", chat),
      filters: cursorOf(query)?.filters ?? kept(query, ["account_id", "unread", "before", "after"]),
    },
  );
}

/** The filters that the query names. */
const kept = (query: URLSearchParams, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

function messageView(chat: Chat & { accountId: string }, message: Message): object {
  const isSender = message.sender === chat.owner;
  return {
    object: "Message",
    id: message.id,
    account_id: chat.accountId,
    chat_id: chat.id,
    chat_provider_id: `2-${chat.id}`,
    provider_id: `2-${message.id}`,
    sender_id: idOf(message.sender),
    sender_attendee_id: attendeeId(chat, isSender),
    text: message.text,
    timestamp: new Date(message.at).toISOString(),
    is_sender: isSender ? 1 : 0,
    attachments: [],
    reactions: [],
    seen: 0,
    seen_by: {},
    hidden: 0,
    deleted: 0,
    edited: 0,
    is_event: 0,
    delivered: 1,
    behavior: null,
    original: JSON.stringify({ body: message.text }),
  };
}

const attendeeId = ({ id }: Chat, isSelf: boolean) => `${id}_${isSelf ? "self" : "other"}`;

function listMessages(asked: Asked, chat: Chat & { accountId: string }): object {
  const { state, query } = asked;
  const before = filterOf(query, "before") ?? "9";
  const after = filterOf(query, "after") ?? "";
  const found = messagesOf(state, chat.id).filter(({ at }) => isWithin(at, after, before));
  return page(
    "MessageList",
    newestFirst(found, (each) => each.at),
    {
      query,
      view: (message) => messageView(chat, message),
      filters: cursorOf(query)?.filters ?? kept(query, ["before", "after"]),
    },
  );
}

function attendees({ state, parts: [id = ""] }: Asked): object {
  const chat = findChat(state, id);
  const items = [chat.owner, chat.person].map((slug) => attendeeView(state, chat, slug));
  return { object: "ChatAttendeeList", items };
}

function attendeeView(state: State, chat: Chat & { accountId: string }, slug: string): object {
  const { profileUrl, headline, id } = personOf(slug);
  const isSelf = slug === chat.owner;
  const distance = isSelf || isConnected(state, chat.owner, slug) ? "DISTANCE_1" : "DISTANCE_2";
  return {
    object: "ChatAttendee",
    id: attendeeId(chat, isSelf),
    account_id: chat.accountId,
    provider_id: id,
    name: nameOf(slug),
    is_self: isSelf ? 1 : 0,
    hidden: 0,
    profile_url: profileUrl,
    specifics: {
      provider: "LINKEDIN",
      member_urn: `urn:li:member:${id}`,
      network_distance: distance,
      pending_invitation: openInvitation(state, chat.owner, slug) !== undefined,
      headline,
    },
  };
}

/** Of all chats of an account, or of all accounts. */
function allMessages(asked: Asked): object {
  const { state, query } = asked;
  const accountOf = listedAccounts(asked);
  const before = filterOf(query, "before") ?? "9";
  const after = filterOf(query, "after") ?? "";
  const chats = state.books.chats.values().filter(({ owner }) => accountOf.has(owner));
  const found = chats.flatMap((chat) =>
    messagesOf(state, chat.id)
      .filter(({ at }) => isWithin(at, after, before))
      .map((message) => ({ chat, message })),
  );
  return page(
    "MessageList",
    newestFirst(found, ({ message }) => message.at),
    {
      query,
      view: ({ chat, message }) =>
        messageView({ ...chat, accountId: accountOf.get(chat.owner) ?? "" }, message),
      filters: cursorOf(query)?.filters ?? kept(query, ["account_id", "before", "after"]),
    },
  );
}

/** The sessions whose chats are asked for, by their owner. */
function listedAccounts({ state, query }: Asked): Map<string, string> {
  const id = filterOf(query, "account_id");
  const accounts =
    id === null
      ? state.books.accounts.values().filter(({ isNew }) => !isNew)
      : [findAccount(state, id)];
  return new Map(accounts.map((account) => [account.owner, account.id]));
}

const isWithin = (at: number, after: string, before: string) => {
  const instant = new Date(at).toISOString();
  return instant > after && instant < before;
};

/** Everybody whom an account has a chat with. */
function allAttendees(asked: Asked): object {
  const { state, query } = asked;
  const accountOf = listedAccounts(asked);
  const chats = state.books.chats.values().filter(({ owner }) => accountOf.has(owner));
  return page(
    "ChatAttendeeList",
    newestFirst(chats, (each) => each.lastAt),
    {
      query,
      view: (chat) =>
        attendeeView(state, { ...chat, accountId: accountOf.get(chat.owner) ?? "" }, chat.person),
      filters: cursorOf(query)?.filters ?? kept(query, ["account_id"]),
    },
  );
}

/** The chats of one person, by the id of the attendee or of the person. */
function chatsWith(asked: Asked): object {
  const { state, query, parts } = asked;
  const accountId = filterOf(query, "account_id");
  const owner = accountId === null ? null : findAccount(state, accountId).owner;
  const person = findById(parts[0] ?? "")?.slug;
  const found = state.books.chats
    .values()
    .filter(
      (chat) =>
        (owner === null || chat.owner === owner) &&
        (chat.person === person || attendeeId(chat, false) === parts[0]),
    );
  return page(
    "ChatList",
    newestFirst(found, (each) => each.lastAt),
    {
      query,
      view: (chat) => chatView(accountId ?? sessionOf(state, chat.owner)?.id ?? "", chat),
      filters: cursorOf(query)?.filters ?? kept(query, ["account_id"]),
    },
  );
}

function sendMessage(asked: Asked): object {
  const { state, parts } = asked;
  const chat = findChat(state, parts[0] ?? "");
  const account = requireSession(state, chat.accountId);
  const { id } = say(state, account, chat.person, formText(asked, "text"));
  return { status: 201, body: { object: "MessageSent", message_id: id } };
}

function startChat(asked: Asked): object {
  const { state, form } = asked;
  const accountId = formText(asked, "account_id");
  if (accountId === "")
    throw new NetworkRefusal("missing_parameters", "The parameter account_id is missing.");
  const account = requireSession(state, accountId);
  const [attendee, ...others] = form?.getAll("attendees_ids").map(String) ?? [];
  if (attendee === undefined)
    throw new NetworkRefusal("missing_parameters", "The parameter attendees_ids is missing.");
  if (others.length > 0) throw new NetworkRefusal("missing_feature", "Groups are not spoken here.");
  if (form?.get("linkedin[inmail]") === "true")
    throw new NetworkRefusal("insufficient_credits", "You don't have enough InMail credits.");
  const person = findById(attendee);
  if (person === null)
    throw new NetworkRefusal("invalid_recipient", "The recipient appears not to be valid.");
  const { id } = say(state, account, person.slug, formText(asked, "text"));
  const chat = chatOf(state, account.owner, person.slug);
  return { status: 201, body: { object: "ChatStarted", chat_id: chat.id, message_id: id } };
}

const chatAction = z.object({ action: z.literal("setReadStatus"), value: z.boolean() });

function changeChat(asked: Asked): object {
  const { state, parts } = asked;
  const { accountId: _, ...chat } = findChat(state, parts[0] ?? "");
  const { value: isRead } = bodyOf(asked, chatAction);
  state.books.chats.put(chat.id, { ...chat, unread: isRead ? 0 : Math.max(1, chat.unread) });
  state.changed();
  return { object: "ChatPatched" };
}

export const chatOperations = [
  operation("GET", "chats", listChats),
  operation("POST", "chats", startChat),
  operation("GET", "chats/:", ({ state, parts: [id = ""] }) => {
    const { accountId, ...chat } = findChat(state, id);
    return chatView(accountId, chat);
  }),
  operation("PATCH", "chats/:", changeChat),
  operation("GET", "chats/:/messages", (asked) =>
    listMessages(asked, findChat(asked.state, asked.parts[0] ?? "")),
  ),
  operation("POST", "chats/:/messages", sendMessage),
  operation("GET", "chats/:/attendees", attendees),
  operation("GET", "chat_attendees", allAttendees),
  operation("GET", "messages", allMessages),
  operation("GET", "chat_attendees/:/chats", chatsWith),
  operation("GET", "messages/:", ({ state, parts: [id = ""] }) => {
    const message = state.books.messages.get(id);
    if (message === undefined) throw new NetworkRefusal("resource_not_found", "Message not found.");
    return messageView(findChat(state, message.chat), message);
  }),
];
