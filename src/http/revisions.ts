import type { Precondition, RevisedTable } from "#src/domain/access/idempotency.ts";
import { badRequest } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { AppContext } from "./context.ts";
import { lastId } from "./paths.ts";
import { versionOf } from "./version.ts";

/**
 * Entity tags of version 2 (RFC 9110 section 8.8): `"<revision>.<hash>"`, how often users changed the record and a hash
 * of the answer. `If-None-Match` compares all of it, so that any change is told; `If-Match` the revision alone, so that
 * what the engine counts meanwhile refuses no user's change.
 */

const revisions = new WeakMap<object, number>();

/** The body of a record's answer, with the revision that its entity tag says. */
export function revised<Body extends object>(revision: number, body: Body): Body {
  revisions.set(body, revision);
  return body;
}

const HASH_LENGTH = 22;

/**
 * A record as it is `shown`, with its entity tag; 304 where the caller has it already. Made aside of the context, whose
 * headers the refusal of a caller would have too.
 */
export async function tagged(c: AppContext, record: object, shown: object): Promise<Response> {
  const text = JSON.stringify(shown);
  const revision = revisions.get(record);
  if (revision === undefined)
    throw new Error(`${c.req.path} answered a record without its revision.`);
  const tag = `"${revision}.${(await sha256Hex(text)).slice(0, HASH_LENGTH)}"`;
  if (c.req.method === "GET" && isKnown(c.req.header("if-none-match"), tag))
    return new Response(null, { status: 304, headers: { ETag: tag } });
  return new Response(text, { headers: { "Content-Type": "application/json", ETag: tag } });
}

/** By weak comparison (RFC 9110 section 13.1.2); a field that is none names nothing. */
function isKnown(field: string | undefined, tag: string): boolean {
  if (field === undefined) return false;
  return field.trim() === "*" || (tagsIn(field) ?? []).some((each) => each.endsWith(tag));
}

const TAG = /(?:W\/)?"[^"]*"/g;
/** In no header's value (RFC 9110 section 5.5). */
const PLACE = "\0";

/** The tags of a list as they are written, `W/` included; null where it is none. Elements may be empty (section 5.6.1). */
function tagsIn(field: string): string[] | null {
  // Without the tags only commas and blanks are left: one pattern for the whole list would try each blank at both commas.
  const elements = field.replaceAll(TAG, PLACE).split(",");
  const isList = elements.every((each) => each.trim() === "" || each.trim() === PLACE);
  return isList ? field.match(TAG) : null;
}

/** Of a strong tag of ours. */
const REVISION = /^"(\d{1,15})\.[0-9a-f]+"$/;

/** What `If-Match` asks for: null where it asks nothing, as `*` does of a record that has to be there anyway. */
export function preconditionOf(
  c: AppContext,
  { path, record: table }: { path: string; record?: RevisedTable | undefined },
): Precondition | null {
  const field = c.req.header("if-match");
  const { workspaceId } = c.get("principal") ?? {};
  const isWrite = c.req.method === "PATCH" || c.req.method === "DELETE";
  if (field === undefined || table === undefined || workspaceId === undefined) return null;
  if (!isWrite || versionOf(c) !== 2 || field.trim() === "*") return null;
  const tags = tagsIn(field);
  if (tags === null)
    throw badRequest(
      "IF_MATCH_INVALID",
      'If-Match takes what ETag told of the record, its double quotes included, or "*".',
    );
  // A weak tag matches nothing (RFC 9110 section 13.1.1), and neither does another service's.
  const known = tags.flatMap((tag) => REVISION.exec(tag)?.[1] ?? []).map(Number);
  const id = lastId(c, path);
  if (id === null) return null;
  return { table, workspaceId, id, revisions: known, isDeletion: c.req.method === "DELETE" };
}
