import { type Account, getAccount, insertAccount } from "#db/network/accounts.ts";
import { challengeAccount, putCheckpointStatements } from "#db/network/checkpoints.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { notFound } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type {
  CheckpointType,
  Connection,
  Credentials,
  Network,
} from "#src/providers/network/index.ts";
import { endSession } from "./end-session.ts";
import { keepSession } from "./keep-session.ts";
import { newAccount, newLaneSize } from "./new-account.ts";
import { loginRefusalOf } from "./refusals.ts";
import { requireNetwork } from "./require-network.ts";

export { CHECKPOINT_TYPES } from "#src/providers/network/index.ts";

/** A login's result: the account is connected, or has a challenge to meet. */
export interface Login {
  account: Account;
  /** The token is in this answer and nowhere else: only its hash is stored. */
  challenge: { type: CheckpointType; token: string } | null;
}

/** Which record a login is for, null for a new one, and from where it is opened. */
export interface LoginFor {
  recordId: string | null;
  country?: string | undefined;
}

/** The credentials go into the provider's one request and nowhere else. */
export async function connectAccount(
  deps: Deps,
  principal: Principal,
  credentials: Credentials,
): Promise<Login> {
  const network = requireNetwork(deps);
  const answer = await network.accounts.connect(credentials);
  if (!answer.ok) throw loginRefusalOf(deps, answer.failure);
  const { country } = credentials;
  return settleLogin(deps, network, principal, answer.value, { recordId: null, country });
}

/** Keeps what a login came to. */
export async function settleLogin(
  deps: Deps,
  network: Network,
  principal: Principal,
  connection: Connection,
  login: LoginFor,
): Promise<Login> {
  if (connection.state === "checkpoint") return openChallenge(deps, principal, connection, login);
  const opened = { ...login, session: connection.accountId };
  return { account: await keepSession(deps, network, principal, opened), challenge: null };
}

const TOKEN_BYTES = 32;
const CHECKPOINT_MS = 5 * 60_000;

/** A new token for the challenge, which ends those of the challenges before it. */
async function openChallenge(
  deps: Deps,
  { workspaceId, userId }: Principal,
  { accountId: session, type }: Extract<Connection, { state: "checkpoint" }>,
  { recordId, country }: LoginFor,
): Promise<Login> {
  const token = deps.ids.secret(TOKEN_BYTES);
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + CHECKPOINT_MS);
  const id = recordId ?? deps.ids.uuid();
  const checkpoint = {
    id: deps.ids.uuid(),
    workspaceId,
    accountId: id,
    tokenHash: await sha256Hex(token),
    providerAccountId: session,
    type,
    expiresAt,
    createdAt: now,
  };
  const found = async () =>
    requireFound(await getAccount(deps.db, workspaceId, id, now), "Connected account");
  if (recordId === null) {
    const content = {
      ...newAccount(now),
      checkpointPending: true,
      connectionCountry: country ?? null,
      // The challenge may have been met elsewhere, such as in the network's app.
      nextSyncAt: expiresAt,
    };
    const size = await newLaneSize(deps, workspaceId, now);
    const owner = { id, workspaceId, userId, now };
    const put = putCheckpointStatements(deps.db, checkpoint);
    await insertAccount(deps.db, owner, content, size, put);
    return { account: await found(), challenge: { type, token } };
  }
  if (await challengeAccount(deps.db, checkpoint))
    return { account: await found(), challenge: { type, token } };
  const account = await getAccount(deps.db, workspaceId, id, now);
  if (account !== undefined) return { account, challenge: null };
  await endSession(deps, session);
  throw notFound("Connected account");
}
