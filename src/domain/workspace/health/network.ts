import type { Deps } from "#src/deps.ts";
import type { NetworkFailure } from "#src/providers/network/index.ts";
import type { Component } from "./check.ts";

/** Key of the cache: why the last call to the network's provider failed that should not have. */
const FAILING = "network:failing";
const SIGN_SECONDS = 300;

/** For the status page, which asks nothing itself; the cache may lose it. */
export async function noteNetworkTrouble(
  { cache }: Pick<Deps, "cache">,
  { code, detail }: NetworkFailure,
): Promise<void> {
  await cache.set(FAILING, `${detail} (${code})`, SIGN_SECONDS).catch(() => {});
}

export const networkTrouble = ({ cache }: Pick<Deps, "cache">): Promise<string | null> =>
  cache.get(FAILING);

/** Not asked here: each look would count as a call of some account. Calls leave a sign. */
export function networkComponent({ network }: Pick<Deps, "network">, trouble: string | null) {
  const component = (status: Component["status"], detail?: string): Component => ({
    status,
    latency_ms: 0,
    ...(detail === undefined ? {} : { detail }),
  });
  if (network === null) return component("not_configured", "UNIPILE_API_URL is not set.");
  return trouble === null ? component("healthy") : component("degraded", trouble);
}
