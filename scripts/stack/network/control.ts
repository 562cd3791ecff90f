import { z } from "zod";
import { limitsOf } from "./acts.ts";
import type { State } from "./books.ts";
import { answer } from "./chats.ts";
import { accept, endInvitation, isOpen } from "./invitations.ts";
import type { Account, Invitation, Limits, Manners, Message, SourceStatus } from "./model.ts";
import { findPerson } from "./people.ts";
import { findAccount, keep, passed, setStatus } from "./sessions.ts";

/** The person or record that was asked for is not there, or not in a state for it. */
export class ControlRefusal extends Error {}

/** What tests and people make the network and its people do, at once. */
export interface NetworkControl {
  /** The owner says yes in the app. */
  approve(accountId: string): Account;
  setStatus(accountId: string, status: SourceStatus): Account;
  /** The network restricts the member, or lifts it. */
  restrict(accountId: string, isRestricted: boolean): Account;
  /** Changes what is said of it; the rest stays. */
  setLimits(accountId: string, limits: Partial<Limits>): Limits;
  accept(invitationId: string): void;
  /** The person says no, which the member is not told. */
  decline(invitationId: string): void;
  /** A person writes to the account's owner. */
  reply(accountId: string, publicIdentifier: string, text: string): Message;
  setManners(publicIdentifier: string, manners: Manners): Manners;
  removePost(id: string): void;
}

const seconds = z.number().min(0).max(315_576_000);
export const mannersBody = z.strictObject({
  accepts_after: seconds.nullable().optional(),
  answers_after: seconds.nullable().optional(),
  answer: z.string().min(1).max(8000).optional(),
  told_after: seconds.optional(),
});

const limit = z.number().int().min(0).max(1_000_000).nullable().optional();
export const limitsBody = z.strictObject({
  invitations_per_day: limit,
  invitations_per_week: limit,
  notes_per_month: limit,
  messages_per_day: limit,
  views_per_day: limit,
});

export function createControl(state: State): NetworkControl {
  const { books, changed } = state;

  function openInvitation(id: string): Invitation {
    const found = books.invitations.values().find((each) => each.id === id && isOpen(each));
    if (found === undefined) throw new ControlRefusal("There is no such open invitation.");
    return found;
  }

  return {
    approve(accountId) {
      const account = findAccount(state, accountId);
      if (account.challenges[0] !== "IN_APP")
        throw new ControlRefusal("Nothing is to be approved in the app.");
      return passed(state, account);
    },
    setStatus: (accountId, status) => setStatus(state, findAccount(state, accountId), status),
    restrict: (accountId, isRestricted) =>
      keep(state, { ...findAccount(state, accountId), isRestricted }),
    setLimits(accountId, limits) {
      const account = findAccount(state, accountId);
      books.limits.put(account.owner, { ...books.limits.get(account.owner), ...limits });
      changed();
      return limitsOf(state, account);
    },
    accept: (id) => accept(state, openInvitation(id)),
    decline: (id) => endInvitation(state, openInvitation(id), "ignored"),
    reply(accountId, publicIdentifier, text) {
      const person = findPerson(publicIdentifier);
      if (person === null) throw new ControlRefusal("There is nobody of that name.");
      return answer(state, findAccount(state, accountId).owner, person.slug, text);
    },
    setManners(publicIdentifier, manners) {
      const person = findPerson(publicIdentifier);
      if (person === null) throw new ControlRefusal("There is nobody of that name.");
      books.manners.put(person.slug, { ...books.manners.get(person.slug), ...manners });
      changed();
      return books.manners.get(person.slug) ?? {};
    },
    removePost(id) {
      if (!books.posts.delete(id)) throw new ControlRefusal("There is no such post.");
      changed();
    },
  };
}
