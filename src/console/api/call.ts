import { signal } from "@preact/signals";
import { heedDate } from "./clock.ts";
import { noAnswer, Problem, problemOf } from "./problem.ts";
import { operations, type Operations } from "./schema.ts";

export type OperationId = keyof Operations;
export type Answer<Id extends OperationId> = Operations[Id]["answer"];
/** What an operation takes: `params` of its path, `query`, `body`; each only where it has some. */
export type Input<Id extends OperationId> = Omit<Operations[Id], "answer">;
/** The input may be left out where nothing of it is required. */
export type Inputs<Id extends OperationId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>];

/** A request that was answered 401 says so here; the shell asks the person to sign in, above the page. */
export const signedOut = signal(false);
/** Since when nothing answers, in ms; null while all is well. */
export const unreachableSince = signal<number | null>(null);

/** The page's own, said with each request: the cookie's may be another since, chosen in another tab. */
export const shown = { workspace: "" };

export interface Reply<Id extends OperationId> {
  /** Absent where nothing changed (304). */
  answer?: Answer<Id>;
  etag: string | null;
  /** When to ask again, in seconds, where the answer says it. */
  retryAfter: number | undefined;
}

/** One operation of the API, by the session's cookie. Throws a `Problem`. */
export async function call<Id extends OperationId>(
  id: Id,
  ...[input]: Inputs<Id>
): Promise<Answer<Id>> {
  return (await ask(id, input)).answer as Answer<Id>;
}

export interface AskOptions {
  etag?: string | null;
  idempotencyKey?: string | undefined;
  /** The record as it was when it was read: a change of what another changed meanwhile is refused (412). */
  ifMatch?: string | null | undefined;
}

export async function ask<Id extends OperationId>(
  id: Id,
  input: Input<Id> | undefined,
  { etag, idempotencyKey, ifMatch }: AskOptions = {},
): Promise<Reply<Id>> {
  const { method, url, takesKey } = addressOf(id, input);
  const headers = new Headers({ accept: "application/json" });
  const body = (input as { body?: unknown } | undefined)?.body;
  const isRaw = body instanceof FormData || typeof body === "string";
  if (body !== undefined && !isRaw) headers.set("content-type", "application/json");
  if (etag) headers.set("if-none-match", etag);
  if (ifMatch) headers.set("if-match", ifMatch);
  if (shown.workspace) headers.set("overture-workspace", shown.workspace);
  // A change of a record as it was read keeps its key: it is not refused for what it did itself.
  if ((takesKey || ifMatch) && !(body instanceof FormData))
    headers.set("idempotency-key", idempotencyKey ?? crypto.randomUUID());
  let response: Response;
  const askedAt = Date.now();
  try {
    response = await fetch(url, {
      method,
      headers,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    });
  } catch {
    unreachableSince.value ??= Date.now();
    throw noAnswer();
  }
  unreachableSince.value = null;
  heedDate(response.headers.get("date"), askedAt);
  if (response.status === 401 && (id as string) !== "beginSession") signedOut.value = true;
  const rest = {
    etag: response.headers.get("etag"),
    retryAfter: Number(response.headers.get("retry-after")) || undefined,
  };
  if (response.status === 304) return rest;
  const type = response.headers.get("content-type") ?? "";
  // /status and /ready say the same when they are unwell: that is an answer, and of a write none.
  const isUnwell = method === "GET" && response.status === 503;
  const isAnswer = response.ok || (isUnwell && type.startsWith("application/json"));
  if (!isAnswer) throw await problemOf(response);
  try {
    const answer: unknown = type.startsWith("application/json")
      ? await response.json()
      : await response.text();
    return { ...rest, answer: answer as Answer<Id> };
  } catch {
    throw new Problem(0, "NETWORK", "The answer broke off on its way. Try again.");
  }
}

/** Where an operation is; also for a link to a download (`href={addressOf("exportSuppressions").url}`). */
export function addressOf<Id extends OperationId>(
  id: Id,
  input?: Input<Id>,
): { method: string; url: string; takesKey: boolean } {
  const [path = "", verb = "GET"] = operations[id].split(" ");
  const { params = {}, query = {} } = (input ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") search.append(name, String(value));
  const at = filled.startsWith("/") ? filled : `/api/v2/${filled}`;
  return {
    method: verb.replace("!", ""),
    url: search.size === 0 ? at : `${at}?${search}`,
    takesKey: verb.endsWith("!"),
  };
}
