import type { AccountRow } from "#db/network/accounts.ts";
import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import type { NetworkFailure } from "#src/providers/network/index.ts";
import { notConnected } from "./choose-account.ts";
import { syncAccount } from "./sync-account.ts";

/**
 * Why the provider refused, in words for the caller; throws what is no refusal of the request: an outage, the
 * deployment's own key, and a lost session, at which the account is synced again.
 */
export function refusalOf(
  deps: Deps,
  { providerAccountId }: AccountRow,
  failure: NetworkFailure,
): string {
  switch (failure.kind) {
    case "person":
    case "request":
    case "limited":
    case "refused_login":
      return `${failure.detail}.`;
    case "account":
      deps.background(syncAccount(deps, providerAccountId));
      throw notConnected("not connected any more");
    case "configuration":
    case "down":
    case "unknown":
      deps.log.error("network_failed", { kind: failure.kind, code: failure.code });
      throw new AppError(
        "upstream_failed",
        "UPSTREAM_ERROR",
        failure.kind === "configuration"
          ? "The network's provider does not let this deployment in."
          : `${failure.detail}.`,
        failure.kind === "down" && failure.retryAfterSeconds !== undefined
          ? { retryAfter: failure.retryAfterSeconds }
          : {},
      );
  }
}
