import { newId, pair, type State } from "./books.ts";
import { act, limitRefusal } from "./acts.ts";
import { type ErrorName, NetworkRefusal } from "./errors.ts";
import type { Account, Invitation, Relation } from "./model.ts";
import { isFriend, isUnreachable, mannersOf, type Person } from "./people.ts";

const DAY_MS = 86_400_000;
/** Whoever was invited and withdrawn cannot be invited again for so long. */
const WITHDRAWN_REST_MS = 21 * DAY_MS;
const LONGEST_NOTE = { free: 200, premium: 300 };
/** Since when those who are friends from the start are connected. */
const FRIENDS_SINCE_MS = 400 * DAY_MS;

/** The connection of the two, if there is one. A friend by name is written down at first sight. */
export function relationOf({ books }: State, owner: string, person: string): Relation | undefined {
  const found = books.relations.get(pair(owner, person));
  if (found !== undefined || !isFriend(person)) return found;
  const since = Date.now() - FRIENDS_SINCE_MS;
  books.relations.put(pair(owner, person), { owner, person, since });
  return books.relations.get(pair(owner, person));
}

export const isConnected = (state: State, owner: string, person: string) =>
  relationOf(state, owner, person) !== undefined;

/** An invitation that its sender sees as open. */
export function openInvitation({ books }: State, owner: string, person: string) {
  const found = books.invitations.get(pair(owner, person));
  return found !== undefined && isOpen(found) ? found : undefined;
}

export const isOpen = ({ state }: Invitation) => state === "pending" || state === "ignored";

/** Why this person cannot be invited, if so. */
function obstacle(state: State, { owner }: Account, { slug }: Person): [ErrorName, string] | null {
  if (slug === owner) return ["cannot_invite_attendee", "The account's owner cannot be invited."];
  if (relationOf(state, owner, slug))
    return ["already_connected", "This user is already a connection."];
  if (isUnreachable(slug)) return ["user_unreachable", "This user cannot be invited."];
  const last = state.books.invitations.get(pair(owner, slug));
  const rests = last?.state === "withdrawn" && (last.endedAt ?? 0) > Date.now() - WITHDRAWN_REST_MS;
  return rests || (last !== undefined && isOpen(last))
    ? ["already_invited_recently", "An invitation has already been sent recently to this user."]
    : null;
}

export function invite(
  state: State,
  account: Account,
  person: Person,
  note: string | null,
): Invitation {
  const longest = account.isPremium ? LONGEST_NOTE.premium : LONGEST_NOTE.free;
  if (note !== null && [...note].length > longest)
    throw new NetworkRefusal("too_many_characters", `The note is longer than ${longest}.`);
  const refusal = obstacle(state, account, person);
  if (refusal !== null) throw new NetworkRefusal(...refusal);
  if (state.faults.take("limit_reached")) throw limitRefusal("cannot_resend_yet");
  act(state, account, { kind: "invite", person: person.slug, text: note });
  return write(state, {
    id: newId(),
    owner: account.owner,
    person: person.slug,
    note,
    at: Date.now(),
    state: "pending",
    endedAt: null,
  });
}

function write(state: State, invitation: Invitation): Invitation {
  const { books } = state;
  const { id, owner, person, at } = invitation;
  books.invitations.put(pair(owner, person), invitation);
  const { accepts_after: seconds } = mannersOf(state, owner, person);
  if (seconds !== null)
    books.agenda.put(id, {
      kind: "accept",
      invitation: pair(owner, person),
      dueAt: at + seconds * 1000,
    });
  state.changed();
  return invitation;
}

export function endInvitation(state: State, invitation: Invitation, how: Invitation["state"]) {
  const { owner, person, id } = invitation;
  state.books.agenda.delete(id);
  const ended = { ...invitation, state: how, endedAt: Date.now() };
  state.books.invitations.put(pair(owner, person), ended);
  state.changed();
}

/** Says yes; the provider tells of it a while later. */
export function accept(state: State, invitation: Invitation): void {
  const { owner, person } = invitation;
  endInvitation(state, invitation, "accepted");
  state.books.relations.put(pair(owner, person), { owner, person, since: Date.now() });
  const dueAt = Date.now() + mannersOf(state, owner, person).told_after * 1000;
  state.books.agenda.put(newId(), { kind: "tell_relation", owner, person, dueAt });
  state.changed();
}
