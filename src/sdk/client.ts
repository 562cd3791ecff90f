import { OvertureError } from "./error.ts";
import { METHODS, type Resources } from "./methods.ts";
import { type Attempt, DEFAULTS, send, type Sending } from "./send.ts";
import type { CallOptions, Page, Pages } from "./types.ts";

export interface OvertureOptions extends Partial<Sending> {
  /** Of the deployment: `https://api.example.com`. */
  baseUrl: string;
  /** A workspace's API key, or a login token. */
  apiKey: string;
}

/** One client of the API: a resource for each kind of record, a method for each operation. */
export type Overture = Resources;

/** Called with `new`. */
export const Overture = function overture(options: OvertureOptions): Overture {
  const { apiKey, baseUrl, ...rest } = options;
  const base = addressOf(baseUrl);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey is not set, or has characters that no key has");
  const client = {
    base,
    headers: { accept: "application/json", authorization: `Bearer ${apiKey}` },
    sending: { fetch: (...of: Parameters<typeof fetch>) => fetch(...of), ...DEFAULTS, ...rest },
  };
  return Object.fromEntries(
    Object.entries(METHODS).map(([resource, methods]) => [
      resource,
      Object.fromEntries(
        Object.entries(methods).map(([name, place]) => [name, methodOf(client, place)]),
      ),
    ]),
  ) as unknown as Overture;
} as unknown as new (options: OvertureOptions) => Overture;

interface Client {
  base: string;
  headers: Record<string, string>;
  sending: Sending;
}

/** Without a slash at its end. */
export function addressOf(baseUrl: string): string {
  const { protocol, origin, pathname, username } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || username !== "")
    throw new TypeError("baseUrl has to be an http or https address without a name in it");
  return origin + pathname.replace(/\/+$/, "");
}

type Query = Record<string, unknown>;
type Options = CallOptions & { query?: Query };

/** What the table says of an operation, as a function: the parts of its path, body or query, options. */
function methodOf(client: Client, place: string) {
  const [verb = "", path = ""] = place.split(" ");
  const has = (mark: string) => verb.includes(mark);
  const inPath = path.split("{}").length - 1;
  return (...given: unknown[]) => {
    const parts = given.slice(0, inPath);
    const [input, second] = given.slice(inPath);
    const takesInput = has("+") || has("?");
    const options = ((takesInput ? second : input) ?? {}) as Options;
    const query = has("+") ? options.query : takesInput ? (input as Query) : undefined;
    const call = (more: Query = {}) =>
      ask(client, {
        method: verb.replaceAll(/[^A-Z]/g, ""),
        path: fill(path, parts),
        query: { ...query, ...more },
        body: has("+") ? input : undefined,
        takesKey: has("!"),
        options,
      });
    if (has("*")) return pagesOf(call, cursorOf(path, query));
    return call();
  };
}

/** The feed of events goes on behind an event, or in front of one where it is read backwards; all other lists at a cursor. */
const cursorOf = (path: string, query: Query | undefined): string =>
  path === "events" ? (query?.["before"] == null ? "after" : "before") : "cursor";

function fill(path: string, parts: unknown[]): string {
  let at = 0;
  return path.replaceAll("{}", () => {
    const part = String(parts[at++] ?? "");
    // An address takes dots out of a path before it is sent.
    if (/^\.{0,2}$/.test(part)) throw new TypeError(`part ${at} of ${path} is missing`);
    return encodeURIComponent(part);
  });
}

interface Call {
  method: string;
  path: string;
  query: Query;
  body: unknown;
  takesKey: boolean;
  options: CallOptions;
}

async function ask(client: Client, { method, path, query, body, takesKey, options }: Call) {
  const { idempotencyKey, ifMatch, signal, onHeaders } = options;
  const isForm = body instanceof FormData;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(name, String(value));
  const key = takesKey && !isForm ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
  const attempt: Attempt = {
    url: `${client.base}/api/v2/${path}${search.size === 0 ? "" : `?${search}`}`,
    method,
    headers: {
      ...client.headers,
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    },
    body: body === undefined || isForm ? body : JSON.stringify(body),
    isRepeatable: method === "GET" || key !== undefined,
    signal,
  };
  const { status, headers, text } = await send(client.sending, attempt);
  onHeaders?.(headers);
  if (!/^application\/(.*\+)?json/.test(headers.get("content-type") ?? "")) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const requestId = headers.get("x-request-id");
    throw new OvertureError(status, "BAD_ANSWER", "The answer is no JSON.", { requestId, cause });
  }
}

function pagesOf(call: (more: Query) => Promise<unknown>, cursorName: string): Pages<unknown> {
  const page = (more: Query = {}) => call(more) as Promise<Page<unknown>>;
  return {
    page: () => page(),
    async *[Symbol.asyncIterator]() {
      let cursor: string | null = null;
      do {
        const { items, has_more, next_cursor }: Page<unknown> = await page(
          cursor === null ? {} : { [cursorName]: cursor },
        );
        yield* items;
        if (has_more && (next_cursor === null || next_cursor === cursor))
          throw new OvertureError(200, "BAD_ANSWER", "A page leads to itself.");
        cursor = has_more ? next_cursor : null;
      } while (cursor !== null);
    },
  };
}
