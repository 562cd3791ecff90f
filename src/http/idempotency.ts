import type { Principal } from "#src/deps.ts";
import {
  answerOf,
  findKey,
  inProgress,
  type KeptAnswer,
  type RevisedTable,
  startClaiming,
  startConditional,
  toldOf,
  type UsedKey,
} from "#src/domain/access/idempotency.ts";
import { badRequest } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { describeError } from "#src/platform/log.ts";
import { readCapped, replaceBody, requireContentType } from "./body.ts";
import type { AppContext } from "./context.ts";
import { writeError } from "./errors.ts";
import { lastId } from "./paths.ts";
import { preconditionOf } from "./revisions.ts";
import { versionOf } from "./version.ts";

/** The parts of an operation that say how a key is used there. */
interface Keyed {
  path: string;
  claims?: "effect" | "start" | undefined;
  status?: number | undefined;
  alsoStatus?: readonly number[] | undefined;
  body?: unknown;
  rawBody?: Record<string, unknown> | undefined;
  bodyLimit: number;
  /** Fields of the answer that are told once. */
  shownOnce?: readonly string[] | undefined;
  /** The record at the path, where `If-Match` may ask for it as it was read. */
  record?: RevisedTable | undefined;
}

/** Two fields of one name arrive as one, joined by a comma and a blank (RFC 9110 section 5.3): no key has both. */
const KEY = /^(?!.*, )[\x20-\x7e]{1,255}$/;
const KEPT_HEADERS = ["Content-Type", "Location", "ETag", "Retry-After"];
const WRITING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** The request's `Idempotency-Key`, valid or not; null where it has none, or where the header says nothing. */
function keyOf(c: AppContext): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined || !WRITING.has(c.req.method)) return null;
  return versionOf(c) === 2 ? key : null;
}

/** Asks for the key while the credential is checked, where it is known whose that was a moment ago. */
export function lookAhead(c: AppContext, { workspaceId }: Principal): void {
  const key = keyOf(c);
  if (key === null || !KEY.test(key)) return;
  const found = sha256Hex(key).then((keyHash) => findKey(c.get("deps"), { workspaceId, keyHash }));
  // Of a caller that is refused it is not awaited.
  found.catch(() => {});
  c.set("usedKey", found);
}

/**
 * Works on a request with an `Idempotency-Key` once: what comes with the key later is told the same answer, and what comes
 * meanwhile is told to come again. The key is used by the handler's first write, in the same transaction (`claimingDb`),
 * so that what is refused before leaves it free.
 */
export async function once(
  c: AppContext,
  operation: Keyed,
  respond: () => Promise<Response>,
): Promise<Response> {
  const key = keyOf(c);
  const principal = c.get("principal");
  if (principal === undefined) return respond();
  const precondition = preconditionOf(c, operation);
  if (key === null) {
    if (precondition === null) return respond();
    c.set("claiming", startConditional(c.get("deps"), precondition));
    return told(respond());
  }
  if (!KEY.test(key))
    throw badRequest(
      "IDEMPOTENCY_KEY_INVALID",
      "Idempotency-Key must be 1 to 255 printable ASCII characters, given once.",
    );
  const deps = c.get("deps");
  const { workspaceId } = principal;
  const [fingerprint, keyHash] = await Promise.all([
    fingerprintOf(c, key, operation),
    sha256Hex(key),
  ]);
  const name = { workspaceId, keyHash };
  const used = await (c.get("usedKey") ?? findKey(deps, name));
  if (used !== undefined) return replay(c, used, fingerprint);

  const claiming = startClaiming(
    deps,
    {
      ...name,
      fingerprint,
      isEffect: operation.claims === "effect",
      resourceId: (firstId) => resourceOf(c, operation, firstId),
    },
    precondition ?? undefined,
  );
  c.set("claiming", claiming);
  const [answered] = await Promise.allSettled([told(respond())]);
  const end = await claiming.end();
  if (end !== "taken") {
    // What was refused without a write may have met the effect of another request with the key.
    const winner = await findKey(deps, name);
    // The headers of our own answer, whose effect was undone, are no part of what is said instead.
    if (winner !== undefined || end === "lost")
      for (const header of KEPT_HEADERS) c.header(header, undefined);
    if (winner !== undefined) return replay(c, winner, fingerprint);
    if (end === "lost") throw inProgress();
    if (answered.status === "rejected") throw answered.reason;
    return answered.value;
  }
  const response =
    answered.status === "fulfilled" ? answered.value : writeError(answered.reason, c);
  const text = await response.text();
  const answer = keptAnswer(response, text, operation);
  // Without it a repetition is told that the answer was lost, which then is so.
  await claiming
    .keep(answer)
    .catch((error: unknown) => deps.log.error("idempotent_answer_lost", describeError(error)));
  return new Response(text, response);
}

/** The refusal of a record that was changed in words. */
const told = (answered: Promise<Response>): Promise<Response> =>
  answered.catch((error: unknown) => {
    throw toldOf(error);
  });

/** Of method, path, query and body, byte for byte; with the key, so that a password in a body cannot be guessed from it. */
async function fingerprintOf(c: AppContext, key: string, operation: Keyed): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  const body = await sha256Hex(await bodyOf(c, operation));
  return sha256Hex(`${c.req.method} ${pathname}${search} ${body} ${key}`);
}

/** The body, which its reader then reads once more. */
async function bodyOf(
  c: AppContext,
  { body, rawBody, bodyLimit }: Keyed,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === undefined && rawBody === undefined) return new Uint8Array();
  const accepted = rawBody === undefined ? ["application/json"] : Object.keys(rawBody);
  const type = requireContentType(c.req.header("content-type"), accepted);
  if (type === "multipart/form-data")
    throw badRequest(
      "IDEMPOTENCY_KEY_NOT_TAKEN",
      "A form is read as it arrives and cannot be compared with another one: leave Idempotency-Key out.",
    );
  const bytes = await readCapped(c.req.raw, bodyLimit);
  replaceBody(c, bytes);
  return bytes;
}

/** What is made draws its id first; what is changed has its id in the path. */
function resourceOf(
  c: AppContext,
  { path, status = 200, alsoStatus = [] }: Keyed,
  firstId: string | null,
): string | null {
  if (status === 201) return firstId;
  if (path.includes("{")) return lastId(c, path);
  return status === 202 || alsoStatus.includes(202) ? firstId : null;
}

function keptAnswer(response: Response, text: string, { shownOnce }: Keyed): KeptAnswer {
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const isTold = shownOnce !== undefined && response.ok;
  const body = isTold ? JSON.stringify(withhold(JSON.parse(text), shownOnce)) : text;
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

const withhold = (body: object, fields: readonly string[]) => ({
  ...body,
  ...Object.fromEntries(fields.map((field) => [field, null])),
});

function replay(c: AppContext, used: UsedKey, fingerprint: string): Response {
  const { status, headers, body } = answerOf(used, fingerprint, c.get("deps").clock.now());
  const replayed = { ...headers, "Idempotent-Replayed": "true" };
  return c.newResponse(body, status as 200, replayed);
}
