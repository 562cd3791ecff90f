import { errorOf, OvertureError } from "./error.ts";

export interface Sending {
  fetch: typeof fetch;
  /** After the first attempt. */
  maxRetries: number;
  /** Of one attempt, with its body. */
  timeoutMs: number;
  /** What the first wait is drawn from, where the answer asks for none; each next one is twice as long. */
  retryDelayMs: number;
}

export const MAX_RETRIES = 5;
export const DEFAULTS = { maxRetries: MAX_RETRIES, timeoutMs: 60_000, retryDelayMs: 500 };
const LONGEST_DELAY_MS = 8000;
/** Of a paid call that is still at work, 6 s: with the retries there are, longer than any works and settles. */
const AT_WORK_DELAYS = 12;
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

/** Sends until there is an answer that another attempt would not better; throws an `OvertureError` for what is no success. */
export async function send(sending: Sending, attempt: Attempt): Promise<Reply> {
  for (let retry = 0; ; retry++) {
    attempt.signal?.throwIfAborted();
    const outcome = await once(sending, attempt);
    if (!(outcome instanceof OvertureError)) return outcome;
    const wait =
      outcome.retryAfter ??
      (isAtWork(outcome)
        ? AT_WORK_DELAYS * sending.retryDelayMs
        : backoff(sending.retryDelayMs, retry)) / 1000;
    const isLast = retry >= Math.min(sending.maxRetries, MAX_RETRIES);
    if (isLast || wait > LONGEST_WAIT_S || !isWorthwhile(outcome, attempt)) throw outcome;
    await sleep(wait * 1000, attempt.signal);
  }
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
  if (code === "IDEMPOTENCY_IN_PROGRESS") return true;
  // What is not set up on this deployment is not set up a second later either.
  if (code.endsWith("_NOT_CONFIGURED") || isReplayed) return false;
  return isRepeatable && (status === 0 || status >= 500);
}

/** An attempt before, whose answer was lost, still works for this payment: it will be charged, and its answer given to this one. */
const isAtWork = ({ status, problem }: OvertureError): boolean =>
  status === 402 && problem["error"] === "payment_already_in_use";

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
