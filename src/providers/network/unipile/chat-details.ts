import type { Chat, ChatMessage } from "../index.ts";
import { type Attendee, attendee, message } from "./messages.ts";
import { askPage, type PageQuestion, type Unipile } from "./pages.ts";

const LONGEST_PAGE = 250;
/** How many calls may go into what the two lists did not hold, and how many of them at a time. */
const LOOKUPS = 30;
const AT_A_TIME = 6;

/** What two lists of the whole account say of its chats. */
export interface Details {
  last: ReadonlyMap<string, ChatMessage>;
  people: ReadonlyMap<string, Attendee>;
}

/**
 * The API lists chats without what was said last and without names. Both stand in lists of the whole account, which are
 * asked beside that of the chats: a first page has the latest chats, and so the latest messages.
 */
export async function detailsOf(
  unipile: Unipile,
  accountId: string,
  { isFirstPage }: { isFirstPage: boolean },
): Promise<Details> {
  const query = { account_id: accountId };
  const [last, attendees] = await Promise.all([
    isFirstPage ? lastMessages(unipile, accountId, {}) : new Map<string, ChatMessage>(),
    itemsOf(unipile, { path: ["chat_attendees"], of: accountId, query, item: attendee }),
  ]);
  return { last, people: new Map(attendees.map((each) => [each.provider_id, each])) };
}

/** What the lists do not hold is asked for by instants, then chat by chat within limits, and null beyond. */
export async function describeChats(
  unipile: Unipile,
  accountId: string,
  chats: readonly Chat[],
  { last, people }: Details,
): Promise<Chat[]> {
  const described = chats.map((chat) => describedBy(chat, last.get(chat.id), people));
  const silent = described.filter(lastMessageOf.isMissing);
  if (silent.length === 0) return lookedUp(unipile, accountId, described);
  const older = await lastMessages(unipile, accountId, span(silent));
  const again = described.map((chat) => describedBy(chat, older.get(chat.id), people));
  return lookedUp(unipile, accountId, again);
}

async function lastMessages(unipile: Unipile, accountId: string, when: Record<string, string>) {
  const query = { account_id: accountId, ...when };
  const messages = await itemsOf(unipile, {
    path: ["messages"],
    of: accountId,
    query,
    item: message,
  });
  return lastByChat(messages.filter((each) => each !== null));
}

async function itemsOf<Item>(
  unipile: Unipile,
  question: Omit<PageQuestion<Item>, "limit"> & { limit?: number | null },
): Promise<Item[]> {
  const page = await askPage(unipile, { limit: LONGEST_PAGE, ...question });
  return page.ok ? page.value.items : [];
}

/** From the oldest chat's last word to the latest one's, both included. */
function span(chats: readonly Chat[]): Record<string, string> {
  const instants = chats.flatMap(({ updatedAt }) => (updatedAt === null ? [] : [+updatedAt]));
  if (instants.length === 0) return {};
  return {
    after: new Date(Math.min(...instants) - 1).toISOString(),
    before: new Date(Math.max(...instants) + 1).toISOString(),
  };
}

function lastByChat(messages: readonly ChatMessage[]): Map<string, ChatMessage> {
  const last = new Map<string, ChatMessage>();
  for (const each of messages) {
    const other = last.get(each.chatId);
    if (other === undefined || other.sentAt < each.sentAt) last.set(each.chatId, each);
  }
  return last;
}

function describedBy(
  chat: Chat,
  last: ChatMessage | undefined,
  people: ReadonlyMap<string, Attendee>,
): Chat {
  const { personId } = chat.attendee;
  return withAttendee(
    { ...chat, lastMessage: chat.lastMessage ?? last ?? null },
    personId === null ? undefined : people.get(personId),
  );
}

const withAttendee = (chat: Chat, person: Attendee | undefined): Chat =>
  person === undefined
    ? chat
    : {
        ...chat,
        attendee: {
          personId: person.provider_id,
          name: person.name ?? chat.attendee.name,
          profileUrl: person.profile_url,
        },
      };

/** What is still missing, by one or two calls for each chat. */
async function lookedUp(
  unipile: Unipile,
  accountId: string,
  chats: readonly Chat[],
): Promise<Chat[]> {
  let left = LOOKUPS;
  const queue = chats.entries();
  const done = [...chats];
  const worker = async () => {
    for (const [index, chat] of queue) {
      const needs = [lastMessageOf, attendeeOf].filter((need) => need.isMissing(chat));
      left -= needs.length;
      if (left < 0) return;
      for (const need of needs) done[index] = await need.fill(unipile, accountId, done[index]!);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return done;
}

const lastMessageOf = {
  isMissing: (chat: Chat) => chat.lastMessage === null,
  async fill(unipile: Unipile, accountId: string, chat: Chat): Promise<Chat> {
    const path = ["chats", chat.id, "messages"];
    const messages = await itemsOf(unipile, { path, of: accountId, limit: 5, item: message });
    const last = lastByChat(messages.filter((each) => each !== null)).get(chat.id);
    return { ...chat, lastMessage: last ?? null };
  },
};

const attendeeOf = {
  isMissing: ({ attendee: { personId, name } }: Chat) => personId === null || name === null,
  async fill(unipile: Unipile, accountId: string, chat: Chat): Promise<Chat> {
    const path = ["chats", chat.id, "attendees"];
    const people = await itemsOf(unipile, { path, of: accountId, limit: null, item: attendee });
    return withAttendee(
      chat,
      people.find(({ is_self }) => is_self !== true),
    );
  },
};
