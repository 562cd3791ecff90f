import { UNIQUE_VIOLATION, violates } from "#db/base/client.ts";
import { type Account, type AccountRow, getAccount, insertAccount } from "#db/network/accounts.ts";
import { openSession, recordsOfSession, recordStatus } from "#db/network/sessions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound, retryWhileChanged } from "#src/domain/owned.ts";
import { badRequest, conflict, notFound } from "#src/errors.ts";
import type { Network, NetworkAccount } from "#src/providers/network/index.ts";
import { endSession } from "./end-session.ts";
import { newAccount, newLaneSize } from "./new-account.ts";
import { ANOTHER_PERSON, isAnother, shownOf, soonSync } from "./status.ts";
import { enqueueSync } from "./sync-due.ts";

export type Owner = Pick<Principal, "workspaceId" | "userId">;

/** A session that the provider has opened. */
export interface OpenedSession {
  /** The provider's id of it. */
  session: string;
  /** The record for which it was opened; null for a new one. */
  recordId: string | null;
  /** From where; absent: as it was. */
  country?: string | undefined;
}

/**
 * Keeps an open session: in the record of the same person where the workspace has one, else in the record it was opened
 * for, else in a new one. The session that it takes the place of is ended at the provider. The look at the account that
 * is asked for reads what was said meanwhile, and lets campaigns that waited for the account go on.
 */
export async function keepSession(
  deps: Deps,
  network: Network,
  owner: Owner,
  opened: OpenedSession,
): Promise<Account> {
  const who = await whoseIs(network, opened.session);
  const attempt = () => keepAs(deps, owner, opened, who);
  const kept = await retryWhileChanged(
    attempt,
    "CONFLICT",
    "The account is being changed by others.",
  );
  if (kept.replaced !== null) await endSession(deps, kept.replaced);
  await enqueueSync(deps, kept.id);
  const now = deps.clock.now();
  return requireFound(
    await getAccount(deps.db, owner.workspaceId, kept.id, now),
    "Connected account",
  );
}

/** Null where the provider does not say it now: the next look at the account will. */
async function whoseIs(network: Network, session: string): Promise<NetworkAccount | null> {
  const answer = await network.accounts.get(session);
  return answer.ok ? answer.value : null;
}

interface Kept {
  id: string;
  /** The session that the record had before. */
  replaced: string | null;
}

/** Undefined when another request was first. */
async function keepAs(
  deps: Deps,
  owner: Owner,
  opened: OpenedSession,
  who: NetworkAccount | null,
): Promise<Kept | undefined> {
  const { session, recordId, country } = opened;
  const personId = who?.personId ?? null;
  const records = await recordsOfSession(deps.db, owner.workspaceId, recordId, personId);
  const own = records.find(({ id }) => id === recordId);
  if (recordId !== null && own === undefined) {
    await endSession(deps, session);
    throw notFound("Connected account");
  }
  if (own !== undefined && who !== null && isAnother(own, who))
    throw await refuseAnother(deps, own, session);
  const set = { ...openedSet(session, who), ...(country && { connectionCountry: country }) };
  const account =
    records.find((record) => record.personId === personId && personId !== null) ?? own;
  if (account === undefined) return insertKept(deps, owner, set);
  const now = deps.clock.now();
  const update = openSession(
    deps.db,
    account,
    {
      ...set,
      statusSince: account.status === "connected" ? account.statusSince : now,
      warmupFrom: account.warmupFrom ?? now,
      nextSyncAt: soonSync(now),
    },
    { other: own === undefined || own.id === account.id ? null : own, now },
  );
  if ((await unlessTaken(update)) !== true) return undefined;
  const before = account.providerAccountId;
  return { id: account.id, replaced: before === "" || before === session ? null : before };
}

const openedSet = (session: string, who: NetworkAccount | null) => ({
  providerAccountId: session,
  status: "connected" as const,
  checkpointPending: false,
  failures: 0,
  lastError: null,
  ...(who === null ? {} : { ...shownOf(who), ...(who.personId && { personId: who.personId }) }),
});

async function insertKept(
  deps: Deps,
  owner: Owner,
  set: ReturnType<typeof openedSet>,
): Promise<Kept | undefined> {
  const [id, now] = [deps.ids.uuid(), deps.clock.now()];
  const content = {
    ...newAccount(now),
    ...set,
    warmupFrom: now,
    nextSyncAt: soonSync(now),
  };
  const size = await newLaneSize(deps, owner.workspaceId, now);
  const isMade = await unlessTaken(insertAccount(deps.db, { ...owner, id, now }, content, size));
  return isMade === true ? { id, replaced: null } : undefined;
}

/** Undefined when another record of the workspace is this person's by now. */
async function unlessTaken(work: Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, UNIQUE_VIOLATION, "connected_accounts_person")) return undefined;
    if (!violates(error, UNIQUE_VIOLATION, "connected_accounts_provider")) throw error;
    throw conflict("CONFLICT", "The provider gave out a session that another account has.");
  }
}

/** A record stays its person's: its chats and relations are with that person. */
async function refuseAnother(deps: Deps, account: AccountRow, session: string) {
  const now = deps.clock.now();
  const set = { status: "disconnected" as const, lastError: ANOTHER_PERSON, nextSyncAt: null };
  const drops = account.providerAccountId === session ? { providerAccountId: "" } : {};
  await recordStatus(deps.db, account, { ...set, ...drops, checkpointPending: false }, now);
  await endSession(deps, session);
  return badRequest(
    "ACCOUNT_CREDENTIALS_INVALID",
    "These credentials are another person's; connect them as an account of their own.",
  );
}
