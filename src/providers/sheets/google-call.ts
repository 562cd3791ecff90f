import type { Clock } from "#src/platform/index.ts";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import { SheetsFault } from "./index.ts";

export interface GoogleAnswer {
  status: number;
  headers: Headers;
  text: string;
}

export interface GoogleRequest {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: URLSearchParams;
  maxBytes: number;
}

/** One request and its repetitions. Throws SheetsFault `unavailable` when no answer came, `too_large` when it was too long. */
export type GoogleCall = (request: GoogleRequest) => Promise<GoogleAnswer>;

/** One answer; Sheets itself gives up after 180 s, our callers do not wait that long. */
const ATTEMPT_MS = 10_000;
/** All attempts and the waits between them. */
const BUDGET_MS = 15_000;
const WAITS_MS = [250, 1_000];
const WORTH_REPEATING = new Set([429, 500, 502, 503, 504]);

/** Everything asked is a read or a token, so that asking again does no harm. */
export function createGoogleCall(fetch: typeof globalThis.fetch, clock: Clock): GoogleCall {
  return async (request) => {
    const until = clock.now().getTime() + BUDGET_MS;
    for (let attempt = 0; ; attempt++) {
      const answer = await once(fetch, request).catch((error: unknown) => faultOf(request, error));
      const wait = waitOf(answer, attempt);
      const isOver = wait === null || clock.now().getTime() + wait + ATTEMPT_MS > until;
      if (!isOver) {
        await clock.sleepUntil(new Date(clock.now().getTime() + wait));
        continue;
      }
      if (answer instanceof SheetsFault) throw answer;
      return answer;
    }
  };
}

async function once(
  fetch: typeof globalThis.fetch,
  { url, maxBytes, ...request }: GoogleRequest,
): Promise<GoogleAnswer> {
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  const response = await fetch(url, { ...request, redirect: "manual", signal });
  const text = await readBoundedText(response, maxBytes);
  if (text === null)
    throw new SheetsFault("too_large", `the answer has more than ${maxBytes} bytes`);
  return { status: response.status, headers: response.headers, text };
}

function faultOf({ url }: GoogleRequest, error: unknown): SheetsFault {
  if (error instanceof SheetsFault) return error;
  const { host } = new URL(url);
  return new SheetsFault("unavailable", `${host} did not answer: ${String(error)}`);
}

/** Milliseconds to wait before it is asked again; null when this is the answer. */
function waitOf(answer: GoogleAnswer | SheetsFault, attempt: number): number | null {
  const wait = WAITS_MS[attempt];
  if (wait === undefined) return null;
  if (answer instanceof SheetsFault) return answer.kind === "unavailable" ? wait : null;
  if (!WORTH_REPEATING.has(answer.status)) return null;
  return Math.max(wait, 1000 * (retryAfter(answer.headers) ?? 0));
}

/** Seconds, when the header gives them; a date is left alone. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,5}$/.test(text) ? Number(text) : null;
}
