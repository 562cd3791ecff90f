import type { NeonQueryFunction } from "@neondatabase/serverless";
import { storable } from "#src/platform/storable.ts";

type Client = NeonQueryFunction<false, false>;

/** In JSON as `JSON.stringify` writes it, NUL and half of a surrogate pair; or a backslash, with what it stands for. */
const ESCAPE = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|[^])/g;
const MAY_HAVE_ONE = /\\u(?:0000|d[89a-f])/;

/**
 * The parameter as Postgres takes it. It refuses NUL and half of a surrogate pair, in a text and in jsonb, and with them
 * the whole statement, though it may be about the messages of all tenants. What callers give is refused for it at the door
 * (`src/http/fields.ts`); what servers, mails and DNS say is decoded and cut in a hundred places, and comes by here.
 */
export function storableParam(param: unknown): unknown {
  if (Array.isArray(param)) return param.map(storableParam);
  if (typeof param !== "string") return param;
  const text = param.isWellFormed() && !param.includes("\0") ? param : storable(param);
  return MAY_HAVE_ONE.test(text) && isWrittenJson(text) ? text.replace(ESCAPE, asStored) : text;
}

const asStored = (escape: string): string =>
  escape === "\\u0000" ? "" : escape.startsWith("\\ud") && escape.length === 6 ? "\ufffd" : escape;

/** A text in which somebody writes of such escapes stays as it is. */
function isWrittenJson(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}

/** The client, with all parameters made storable. */
export function withStorableParams(client: Client): Client {
  const { query } = client;
  const storableQuery: typeof query = (text, params, options) =>
    query(text, params?.map(storableParam), options);
  return Object.assign(client, { query: storableQuery });
}
