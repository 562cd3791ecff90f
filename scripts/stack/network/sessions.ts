import { newId, type State } from "./books.ts";
import { type ErrorName, NetworkRefusal } from "./errors.ts";
import { tellStatus } from "./events.ts";
import type { Login } from "./logins.ts";
import type { Account, SourceStatus } from "./model.ts";

/** How long a challenge can be answered, by the stack's clock. */
const CHALLENGE_MS = 5 * 60_000;
const MOST_WRONG_CODES = 5;
/** How often the account is looked at before its owner said yes in the app. */
const POLLS_UNTIL_APPROVED = 3;

/** The account as it is now, with its challenge ended if its time is over. */
export function findAccount(state: State, id: string): Account {
  const account = state.books.accounts.get(id);
  if (account === undefined) throw new NetworkRefusal("resource_not_found", "Account not found.");
  return account;
}

const REFUSALS: Record<Exclude<SourceStatus, "OK">, [ErrorName, string]> = {
  CREDENTIALS: ["disconnected_account", "The account appears to be disconnected."],
  PERMISSIONS: ["disconnected_account", "The account lacks permissions and must be reconnected."],
  STOPPED: ["multiple_sessions", "The session was stopped by another one."],
  ERROR: ["no_client_session", "No client session is running for this account."],
  CONNECTING: ["no_client_session", "The client session is being started."],
};

/** The account, if its session is open. */
export function requireSession(state: State, id: string): Account {
  const account = findAccount(state, id);
  if (account.isRestricted)
    throw new NetworkRefusal("account_restricted", "Access to this account has been restricted.");
  if (account.status !== "OK") throw new NetworkRefusal(...REFUSALS[account.status]);
  if (!state.faults.take("session_lost")) return account;
  setStatus(state, account, "CREDENTIALS");
  throw new NetworkRefusal(...REFUSALS.CREDENTIALS);
}

export function keep({ books, changed }: State, account: Account): Account {
  books.accounts.put(account.id, account);
  changed();
  return account;
}

/** Opens a session, or the first challenge on the way to it; of `known`, if it is to be opened again. */
export function begin(state: State, login: Login, known?: Account): Account {
  const fresh = { id: newId(), createdAt: Date.now(), isNew: true };
  const { owner, isPremium, challenges } = login;
  const base = { ...(known ?? fresh), owner, isPremium, isRestricted: false };
  return proceed(state, { ...base, ...UNCHALLENGED, status: "CONNECTING", challenges });
}

const UNCHALLENGED = { challengeEndsAt: null, wrongCodes: 0, polls: 0 };

/** To the next challenge, or into the session. */
export function proceed(state: State, account: Account): Account {
  if (account.challenges.length > 0) {
    const challengeEndsAt = Date.now() + CHALLENGE_MS;
    return keep(state, { ...account, ...UNCHALLENGED, status: "CONNECTING", challengeEndsAt });
  }
  const opened = keep(state, { ...account, ...UNCHALLENGED, status: "OK", isNew: false });
  tellStatus(state, opened, account.isNew ? "CREATION_SUCCESS" : "RECONNECTED");
  return opened;
}

export const passed = (state: State, account: Account) =>
  proceed(state, { ...account, challenges: account.challenges.slice(1) });

/** A challenge that was not passed: what was never connected is gone, what was is disconnected. */
export function abandon(state: State, account: Account): void {
  if (account.isNew) {
    state.books.accounts.delete(account.id);
    return state.changed();
  }
  setStatus(state, { ...account, ...UNCHALLENGED, challenges: [] }, "CREDENTIALS");
}

export function countWrongCode(state: State, account: Account): void {
  const wrongCodes = account.wrongCodes + 1;
  if (wrongCodes >= MOST_WRONG_CODES) abandon(state, account);
  else keep(state, { ...account, wrongCodes });
}

/** Somebody looks whether the owner has said yes in the app; he has, after some looks. */
export function poll(state: State, account: Account): Account {
  if (account.challenges[0] !== "IN_APP") return account;
  const polls = account.polls + 1;
  return polls >= POLLS_UNTIL_APPROVED
    ? passed(state, account)
    : keep(state, { ...account, polls });
}

/** What happens to a session by itself. */
export function setStatus(state: State, account: Account, status: SourceStatus): Account {
  const changed = keep(state, { ...account, status });
  tellStatus(state, changed, status);
  return changed;
}
