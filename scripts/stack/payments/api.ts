import type { State } from "./books.ts";
import { badRequest, errorBody, StripeRefusal } from "./errors.ts";
import { createIdempotency, type KeyedRequest } from "./idempotency.ts";
import type { KeptAnswer } from "./model.ts";
import { API_VERSION } from "./objects.ts";
import { type Operation, operations } from "./operations.ts";
import { parseParameters } from "./parameters.ts";

export interface ApiRequest {
  id: string;
  method: string;
  path: string;
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface ApiAnswer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

export interface Api {
  /** `end` is called when the answer went out, or never will: until then its idempotency key is in use. */
  answer(request: ApiRequest): { answer: ApiAnswer; end(): void };
}

/** What `api.stripe.com` does with a request, short of reading and answering it. */
export function createApi(state: State, secretKey: string): Api {
  const { faults } = state;
  const idempotency = createIdempotency(state);

  function admit(request: ApiRequest): void {
    if (faults.take("server_error")) throw serverError();
    if (faults.take("rate_limited")) throw rateLimited();
    authenticate(request, secretKey);
    checkVersion(request);
  }

  /** A request that fails validation leaves nothing under its key; whatever comes after is kept, errors as well. */
  function perform(request: ApiRequest, keyed: KeyedRequest | null): ApiAnswer {
    const { operation, id } = findOperation(request);
    const form = request.method === "GET" ? request.query : request.body;
    const given = parseParameters(operation.schema, form);
    const answer = answerOf(() => {
      if (request.method !== "GET" && faults.take("server_error_kept")) throw serverError();
      return operation.run(state, given as never, id);
    });
    if (keyed !== null) idempotency.keep(keyed, { ...answer, requestId: request.id });
    return answer;
  }

  return {
    answer(request) {
      let end = () => {};
      try {
        admit(request);
        const keyed = keyedRequest(request);
        const kept = keyed === null ? null : idempotency.find(keyed);
        if (kept !== null) return { answer: replayed(kept), end };
        if (keyed !== null) end = idempotency.begin(keyed.key);
        return { answer: perform(request, keyed), end };
      } catch (error) {
        return { answer: refused(error), end };
      }
    },
  };
}

function replayed({ status, body, requestId }: KeptAnswer): ApiAnswer {
  const headers = { "idempotent-replayed": "true", "original-request": requestId };
  return { status, body, headers };
}

function answerOf(work: () => object): ApiAnswer {
  try {
    return { status: 200, body: JSON.stringify(work(), null, 2), headers: {} };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): ApiAnswer {
  if (!(error instanceof StripeRefusal)) throw error;
  return { status: error.status, body: JSON.stringify(errorBody(error), null, 2), headers: {} };
}

const serverError = () =>
  new StripeRefusal(500, "An unknown error occurred (ordered fault).", {}, "api_error");

const rateLimited = () =>
  new StripeRefusal(429, "Request rate limit exceeded.", { code: "rate_limit" });

function authenticate({ headers }: ApiRequest, secretKey: string): void {
  if (headers["authorization"] !== `Bearer ${secretKey}`)
    throw new StripeRefusal(401, "Invalid API Key provided: give it as `Authorization: Bearer`.");
}

/** Stripe speaks all its versions; here there is one. */
function checkVersion({ headers }: ApiRequest): void {
  const version = headers["stripe-version"];
  if (version === undefined || version === API_VERSION) return;
  throw badRequest(
    `Invalid Stripe API version: ${String(version)}. The local stand-in speaks ${API_VERSION} alone.`,
  );
}

function keyedRequest({ method, path, headers, body }: ApiRequest): KeyedRequest | null {
  const key = headers["idempotency-key"];
  return method === "POST" && typeof key === "string" && key !== ""
    ? { key, endpoint: path, body }
    : null;
}

function findOperation({ method, path }: ApiRequest): { operation: Operation; id: string } {
  for (const operation of operations) {
    const match = operation.method === method ? operation.path.exec(path) : null;
    if (match !== null) return { operation, id: match[1] ?? "" };
  }
  throw new StripeRefusal(
    404,
    `Unrecognized request URL (${method}: ${path}). The local stand-in may leave it out; see docs/design/local-stack-payments.md.`,
  );
}
