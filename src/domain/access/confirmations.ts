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
const PURPOSE = "overture.agent-confirmation.2";

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
  /** The nonce of the token, spent by this call or by one before it: what is done is done under it, and so once. */
  | { kind: "confirmed"; nonce: string }
  /** A call before spent it, and the plan is another one since, by what was done perhaps: there is only to be told what that was. */
  | { kind: "used"; nonce: string }
  | { kind: "waits" }
  | { kind: "declined" }
  /** Made for something else, changed, or too old. */
  | { kind: "no_good" };

const encoder = new TextEncoder();

/** The plan stands in the token by itself, so that one that was spent is known after what it did has changed the plan. */
interface Binding {
  asked: string;
  plan: string;
}

const bindingOf = async (
  { workspaceId, actor }: Principal,
  { tool, args, plan }: Question,
): Promise<Binding> => ({
  asked: canonical([workspaceId, actor, tool, args]),
  plan: await sha256Hex(canonical(plan)),
});

const digestOf = ({ asked, plan }: Binding) => sha256Hex(`${asked}.${plan}`);

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

const signed = (nonce: string, expiresAt: Date, { asked, plan }: Binding) =>
  encoder.encode(`${nonce}.${expiresAt.getTime()}.${plan}.${asked}`);

async function tokenOf(deps: Deps, nonce: string, expiresAt: Date, binding: Binding) {
  const content = signed(nonce, expiresAt, binding);
  const mac = await crypto.subtle.sign("HMAC", await keyOf(deps), content);
  return `${nonce}.${expiresAt.getTime()}.${binding.plan}.${toBase64Url(new Uint8Array(mac))}`;
}

/** A token for the agent's own second call, or for what comes back with an elicited answer. Nothing is stored. */
export async function mintToken(
  deps: Deps,
  principal: Principal,
  question: Question,
): Promise<{ token: string; expiresAt: Date }> {
  const expiresAt = new Date(deps.clock.now().getTime() + TOKEN_MS);
  const binding = await bindingOf(principal, question);
  const token = await tokenOf(deps, deps.ids.uuid(), expiresAt, binding);
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
  const binding = await bindingOf(principal, question);
  const digest = await digestOf(binding);
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
 * Takes the token for this question: whoever comes with it again gets the same nonce. `byPerson`: a person's yes in the
 * console is needed; else the token is enough, as it came with the agent's second call or with a yes that the agent's own
 * program asked its person for.
 */
export async function takeToken(
  deps: Deps,
  principal: Principal,
  question: Question,
  token: string,
  { byPerson }: { byPerson: boolean },
): Promise<Verdict> {
  const binding = await bindingOf(principal, question);
  const read = await readToken(deps, token, binding.asked);
  if (read === null) return { kind: "no_good" };
  const { nonce, expiresAt } = read;
  const { workspaceId, userId, actor } = principal;
  const now = deps.clock.now();
  const isGood = read.plan === binding.plan && expiresAt > now;
  const confirmed = { kind: "confirmed", nonce } as const;
  if (isGood) {
    const isMine = byPerson
      ? await spendApproved(deps.db, { workspaceId, id: nonce, now })
      : await spend(deps.db, {
          ...{ id: nonce, workspaceId, userId, actor, tool: question.tool },
          digest: await digestOf(binding),
          createdAt: now,
          expiresAt: new Date(expiresAt.getTime() + KEPT_MS),
        });
    if (isMine) return confirmed;
  }
  const row = await findConfirmation(deps.db, workspaceId, nonce);
  if (row?.status === "spent") return isGood ? confirmed : { kind: "used", nonce };
  if (!isGood || !byPerson || row === undefined) return { kind: "no_good" };
  return {
    kind: row.status === "waiting" ? "waits" : row.status === "declined" ? "declined" : "no_good",
  };
}

const TOKEN =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{13,15})\.([0-9a-f]{64})\.([\w-]{43})$/;

/** The parts of a token of ours for what is asked, good still or not. */
async function readToken(deps: Deps, token: string, asked: string) {
  const [, nonce, ms, plan, mac] = TOKEN.exec(token) ?? [];
  const bytes = mac === undefined ? null : fromBase64(mac);
  if (nonce === undefined || plan === undefined || bytes === null) return null;
  const expiresAt = new Date(Number(ms));
  const content = signed(nonce, expiresAt, { asked, plan });
  const isOurs = await crypto.subtle.verify("HMAC", await keyOf(deps), bytes, content);
  return isOurs ? { nonce, expiresAt, plan } : null;
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
