import * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { unauthenticated } from "#src/errors.ts";
import { HOUR_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readJson } from "#src/platform/json.ts";
import type { LoginClaims } from "#src/providers/identity/index.ts";
import { admitKey, admitLogin, authenticateLogin, KEY_PATTERN } from "./authenticate.ts";

/** The longest that a session lasts; the credential's own end may come before. */
const LIFETIME_MS = 12 * HOUR_MS;

/** The vault's word for what is sealed: nothing else that browsers keep opens as a session. */
const CONTEXT = "session";

/** What a browser keeps, sealed. Of a key there is its hash, by which it is looked up with each request like any other. */
const Sealed = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("login"),
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    from: z.number(),
    until: z.number(),
  }),
  z.object({
    kind: z.literal("key"),
    keyHash: z.string(),
    from: z.number(),
    until: z.number(),
  }),
]);
export type Session = z.output<typeof Sealed>;

/** A session that begins: the sealed text for the browser's cookie, and until when it is good. */
export interface Begun {
  sealed: string;
  expiresAt: Date;
  principal: Principal;
}

/** Begins a session by an API key or a login token, which are checked as those of any request. */
export async function beginSession(deps: Deps, credential: string): Promise<Begun> {
  if (!KEY_PATTERN.test(credential)) {
    const { principal, claims } = await authenticateLogin(deps, credential);
    return sealLogin(deps, principal, claims);
  }
  const keyHash = await sha256Hex(credential);
  const { principal, expiresAt } = await admitKey(deps, keyHash);
  return seal(deps, principal, { kind: "key", keyHash }, expiresAt);
}

// The name is in the user's row, and a cookie has no room for one of 500 characters.
const sealLogin = (deps: Deps, principal: Principal, claims: LoginClaims): Promise<Begun> => {
  const { issuer, subject, email, expiresAt } = claims;
  return seal(deps, principal, { kind: "login", issuer, subject, email }, expiresAt);
};

type Whose =
  | Omit<Extract<Session, { kind: "login" }>, "from" | "until">
  | Omit<Extract<Session, { kind: "key" }>, "from" | "until">;

async function seal(
  { clock, sessionVault }: Deps,
  principal: Principal,
  whose: Whose,
  credentialEnds: Date | null,
): Promise<Begun> {
  const from = clock.now().getTime();
  const until = Math.min(from + LIFETIME_MS, credentialEnds?.getTime() ?? Infinity);
  const session: Session = { ...whose, from, until };
  const sealed = await sessionVault.seal(JSON.stringify(session), CONTEXT);
  return { sealed, expiresAt: new Date(until), principal };
}

const ended = () =>
  unauthenticated("SESSION_ENDED", "This session has ended; sign in again to go on.");

/** What the browser's cookie says, if it is ours and its time is not over; else 401. */
export async function openSession(
  { clock, sessionVault }: Deps,
  sealedText: string,
): Promise<Session> {
  const plain = await sessionVault.open(sealedText, CONTEXT).catch(() => null);
  const parsed = Sealed.safeParse(plain === null ? null : readJson(plain));
  if (!parsed.success || parsed.data.until <= clock.now().getTime()) throw ended();
  return parsed.data;
}

/** Whose login the session is, as its token would say it now. */
export async function admitSession(
  deps: Deps,
  { issuer, subject, email, until }: Extract<Session, { kind: "login" }>,
): Promise<{ principal: Principal; claims: LoginClaims }> {
  const claims = { issuer, subject, email, name: null, expiresAt: new Date(until) };
  const { principal } = await admitLogin(deps, claims);
  return { principal, claims };
}
