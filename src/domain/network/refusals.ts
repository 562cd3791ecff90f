import type { Deps } from "#src/deps.ts";
import { AppError, badRequest, conflict } from "#src/errors.ts";
import type { NetworkFailure } from "#src/providers/network/index.ts";

/**
 * A login's failure for the caller, in the service's own words: the provider's might quote the credentials. The log has
 * kind and code.
 */
export function loginRefusalOf(deps: Deps, failure: NetworkFailure): AppError {
  switch (failure.kind) {
    case "refused_login":
      return LOGIN_REFUSALS[failure.reason]();
    case "account":
      return credentialsRefused("The network keeps this account from being connected.");
    case "request":
    case "person":
      return credentialsRefused("The network takes no such username and password.");
    case "limited":
    case "configuration":
    case "down":
    case "unknown":
      return upstreamError(deps, failure);
  }
}

const credentialsRefused = (message: string) => badRequest("ACCOUNT_CREDENTIALS_INVALID", message);

export const codeRefused = (): AppError =>
  badRequest("CHECKPOINT_CODE_INVALID", "The code is not the right one.");

export const checkpointOver = (): AppError =>
  conflict(
    "CHECKPOINT_EXPIRED",
    "The checkpoint is over: its five minutes or its five tries are used up, or it was met. Connect again.",
  );

const LOGIN_REFUSALS = {
  credentials: () => credentialsRefused("The network refused the username or the password."),
  code: codeRefused,
  expired: checkpointOver,
};

/** 502, for trouble of the provider, or of the deployment's account there. */
export function upstreamError({ log }: Pick<Deps, "log">, failure: NetworkFailure): AppError {
  log.error("network_failed", { kind: failure.kind, code: failure.code });
  const retryAfter = "retryAfterSeconds" in failure ? failure.retryAfterSeconds : undefined;
  return new AppError("upstream_failed", "UPSTREAM_ERROR", WORDS[failure.kind] ?? NOT_DONE, {
    retryAfter: retryAfter ?? 5,
  });
}

const NOT_DONE =
  "The professional network could not be reached; nothing was done. Try again in a moment.";
const WORDS: Partial<Record<NetworkFailure["kind"], string>> = {
  limited: "The professional network asks for a pause; nothing was done. Try again later.",
  unknown:
    "The answer of the professional network was lost, so that it may have been done. Look at the account before you try again.",
};
