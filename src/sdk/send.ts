import { errorOf, OvertureError } from "./error.ts";

export interface Sending {
  fetch: typeof fetch;
  /** After the first attempt; with none nothing is waited for. */
  maxRetries: number;
  /** Of one attempt, with its body; so long, too, is waited for what an attempt before still works on. */
  timeoutMs: number;
  /** What the first wait is drawn from, where the answer asks for none; each next one is twice as long. */
  retryDelayMs: number;
}

export const MAX_RETRIES = 5;
export const DEFAULTS = { maxRetries: MAX_RETRIES, timeoutMs: 60_000, retryDelayMs: 500 };
const LONGEST_DELAY_MS = 8000;
/** Of what is still at work and names no wait, 6 s. */
const AT_WORK_DELAYS = 12;
/** Its shortest wait, whatever it names: it is not counted, and a Retry-After of 0 would spin. */
const LEAST_AT_WORK_MS = 250;
/** A longer Retry-After is given to the caller instead of being waited for. */
const LONGEST_WAIT_S = 60;

export interface Attempt {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | FormData | undefined;
  /** Whether it may reach the service twice: it reads, or has a key by which it is done once. */
  isRepeatable: boolean;
  signal?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends until there is an answer that another attempt would not better; throws an `OvertureError` for what is no success.
 * That an attempt before is still at work is no failure: it counts as a retry only behind the time of one attempt.
 */
export async function send(sending: Sending, attempt: Attempt): Promise<Reply> {
  const most = Math.min(sending.maxRetries, MAX_RETRIES);
  let retries = 0;
  let atWorkSince: number | undefined;
  for (;;) {
    attempt.signal?.throwIfAborted();
    const outcome = await once(sending, attempt);
    if (!(outcome instanceof OvertureError)) return outcome;
    const atWork = isAtWork(outcome);
    if (atWork) atWorkSince ??= performance.now();
    const isAwaited = atWork && most > 0 && performance.now() - atWorkSince! < sending.timeoutMs;
    const wait = waitFor(outcome, sending.retryDelayMs, retries);
    const isLast = !isAwaited && retries >= most;
    if (isLast || wait > LONGEST_WAIT_S * 1000 || !isWorthwhile(outcome, attempt)) throw outcome;
    if (!isAwaited) retries++;
    await sleep(wait, attempt.signal);
  }
}

function waitFor(outcome: OvertureError, firstMs: number, retries: number): number {
  const { retryAfter } = outcome;
  const asked = retryAfter === null ? null : retryAfter * 1000;
  if (isAtWork(outcome)) return Math.max(LEAST_AT_WORK_MS, asked ?? AT_WORK_DELAYS * firstMs);
  return asked ?? backoff(firstMs, retries);
}

async function once(
  { fetch, timeoutMs }: Sending,
  { url, method, headers, body, signal }: Attempt,
): Promise<Reply | OvertureError> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      // A body is for the host that was meant, and for no other that it names.
      redirect: "manual",
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.ok) return { status: response.status, headers: response.headers, text };
    return errorOf(response.status, response.headers, text);
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return new OvertureError(
      0,
      "NETWORK",
      `No whole answer came from ${new URL(url).origin}: ${why}`,
      {
        cause: error,
      },
    );
  }
}

function isWorthwhile(outcome: OvertureError, { isRepeatable }: Attempt): boolean {
  const { status, code, isReplayed } = outcome;
  if (status === 429 || isAtWork(outcome)) return true;
  // What is not set up on this deployment is not set up a second later either.
  if (code.endsWith("_NOT_CONFIGURED") || isReplayed) return false;
  return isRepeatable && (status === 0 || status >= 500);
}

/** An attempt before, whose answer was lost, still works under this key or for this payment: its answer will be given to this one. */
const isAtWork = ({ status, code, problem }: OvertureError): boolean =>
  code === "IDEMPOTENCY_IN_PROGRESS" ||
  (status === 402 && problem["error"] === "payment_already_in_use");

/** Half of it is drawn, so that those who failed together do not come again together. */
function backoff(firstMs: number, retry: number): number {
  const most = Math.min(LONGEST_DELAY_MS, firstMs * 2 ** retry);
  return most / 2 + (Math.random() * most) / 2;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
