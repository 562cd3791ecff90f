import { type CheckpointRow, endChallenge, giveTryBack, takeTry } from "#db/network/checkpoints.ts";
import { getAccount } from "#db/network/accounts.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";
import { notFound } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type {
  Answer,
  CheckpointType,
  Connection,
  Network,
  NetworkFailure,
} from "#src/providers/network/index.ts";
import { type Login, settleLogin } from "./connect.ts";
import { checkpointOver, codeRefused, loginRefusalOf } from "./refusals.ts";
import { requireNetwork } from "./require-network.ts";

/**
 * Answers a challenge by its code, or, with an empty one, looks whether it was met in the network's own app, which
 * costs no try. A further challenge comes with a token of its own; one that is still to be met keeps the one it has.
 */
export async function answerCheckpoint(
  deps: Deps,
  principal: Principal,
  { token, code }: { token: string; code: string },
): Promise<Login> {
  const network = requireNetwork(deps);
  const given = code.trim();
  const isEmpty = bare(given) === "";
  const checkpoint = await takeCheckpoint(deps, principal, token, !isEmpty);
  if (isEmpty) return lookForApproval(deps, network, principal, checkpoint, token);
  const { accountId: recordId, providerAccountId: session } = checkpoint;
  const solution = checkpoint.type === "captcha" ? given : bare(given);
  const answer = await network.accounts.solveCheckpoint(session, solution);
  const connection = answer.ok
    ? answer.value
    : await afterFailure(deps, network, checkpoint, answer.failure);
  return settleLogin(deps, network, principal, connection, { recordId });
}

/** A code as it is meant: people type it as it is shown to them, in groups. A captcha's solution is no code. */
const bare = (code: string): string => code.replace(/[\s\p{Pd}\p{Cf}]/gu, "");

/** The open checkpoint behind a token, with one of its tries taken. */
async function takeCheckpoint(
  { db, clock }: Deps,
  { workspaceId }: Principal,
  token: string,
  counts: boolean,
): Promise<CheckpointRow> {
  const tokenHash = await sha256Hex(token);
  const taken = await takeTry(db, workspaceId, tokenHash, { counts, now: clock.now() });
  if (taken === undefined) throw notFound("Checkpoint");
  if (!taken.open) throw checkpointOver();
  return taken.checkpoint;
}

async function lookForApproval(
  deps: Deps,
  network: Network,
  principal: Principal,
  checkpoint: CheckpointRow,
  token: string,
): Promise<Login> {
  const { accountId: recordId, providerAccountId: session } = checkpoint;
  const type = checkpoint.type as CheckpointType;
  if (type !== "in_app_validation") throw codeRefused();
  const answer = await network.accounts.get(session);
  if (!answer.ok) throw loginRefusalOf(deps, answer.failure);
  const status = answer.value?.status;
  if (status === "connected") {
    const connection = { state: "connected" as const, accountId: session };
    return settleLogin(deps, network, principal, connection, { recordId });
  }
  if (status !== "connecting") throw await over(deps, checkpoint);
  const { db, clock } = deps;
  const found = await getAccount(db, principal.workspaceId, recordId, clock.now());
  return { account: requireFound(found, "Connected account"), challenge: { type, token } };
}

/** Whether it was met all the same; else throws what the caller is told. */
async function afterFailure(
  deps: Deps,
  network: Network,
  checkpoint: CheckpointRow,
  failure: NetworkFailure,
): Promise<Connection> {
  const refusal = loginRefusalOf(deps, failure);
  switch (failure.kind) {
    case "unknown":
      if (isConnected(await network.accounts.get(checkpoint.providerAccountId)))
        return { state: "connected", accountId: checkpoint.providerAccountId };
      throw refusal;
    case "down":
    case "limited":
    case "configuration":
      // The network never saw the code.
      await giveTryBack(deps.db, checkpoint.id);
      throw refusal;
    case "request":
    case "person":
      throw codeRefused();
    case "account":
      throw await over(deps, checkpoint, refusal);
    case "refused_login":
      throw failure.reason === "code" ? refusal : await over(deps, checkpoint, refusal);
  }
}

export const isConnected = (answer: Answer<{ status: string } | null>): boolean =>
  answer.ok && answer.value?.status === "connected";

async function over({ db, clock }: Deps, { accountId }: CheckpointRow, refusal = checkpointOver()) {
  await endChallenge(db, accountId, clock.now());
  return refusal;
}
