import * as z from "zod";
import { endSessionsOfLogins, loginsOf } from "#db/access/logins.ts";
import type { Login } from "#src/providers/cells/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { AppError, forbidden, unauthenticated } from "#src/errors.ts";
import { HOUR_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { readJson } from "#src/platform/json.ts";
import { describeError } from "#src/platform/log.ts";
import type { LoginClaims } from "#src/providers/identity/index.ts";
import {
  admitFresh,
  admitKey,
  admitLogin,
  authenticateLogin,
  KEY_PATTERN,
} from "./authenticate.ts";

/** The vault's word for what is sealed: nothing else that browsers keep opens as a session. */
const CONTEXT = "session";

/** What a browser keeps, sealed. Of a key there is its hash, by which it is looked up with each request like any other. */
const Sealed = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("login"),
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    emailVerified: z.boolean(),
    /** The one that was chosen; null: the login's own. */
    workspace: z.string().nullable(),
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
export interface Sealing {
  sealed: string;
  expiresAt: Date;
}
export interface Begun extends Sealing {
  principal: Principal;
}

/** Begins a session by an API key or a login token, which are checked as those of any request. */
export async function beginSession(deps: Deps, credential: string): Promise<Begun> {
  if (!KEY_PATTERN.test(credential)) {
    const { principal, claims } = await authenticateLogin(deps, credential);
    if (principal.scopes !== null)
      throw forbidden(
        "SCOPE_MISSING",
        "This login token was granted some scopes alone, and a session may do all that its person may: sign in, or paste a token without them.",
      );
    return { ...(await sealLogin(deps, claims, null, claims.expiresAt)), principal };
  }
  const keyHash = await sha256Hex(credential);
  const { principal, expiresAt } = await admitKey(deps, keyHash);
  return { ...(await seal(deps, { kind: "key", keyHash }, expiresAt)), principal };
}

// The name is in the user's row, and a cookie has no room for one of 500 characters.
function sealLogin(
  deps: Deps,
  { issuer, subject, email, emailVerified }: LoginClaims,
  workspace: string | null,
  ends: Date | null,
): Promise<Sealing> {
  const whose = { kind: "login" as const, issuer, subject, email, emailVerified, workspace };
  return seal(deps, whose, ends);
}

/**
 * Begins the session of who came back from the identity provider. It does not end with the ID token: that says until when
 * the token may be shown (OpenID Connect Core, section 2), five minutes at some, and it was shown just now. `workspace` is
 * where the person was before, and no grant: whether they still are in it each request asks.
 */
export async function beginLoginSession(
  deps: Deps,
  claims: LoginClaims,
  workspace: string | null,
): Promise<Sealing> {
  // Behind a router the login's cell is not known yet; this cell would make it another workspace.
  const chosen = deps.settings.cell === null ? await stillIn(deps, claims, workspace) : workspace;
  return sealLogin(deps, claims, chosen, null);
}

/** The login's own (null) where it is in the other no more. */
async function stillIn(deps: Deps, claims: LoginClaims, workspace: string | null) {
  try {
    await admitFresh(deps, claims, workspace);
    return workspace;
  } catch (error) {
    if (workspace === null || !isNoMember(error)) throw error;
    return stillIn(deps, claims, null);
  }
}

type Whose =
  | Omit<Extract<Session, { kind: "login" }>, "from" | "until">
  | Omit<Extract<Session, { kind: "key" }>, "from" | "until">;

async function seal(
  { clock, sessionVault, settings }: Deps,
  whose: Whose,
  credentialEnds: Date | null,
): Promise<Sealing> {
  const from = clock.now().getTime();
  const longest = from + settings.sessionHours * HOUR_MS;
  const until = Math.min(longest, credentialEnds?.getTime() ?? Infinity);
  const session: Session = { ...whose, from, until };
  const sealed = await sessionVault.seal(JSON.stringify(session), CONTEXT);
  return { sealed, expiresAt: new Date(until) };
}

const isNoMember = (error: unknown): boolean =>
  error instanceof AppError && error.code === "NOT_A_MEMBER";

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
  { kind: _, from, until, workspace, ...login }: Extract<Session, { kind: "login" }>,
  wanted: string | null,
): Promise<{ principal: Principal; claims: LoginClaims }> {
  const claims = { ...login, name: null, expiresAt: new Date(until) };
  const { principal, sessionsValidFrom } = await admitLogin(
    deps,
    claims,
    wanted ?? workspace,
    new Date(from),
  ).catch((error: unknown) => {
    // A member who was taken out of the session's workspace has no session any more.
    const hasLeft = isNoMember(error) && (wanted ?? workspace) === workspace;
    throw hasLeft ? ended() : error;
  });
  if (sessionsValidFrom !== null && from <= sessionsValidFrom.getTime()) throw ended();
  return { principal, claims };
}

/** The same session in another workspace of its login; it ends when it would have ended. */
export async function chooseWorkspace(
  deps: Deps,
  session: Extract<Session, { kind: "login" }>,
  workspace: string,
): Promise<Begun> {
  const { principal } = await admitSession(deps, session, workspace);
  const chosen: Session = { ...session, workspace };
  const sealed = await deps.sessionVault.seal(JSON.stringify(chosen), CONTEXT);
  return { sealed, expiresAt: new Date(session.until), principal };
}

/**
 * Signs the user out everywhere: no session of a login goes on that began until now. In the other cells first: a session
 * that has ended here could not ask again.
 */
export async function revokeSessions(deps: Deps, { userId }: Principal): Promise<void> {
  const { db, clock, otherCells, log } = deps;
  const before = clock.now();
  const logins = await loginsOf(db, userId);
  await otherCells?.endSessions(logins, before).catch((error: unknown) => {
    log.error("sessions_not_ended_elsewhere", describeError(error));
    throw new AppError(
      "unavailable",
      "CELL_UNAVAILABLE",
      "Sessions could not be ended on all of the service's servers, and this one's go on. Send it again in a moment.",
      { retryAfter: 5 },
    );
  });
  await endSessionsOfLogins(db, logins, before);
}

/** The same where another cell says it; a login that is not known here has none. */
export const endSessionsOf = (
  { db }: Pick<Deps, "db">,
  logins: readonly Login[],
  before: Date,
): Promise<void> => endSessionsOfLogins(db, logins, before);
