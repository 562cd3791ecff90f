import type { TestApi } from "./api.ts";

/**
 * Counts the requests that the database gets from now on, up to the 2,000 that its log keeps. What earlier calls do
 * behind their answers, as noting a key's first use, is done before.
 */
export async function statements({ neon, settled }: TestApi): Promise<() => number> {
  await settled();
  neon.log.clear();
  return () => neon.log.entries().length;
}
