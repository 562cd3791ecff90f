import type { Clock } from "./index.ts";

/**
 * Rejects unless the work is done within so long of the clock. Adapters bound an answer over their own
 * socket by the runtime's timers instead: a server takes no less time because the clock was moved.
 */
export async function within<Result>(
  clock: Clock,
  ms: number,
  work: Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const deadline = clock.sleepUntil(new Date(clock.now().getTime() + ms), done.signal).then(() => {
    throw new Error(`not done within ${ms} ms`);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    done.abort();
  }
}
