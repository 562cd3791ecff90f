import type { Deps } from "#src/deps.ts";

/** Key of the cache: why the way to the mail hosts failed when it was last used. */
export const VERIFIER_FAILING = "verifier:failing";
const SIGN_SECONDS = 300;

/** For the status page; the cache may lose it. */
export async function noteEgress(
  { cache }: Pick<Deps, "cache">,
  failure: string | null,
): Promise<void> {
  if (failure !== null) await cache.set(VERIFIER_FAILING, failure, SIGN_SECONDS).catch(() => {});
}
