import { readBoundedText } from "#src/platform/bounded-text.ts";

export interface HttpRequest {
  method: "GET" | "POST" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** "" when it could not be read to its end: too long, cut off or too late. */
  text: string;
}

export type HttpOutcome =
  | { kind: "answered"; answer: HttpAnswer }
  /** No connection came about, so nothing was said. */
  | { kind: "not_sent"; reason: string }
  /** The request may have arrived. */
  | { kind: "lost"; reason: string };

/** One request, one attempt, no redirect; never throws. `ms` bounds connection, request and answer together. */
export type HttpCall = (request: HttpRequest, ms: number) => Promise<HttpOutcome>;

/** Where an adapter says nothing else. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Node's codes for a connection that never came about. workerd has none: there a refused connection
 * and one that broke later read alike ("Network connection lost"), so both count as lost.
 */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

export function createHttpCall(
  fetch: typeof globalThis.fetch,
  maxAnswerBytes = MAX_ANSWER_BYTES,
): HttpCall {
  return async ({ url, ...request }, ms) => {
    const { host } = new URL(url);
    let response: Response;
    try {
      response = await fetch(url, {
        ...request,
        redirect: "manual",
        signal: AbortSignal.timeout(ms),
      });
    } catch (error) {
      if (isTimeout(error)) return { kind: "lost", reason: `${host} did not answer in time` };
      const code = codesOf(error).find((each) => NO_CONNECTION.has(each));
      return code === undefined
        ? { kind: "lost", reason: `the connection to ${host} was lost: ${wordsOf(error)}` }
        : { kind: "not_sent", reason: `no connection to ${host}: ${code}` };
    }
    const { status, headers } = response;
    const text = (await readBoundedText(response, maxAnswerBytes).catch(() => null)) ?? "";
    return { kind: "answered", answer: { status, headers, text } };
  };
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The codes of an error and of its causes: Node's fetch wraps what the socket said. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if ("code" in at && typeof at.code === "string") codes.push(at.code);
    at = at.cause;
  }
  return codes;
}
