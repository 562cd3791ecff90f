import { limitsOf } from "./acts.ts";
import type { State } from "./books.ts";
import { messagesOf } from "./chats.ts";
import { newestFirst } from "./lists.ts";
import type { Account, Act, Invitation } from "./model.ts";
import { nameOf, personOf } from "./people.ts";
import { countersOf, socialIdOf } from "./posts.ts";

const iso = (at: number) => new Date(at).toISOString();

export const who = (slug: string) => {
  const { headline, id, profileUrl } = personOf(slug);
  return {
    name: nameOf(slug),
    public_identifier: slug,
    provider_id: id,
    headline,
    profile_url: profileUrl,
  };
};

export function accountSummary(state: State, account: Account) {
  const { id, owner, status, isPremium, isRestricted, challenges, createdAt } = account;
  return {
    id,
    owner: who(owner),
    status,
    is_premium: isPremium,
    is_restricted: isRestricted,
    challenge: challenges[0] ?? null,
    limits: limitsOf(state, account),
    created_at: iso(createdAt),
  };
}

export function invitationSummary({ id, owner, person, note, at, state, endedAt }: Invitation) {
  return {
    id,
    owner: who(owner),
    person: who(person),
    note,
    sent_at: iso(at),
    state,
    ended_at: endedAt === null ? null : iso(endedAt),
  };
}

export const listAccounts = (state: State) =>
  state.books.accounts.values().map((account) => accountSummary(state, account));

/** Newest first. */
export const listInvitations = ({ books }: State) =>
  newestFirst(books.invitations.values(), ({ at }) => at).map(invitationSummary);

/** The latest first, each with its messages, oldest first. */
export const listChats = (state: State) =>
  newestFirst(state.books.chats.values(), ({ lastAt }) => lastAt).map((chat) => ({
    id: chat.id,
    owner: who(chat.owner),
    person: who(chat.person),
    unread: chat.unread,
    last_at: iso(chat.lastAt),
    messages: messagesOf(state, chat.id).map(({ id, sender, text, at }) => ({
      id,
      direction: sender === chat.owner ? ("out" as const) : ("in" as const),
      text,
      at: iso(at),
    })),
  }));

/** Newest first. */
export const listPosts = ({ books }: State) =>
  newestFirst(books.posts.values(), ({ at }) => at).map((post) => ({
    id: post.id,
    social_id: socialIdOf(post),
    owner: who(post.owner),
    text: post.text,
    published_at: iso(post.at),
    image: post.image === null ? null : { ...post.image, url: `/media/${post.image.id}` },
    ...countersOf(post),
  }));

/** What members did, oldest first: by this a test counts what happened once, and how far apart. */
export const listActs = ({ books }: State, kind?: Act["kind"]) =>
  books.acts
    .values()
    .filter((each) => kind === undefined || each.kind === kind)
    .map(({ at, ...rest }) => ({ at: iso(at), ...rest }));

/** Without the values of headers, which are secrets. */
export const listWebhooks = ({ books }: State) =>
  books.webhooks.values().map(({ headers, ...rest }) => ({
    ...rest,
    headers: headers.map(({ key }) => key),
    waiting: books.deliveries.values().filter(({ webhook }) => webhook === rest.id).length,
  }));
