import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/errors.ts";
import type { Network } from "#src/providers/network/index.ts";

/** 503 where this deployment cannot reach a professional network; nothing is begun that could not end. */
export function requireNetwork({ network }: Pick<Deps, "network">): Network {
  if (network !== null) return network;
  throw new AppError(
    "unavailable",
    "NETWORK_NOT_CONFIGURED",
    "This deployment has no professional network (UNIPILE_API_URL).",
  );
}
