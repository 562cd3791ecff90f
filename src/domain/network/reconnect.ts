import type { AccountRow } from "#db/network/accounts.ts";
import { beginReconnect, endReconnect } from "#db/network/reconnect.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict } from "#src/errors.ts";
import type {
  Answer,
  Connection,
  Credentials,
  Network,
  NetworkFailure,
} from "#src/providers/network/index.ts";
import { requireAccount } from "./accounts.ts";
import { isConnected } from "./checkpoint.ts";
import { type Login, settleLogin } from "./connect.ts";
import { loginRefusalOf } from "./refusals.ts";
import { requireNetwork } from "./require-network.ts";
import { RECONNECT_MS, soonSync } from "./status.ts";
import { shownStatus } from "#src/domain/senders/account-status.ts";

/**
 * Opens a new session for an account that has none; meanwhile other requests are refused. A failure leaves the
 * account as it was, or disconnected where the network says so.
 */
export async function reconnectAccount(
  deps: Deps,
  principal: Principal,
  id: string,
  wish: Credentials,
): Promise<Login> {
  const before = await requireAccount(deps, principal, id);
  const network = requireNetwork(deps);
  const begun = await begin(deps, before);
  const country = wish.country ?? before.connectionCountry ?? undefined;
  const credentials = { ...wish, ...(country === undefined ? {} : { country }) };
  const answer = await openAgain(network, before.providerAccountId, credentials);
  if (answer.ok)
    return settleLogin(deps, network, principal, answer.value, { recordId: id, country });
  const refusal = loginRefusalOf(deps, answer.failure);
  const isDown = refusal.kind === "upstream_failed";
  await endReconnect(deps.db, begun, {
    status: isDown && before.status === "error" ? "error" : "disconnected",
    lastError: isDown ? before.lastError : refusal.message,
    now: deps.clock.now(),
  });
  throw refusal;
}

async function begin(deps: Deps, account: AccountRow): Promise<AccountRow> {
  const now = deps.clock.now();
  const staleBefore = new Date(now.getTime() - RECONNECT_MS);
  const begun = await beginReconnect(deps.db, account, {
    staleBefore,
    now,
    nextSyncAt: soonSync(now),
  });
  if (begun !== undefined) return begun;
  const status = shownStatus(account, now);
  throw conflict(
    "INVALID_STATE_TRANSITION",
    `The account is ${status}; it can be connected again when it is disconnected or in error.`,
    { detail: { status } },
  );
}

/** In the provider's record of the account, or in a new one where the provider has none any more. */
async function openAgain(
  { accounts }: Network,
  session: string,
  credentials: Credentials,
): Promise<Answer<Connection>> {
  if (session === "") return accounts.connect(credentials);
  const answer = await accounts.reconnect(session, credentials);
  if (answer.ok) return answer;
  const { kind } = answer.failure;
  if (!PERHAPS.has(kind)) return answer;
  const found = await accounts.get(session);
  if (found.ok && found.value === null) return accounts.connect(credentials);
  const isDone = kind === "unknown" && isConnected(found);
  return isDone ? { ok: true, value: { state: "connected", accountId: session } } : answer;
}

/** It may have been done after all, or there is no such session any more. */
const PERHAPS = new Set<NetworkFailure["kind"]>(["unknown", "account", "request", "person"]);
