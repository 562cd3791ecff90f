import { pair, type State } from "./books.ts";
import { chatOf, messagesOf } from "./chats.ts";
import { isOpen } from "./invitations.ts";
import { newestFirst } from "./lists.ts";
import { nameOf } from "./people.ts";
import { invitationSummary, who } from "./views.ts";

/** How many of those who heard last the page lists. */
const LISTED = 300;

interface Contact {
  owner: string;
  person: string;
  /** When something between the two happened last. */
  lastAt: number;
}

/** The people whom a member invited or talked with. */
function contacts({ books }: State): Contact[] {
  const found = new Map<string, Contact>();
  const note = (owner: string, person: string, at: number) => {
    const key = pair(owner, person);
    const lastAt = Math.max(at, found.get(key)?.lastAt ?? 0);
    found.set(key, { owner, person, lastAt });
  };
  for (const { owner, person, at, endedAt } of books.invitations.values())
    note(owner, person, endedAt ?? at);
  for (const { owner, person, lastAt } of books.chats.values()) note(owner, person, lastAt);
  return newestFirst([...found.values()], ({ lastAt }) => lastAt);
}

/** The latest first, without what was said before. */
export function listContacts(state: State) {
  const all = contacts(state);
  const listed = all.slice(0, LISTED).map(({ owner, person, lastAt }) => {
    const chat = chatOf(state, owner, person);
    return {
      owner,
      owner_name: nameOf(owner),
      person,
      name: nameOf(person),
      state: standing(state, owner, person),
      unread: chat.unread,
      last_text: messagesOf(state, chat.id).at(-1)?.text ?? null,
      last_at: new Date(lastAt).toISOString(),
    };
  });
  return { total: all.length, contacts: listed };
}

function standing({ books }: State, owner: string, person: string) {
  const invitation = books.invitations.get(pair(owner, person));
  if (invitation !== undefined && isOpen(invitation)) return "invited";
  if (books.relations.get(pair(owner, person)) !== undefined) return "connected";
  return invitation?.state === "withdrawn" ? "withdrawn" : "no longer";
}

/** All that happened between the two, oldest first; null where nothing did. */
export function showContact(state: State, owner: string, person: string) {
  const { books } = state;
  const invitation = books.invitations.get(pair(owner, person));
  const chat = books.chats.get(chatOf(state, owner, person).id);
  if (invitation === undefined && chat === undefined) return null;
  const sessions = books.accounts.values().filter((each) => each.owner === owner);
  return {
    owner: who(owner),
    person: who(person),
    state: standing(state, owner, person),
    /** The account to which the person can write; null where the member has no account here any more. */
    account_id: sessions.at(-1)?.id ?? null,
    invitation: invitation === undefined ? null : invitationSummary(invitation),
    since: iso(books.relations.get(pair(owner, person))?.since),
    messages: messagesOf(state, chat?.id ?? "").map(({ id, sender, text, at }) => ({
      id,
      direction: sender === owner ? "out" : "in",
      text,
      at: iso(at),
    })),
  };
}

const iso = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());
