import { isSessionInUse } from "#db/network/sync.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { requireNetwork } from "./require-network.ts";
import { upstreamError } from "./refusals.ts";

export const END_NETWORK_SESSION = "end-network-session";

/** Has a session that no account has any more ended at the provider, as soon as that is possible. */
export async function endSession(deps: Deps, session: string): Promise<void> {
  try {
    await deps.queue.publish({
      callback: END_NETWORK_SESSION,
      payload: { session, version: 1 },
      retries: 5,
    });
  } catch (error) {
    deps.log.error("network_session_left", { session, ...describeError(error) });
  }
}

/** What the queue asks for: nothing where an account has the session after all; fails where the provider does. */
export async function runEndSession(deps: Deps, session: string): Promise<"ended" | "in_use"> {
  const network = requireNetwork(deps);
  if (await isSessionInUse(deps.db, session, deps.clock.now())) return "in_use";
  const answer = await network.accounts.remove(session);
  if (!answer.ok) throw upstreamError(deps, answer.failure);
  return "ended";
}
