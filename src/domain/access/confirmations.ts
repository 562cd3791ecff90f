import {
  type ConfirmationRow,
  decide,
  findAsked,
  findConfirmation,
  insertWaiting,
  listWaiting,
  spend,
  spendApproved,
} from "#db/access/confirmations.ts";
import type { Json } from "#db/schema/columns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import type { Part } from "#src/domain/owned.ts";
import { conflict, forbidden, notFound } from "#src/errors.ts";
import { DAY_MS, MINUTE_MS } from "#src/platform/durations.ts";
import { fromBase64, sha256Hex, toBase64Url } from "#src/platform/encoding.ts";

export { CONFIRMS, type Confirms } from "#db/schema/index.ts";
export type Confirmation = ConfirmationRow;

/** How long the agent's own yes, and an elicited one, is waited for. */
const TOKEN_MS = 10 * MINUTE_MS;
/** A person may look into the console tomorrow. */
const PERSON_MS = DAY_MS;
/** A spent token's row outlives the token by so long. */
const KEPT_MS = 10 * MINUTE_MS;
const MOST_WAITING = 100;
const PURPOSE = "overture.agent-confirmation.1";

/** What would be done, of which any change makes another question. */
export interface Question {
  tool: string;
  /** As JSON can say them; the token is none of them. */
  args: unknown;
  plan: unknown;
}

/** What a person is shown. */
export interface Shown {
  title: string;
  preview: Json;
  emailKey: string | null;
}

export type Verdict =
  /** The nonce of the token, spent by this call and by no other: what is done is done under it. */
  | { kind: "confirmed"; nonce: string }
  | { kind: "waits" }
  | { kind: "declined" }
  /** Made for something else, changed, too old, or spent. */
  | { kind: "no_good" };

const encoder = new TextEncoder();

const bindingOf = ({ workspaceId, actor }: Principal, { tool, args, plan }: Question): string =>
  canonical([workspaceId, actor, tool, args, plan]);

/** JSON with the names in order, so that the same question is the same text. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** For this purpose alone, whatever else the secret signs. */
function keyOf({ settings }: Deps): Promise<CryptoKey> {
  const secret = encoder.encode(`${PURPOSE}\0${settings.trackingSecrets[0]}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
}

const signed = (nonce: string, expiresAt: Date, binding: string) =>
  encoder.encode(`${nonce}.${expiresAt.getTime()}.${binding}`);

async function tokenOf(deps: Deps, nonce: string, expiresAt: Date, binding: string) {
  const content = signed(nonce, expiresAt, binding);
  const mac = await crypto.subtle.sign("HMAC", await keyOf(deps), content);
  return `${nonce}.${expiresAt.getTime()}.${toBase64Url(new Uint8Array(mac))}`;
}

/** A token for the agent's own second call, or for what comes back with an elicited answer. Nothing is stored. */
export async function mintToken(
  deps: Deps,
  principal: Principal,
  question: Question,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(deps.clock.now().getTime() + TOKEN_MS);
  const token = await tokenOf(deps, deps.ids.uuid(), expiresAt, bindingOf(principal, question));
  return { token, expiresAt };
}

/** Lets the question wait for a person; the same one again is the one that waits. */
export async function askPerson(
  deps: Deps,
  principal: Principal,
  question: Question,
  shown: Shown,
): Promise<{ token: string; expiresAt: Date }> {
  const now = deps.clock.now();
  const { workspaceId, userId, actor } = principal;
  const binding = bindingOf(principal, question);
  const digest = await sha256Hex(binding);
  const row =
    (await findAsked(deps.db, workspaceId, digest, now)) ??
    (await insertWaiting(
      deps.db,
      {
        ...shown,
        ...{ id: deps.ids.uuid(), workspaceId, userId, actor, tool: question.tool, digest },
        createdAt: now,
        expiresAt: new Date(now.getTime() + PERSON_MS),
      },
      MOST_WAITING,
    ));
  if (row === undefined)
    throw conflict(
      "TOO_MANY_CONFIRMATIONS",
      `${MOST_WAITING} confirmations wait for a person in this workspace; let somebody answer them first.`,
    );
  return { token: await tokenOf(deps, row.id, row.expiresAt, binding), expiresAt: row.expiresAt };
}

/**
 * Takes the token for this question, once. `byPerson`: a person's yes in the console is needed; else the token is enough,
 * as it came with the agent's second call or with a yes that the agent's own program asked its person for.
 */
export async function takeToken(
  deps: Deps,
  principal: Principal,
  question: Question,
  token: string,
  { byPerson }: { byPerson: boolean },
): Promise<Verdict> {
  const binding = bindingOf(principal, question);
  const read = await readToken(deps, token, binding);
  if (read === null) return { kind: "no_good" };
  const { workspaceId, userId, actor } = principal;
  const now = deps.clock.now();
  if (byPerson) {
    if (await spendApproved(deps.db, { workspaceId, id: read.nonce, now }))
      return { kind: "confirmed", nonce: read.nonce };
    const row = await findConfirmation(deps.db, workspaceId, read.nonce);
    if (row?.status === "waiting") return { kind: "waits" };
    return { kind: row?.status === "declined" ? "declined" : "no_good" };
  }
  const isMine = await spend(deps.db, {
    ...{ id: read.nonce, workspaceId, userId, actor, tool: question.tool },
    digest: await sha256Hex(binding),
    createdAt: now,
    expiresAt: new Date(read.expiresAt.getTime() + KEPT_MS),
  });
  return isMine ? { kind: "confirmed", nonce: read.nonce } : { kind: "no_good" };
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{13,15})\.([\w-]{43})$/;

async function readToken(deps: Deps, token: string, binding: string) {
  const [, nonce, ms, mac] = TOKEN.exec(token) ?? [];
  const bytes = mac === undefined ? null : fromBase64(mac);
  if (nonce === undefined || bytes === null) return null;
  const expiresAt = new Date(Number(ms));
  const key = await keyOf(deps);
  const isOurs = await crypto.subtle.verify("HMAC", key, bytes, signed(nonce, expiresAt, binding));
  return isOurs && expiresAt > deps.clock.now() ? { nonce, expiresAt } : null;
}

/** Those that wait for a person, the oldest first. */
export const listConfirmations = (
  { db, clock }: Deps,
  { workspaceId }: Principal,
  part?: Part,
): Promise<Confirmation[]> => listWaiting(db, workspaceId, clock.now(), part);

/**
 * A person's answer. Who asked cannot say yes to themselves: a key never gets here, and of a login that an agent uses
 * the answer has to come out of the console, whose session the agent does not have.
 */
export async function answerConfirmation(
  deps: Deps,
  principal: Principal,
  id: string,
  answer: "approved" | "declined",
  { inConsole }: { inConsole: boolean },
): Promise<Confirmation> {
  const now = deps.clock.now();
  const { workspaceId, userId, actor } = principal;
  const asked = await findConfirmation(deps.db, workspaceId, id);
  if (asked === undefined || asked.title === null) throw notFound("Confirmation");
  if (asked.actor === actor && !inConsole)
    throw forbidden(
      "CONFIRM_IN_CONSOLE",
      "An agent asked with this very login: answer in the console, where the agent is not.",
    );
  const row = await decide(deps.db, { workspaceId, id, now }, answer, userId);
  if (row !== undefined) return row;
  throw conflict("CONFIRMATION_ENDED", "This question was answered, used or is too old.");
}
