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

/** The work's result, or a rejection as soon as the signal is aborted, whatever the work then does. */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason as Error);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Work with a signal that is aborted when so long of the clock has passed. The work has to heed it: what
 * it makes of an end before its time is its own answer.
 */
export async function withDeadline<Result>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const late = new AbortController();
  clock
    .sleepUntil(new Date(clock.now().getTime() + ms), done.signal)
    .then(() => late.abort(new DOMException(`not done within ${ms} ms`, "TimeoutError")))
    .catch(() => {});
  try {
    return await work(late.signal);
  } finally {
    done.abort();
  }
}
