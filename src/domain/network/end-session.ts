import { isSessionInUse } from "#db/network/sync.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { requireNetwork } from "./require-network.ts";
import { upstreamError } from "./refusals.ts";

export const END_NETWORK_SESSION = "end-network-session";

/** Has a session that no account has any more ended at the provider, as soon as that is possible; false when it could not be asked for. */
export async function endSession(
  deps: Deps,
  session: string,
  { afterSeconds = 0 } = {},
): Promise<boolean> {
  const notBefore = new Date(deps.clock.now().getTime() + afterSeconds * 1000);
  try {
    await deps.queue.publish({
      callback: END_NETWORK_SESSION,
      payload: { session, version: 1 },
      retries: 5,
      ...(afterSeconds === 0 ? {} : { notBefore }),
    });
    return true;
  } catch (error) {
    deps.log.error("network_session_left", { session, ...describeError(error) });
    return false;
  }
}

/** The queue's job: ends a session unless an account has it after all; fails where the provider does. */
export async function runEndSession(deps: Deps, session: string): Promise<"ended" | "in_use"> {
  const network = requireNetwork(deps);
  if (await isSessionInUse(deps.db, session, deps.clock.now())) return "in_use";
  const answer = await network.accounts.remove(session);
  if (!answer.ok) throw upstreamError(deps, answer.failure);
  return "ended";
}
