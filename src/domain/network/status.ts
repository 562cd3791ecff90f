import type { AccountRow } from "#db/network/accounts.ts";
import type { AccountSet } from "#db/network/sessions.ts";
import type { AccountState } from "#db/schema/index.ts";
import { fractionOf } from "#src/domain/engine/chance.ts";
import type { Answer, NetworkAccount } from "#src/providers/network/index.ts";
import { HOUR_MS } from "#src/platform/durations.ts";

/** So many faults of the provider in a row put an account into error. */
const FAULTS = 3;
/** After a fault, or while a session is being opened, the provider is asked again soon. */
const SOON_MS = 5 * 60_000;
/** A reconnect that has not ended by then has died. */
export const RECONNECT_MS = 2 * 60_000;

/** When an account that is as it should be is looked at again: after 1 to 8 hours, spread by a hash. */
export const laterSync = (id: string, now: Date): Date =>
  new Date(now.getTime() + HOUR_MS * (1 + 7 * fractionOf(id, Math.floor(now.getTime() / HOUR_MS))));

export const soonSync = (now: Date): Date => new Date(now.getTime() + SOON_MS);

type Judgement = AccountSet & { status: AccountState; nextSyncAt: Date };

/**
 * An account's next state by the provider's word on its session. A provider that does not answer says nothing of
 * the account; while a session is being opened, or a user reconnects the account, it is asked again soon.
 */
export function judge(
  account: AccountRow,
  answer: Answer<NetworkAccount | null>,
  challengeOpen: boolean,
  now: Date,
): Judgement {
  const same = { status: account.status, nextSyncAt: soonSync(now) };
  if (isBeingReconnected(account, now) || challengeOpen) return same;
  const later = laterSync(account.id, now);
  const become = (status: AccountState, set: AccountSet) => ({ ...set, status, nextSyncAt: later });
  const lost = (lastError: string, set: AccountSet = {}) =>
    become("disconnected", { ...set, failures: 0, lastError });

  if (!answer.ok) {
    if (answer.failure.kind === "account") return lost(SESSION_OVER);
    return account.status === "reconnecting"
      ? lost(NOT_RECONNECTED)
      : { ...same, nextSyncAt: later };
  }
  if (answer.value === null) return lost(SESSION_GONE, { providerAccountId: "" });
  const seen = answer.value;
  switch (seen.status) {
    case "connected":
      return isAnother(account, seen)
        ? lost(ANOTHER_PERSON)
        : become("connected", { ...shownOf(seen), failures: 0, lastError: null });
    case "disconnected":
      return lost(SESSION_OVER);
    case "connecting":
      return account.status === "reconnecting" ? lost(NOT_RECONNECTED) : same;
    case "error":
      return faulted(account, become, now);
  }
}

export const isBeingReconnected = (
  { status, updatedAt }: Pick<AccountRow, "status" | "updatedAt">,
  now: Date,
): boolean => status === "reconnecting" && now.getTime() - updatedAt.getTime() < RECONNECT_MS;

/** Whether a session is another person's than the account's. */
export const isAnother = (
  { personId }: Pick<AccountRow, "personId">,
  seen: Pick<NetworkAccount, "personId">,
): boolean => personId !== null && seen.personId !== null && personId !== seen.personId;

/** Several tellings of one fault are one: the next counts when the provider is asked again on time. */
function faulted(
  account: AccountRow,
  become: (status: AccountState, set: AccountSet) => Judgement,
  now: Date,
): Judgement {
  const isNew = account.failures === 0 || account.nextSyncAt === null || account.nextSyncAt <= now;
  const failures = Math.min(FAULTS, account.failures + (isNew ? 1 : 0));
  const set = { failures, lastError: FAULTY };
  if (failures === FAULTS) return become("error", set);
  const status = account.status === "reconnecting" ? "disconnected" : account.status;
  const due = isNew ? null : account.nextSyncAt;
  return { ...become(status, set), nextSyncAt: due ?? soonSync(now) };
}

const SESSION_OVER = "The network has ended the session; connect the account again.";
const SESSION_GONE = "The provider has no session of it any more; connect the account again.";
const NOT_RECONNECTED = "It was not connected again.";
const FAULTY = "The provider says that the session is faulty.";
export const ANOTHER_PERSON = "The session is another person's; connect the account again.";

const MAX_SHOWN = 2_000;

/** A name from the provider, as Postgres keeps it and a page shows it; '' for none. */
const shown = (text: string | null): string =>
  (text ?? "")
    .slice(0, MAX_SHOWN)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
    .replace(/[\u0000-\u001f\u007f]/g, "");

/** The profile columns of a session's person; those that the provider does not know stay as they were. */
export function shownOf(seen: NetworkAccount): AccountSet {
  const [displayName, profileUrl] = [shown(seen.displayName), shown(seen.profileUrl)];
  const publicIdentifier = shown(seen.publicIdentifier);
  return {
    isPremium: seen.isPremium,
    ...(displayName === "" ? {} : { displayName }),
    ...(profileUrl === "" ? {} : { profileUrl }),
    ...(publicIdentifier === "" ? {} : { publicIdentifier }),
  };
}
