import { readJson } from "#src/platform/json.ts";
import type { InsideRequest } from "#src/http/inside.ts";

/** What an operation of the API answered. */
export interface Reply {
  status: number;
  headers: Headers;
  // Each tool knows what its operation answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** The API as the caller's own, in this process; `ask` rejects with a `Refusal` unless the answer is a success. */
export interface Api {
  send(request: InsideRequest): Promise<Reply>;
  ask(request: InsideRequest): Promise<Reply>;
  get(path: string, query?: Query): Promise<Reply["body"]>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply["body"]>;
}

type Query = Record<string, string | number | undefined>;

/** An answer of the API that is no success, as a tool's own refusal. */
export class Refusal extends Error {
  readonly told: Record<string, unknown>;
  constructor(told: Record<string, unknown>) {
    super(String(told["code"]));
    this.told = told;
  }
}

/** Fields of a problem that say something to who reads it as text. */
const LEFT_OUT = new Set(["type", "title", "request_id"]);

export function createApi(serve: (request: InsideRequest) => Promise<Response>): Api {
  const send = async (request: InsideRequest): Promise<Reply> => {
    const response = await serve(request);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : readJson(text),
    };
  };
  const ask = async (request: InsideRequest): Promise<Reply> => {
    const reply = await send(request);
    if (reply.status < 400) return reply;
    throw refusalOf(reply);
  };
  return {
    send,
    ask,
    get: async (path, query = {}) =>
      (await ask({ method: "GET", path: withQuery(path, query) })).body,
    post: async (path, body, headers) =>
      (
        await ask({
          method: "POST",
          path: V2 + path,
          ...(body === undefined ? {} : { body }),
          ...(headers === undefined ? {} : { headers }),
        })
      ).body,
  };
}

const V2 = "/api/v2";

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const search = new URLSearchParams(given).toString();
  return V2 + path + (search === "" ? "" : `?${search}`);
}

export function refusalOf({ status, body, headers }: Reply): Refusal {
  const problem = body !== null && typeof body === "object" ? (body as object) : {};
  const told = Object.fromEntries(Object.entries(problem).filter(([name]) => !LEFT_OUT.has(name)));
  const retryAfter = headers.get("retry-after");
  return new Refusal({
    status,
    ...told,
    ...(retryAfter === null ? {} : { retry_after_seconds: Number(retryAfter) }),
  });
}
