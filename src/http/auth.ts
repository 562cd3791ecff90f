import type { MiddlewareHandler } from "hono";
import {
  authenticateKey,
  authenticateLogin,
  authenticateWithNext,
  KEY_PATTERN,
  notAMember,
} from "#src/domain/access/authenticate.ts";
import { admitSession, openSession } from "#src/domain/access/sessions.ts";
import { hasRole, type Role } from "#src/domain/access/roles.ts";
import { isAllowed, type NeededScope } from "#src/domain/access/scopes.ts";
import { AppError, forbidden, roleMissing, unauthenticated } from "#src/errors.ts";
import type { Principal } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { Access, AppContext, AppEnv } from "./context.ts";
import { lookAhead } from "./idempotency.ts";
import { insideCaller } from "./inside.ts";
import { type LimitName } from "./quotas.ts";
import { countAhead, countRefusal, countTurnedAway } from "./rate-limit.ts";
import { findSeen, forgetSeen, noteSeen } from "./seen-keys.ts";
import { isOwnPage, sessionCookie } from "./session-cookie.ts";

/** What an operation asks of its caller. */
export interface Entrance {
  access: Access;
  /** The quota that the operation has beside the workspace's. */
  limit: LimitName | undefined;
  /** It may begin while a key that was let in a moment ago is checked again (joined.ts). */
  isJoined: boolean;
  scope: NeededScope | undefined;
  /** What a caller has to be in the workspace. */
  role: Role;
  paidPlanOnly: boolean;
}

/**
 * Whose the bearer token is, at a resource that is no operation of the API: a login token has to be made for the service,
 * or for this resource of it (RFC 8707).
 */
export async function admitToResource(
  c: AppContext,
  token: string,
  resource: string,
): Promise<Principal> {
  const deps = c.get("deps");
  if (KEY_PATTERN.test(token))
    return checkKey(c, await sha256Hex(token), deps.clock.now().getTime());
  const wanted = wantedWorkspace(c);
  const { principal } = await authenticateLogin(deps, token, wanted, resource).catch(refuseFor(c));
  return principal;
}

/** Authenticates the caller, else 401 (RFC 6750). */
export function authenticate(entrance: Entrance): MiddlewareHandler<AppEnv> {
  const { access } = entrance;
  return async (c, next) => {
    if (access === "public" || access === "wallet") return next();
    const inside = insideCaller(c);
    if (inside !== undefined) {
      c.set("principal", inside);
      return next();
    }
    const authorization = c.req.header("authorization");
    const token = bearerToken(authorization);
    const sealed = authorization === undefined ? sessionCookie(c) : undefined;
    if (token !== null) await admitBearer(c, token, entrance);
    else if (sealed !== undefined) await admitCookie(c, sealed, entrance);
    else
      await refuseUnnamed(
        c,
        "Send your API key or login token as `Authorization: Bearer <credential>`.",
      );
    await next();
  };
}

async function admitBearer(c: AppContext, token: string, entrance: Entrance): Promise<void> {
  if (KEY_PATTERN.test(token)) return admitKey(c, await sha256Hex(token), entrance);
  const wanted = wantedWorkspace(c);
  admitUser(c, await authenticateLogin(c.get("deps"), token, wanted).catch(refuseFor(c)));
}

/** A session of the console: it counts where one of our own pages asks, and is then what its key or login is. */
async function admitCookie(c: AppContext, sealed: string, entrance: Entrance): Promise<void> {
  if (!isOwnPage(c))
    await refuseUnnamed(
      c,
      "The console's session counts for its own pages alone; elsewhere send an API key or a login token as `Authorization: Bearer <credential>`.",
    );
  const session = await openSession(c.get("deps"), sealed).catch(refuseFor(c));
  c.set("session", session);
  if (session.kind === "key") {
    await admitKey(c, session.keyHash, entrance);
    // The page is of the workspace before, where another tab signed in by another key.
    const { workspaceId } = c.get("principal")!;
    if ((wantedWorkspace(c) ?? workspaceId) !== workspaceId) return refuse(c, notAMember());
    return;
  }
  admitUser(c, await admitSession(c.get("deps"), session, wantedWorkspace(c)).catch(refuseFor(c)));
}

/** The workspace that a login means, where it is in several. */
export function wantedWorkspace(c: AppContext): string | null {
  const wanted = c.req.header("overture-workspace");
  // What is no id is no workspace's.
  return wanted === undefined ? null : UUID.test(wanted) ? wanted.toLowerCase() : NOBODYS;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NOBODYS = "00000000-0000-0000-0000-000000000000";

function admitUser(
  c: AppContext,
  { principal, claims }: Awaited<ReturnType<typeof authenticateLogin>>,
): void {
  c.set("principal", principal);
  c.set("login", claims);
}

/** 401 for who says no credential that counts. */
export async function refuseUnnamed(c: AppContext, message: string): Promise<never> {
  c.header("WWW-Authenticate", "Bearer");
  await countRefusal(c);
  throw unauthenticated("UNAUTHENTICATED", message);
}

const refuseFor = (c: AppContext) => (error: unknown) => refuse(c, error);

/** Counts the refused credential, and says why it was refused. What has to come again in a moment was not refused. */
async function refuse(c: AppContext, error: unknown): Promise<never> {
  if (error instanceof AppError) {
    const isUnknown = error.kind === "unauthenticated";
    if (isUnknown) c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
    const isRefused = isUnknown || error.code === "NOT_A_MEMBER";
    await (isRefused ? countRefusal(c) : countTurnedAway(c));
  }
  throw error;
}

/**
 * A key that was let in a moment ago is counted while the database is asked, and over its quota the database is not
 * asked at all. The database alone says whether the key is let in again.
 */
async function admitKey(
  c: AppContext,
  keyHash: string,
  { limit, isJoined, scope, role }: Entrance,
): Promise<void> {
  const nowMs = c.get("deps").clock.now().getTime();
  const seen = findSeen(keyHash, nowMs);
  if (seen !== undefined) {
    lookAhead(c, seen);
    await countAhead(c, seen, limit);
  }
  // Without the scope there is nothing to begin, and whether the key is still good comes first.
  if (seen === undefined || !isJoined || !isAllowed(seen, scope) || !hasRole(seen, role))
    return c.set("principal", await checkKey(c, keyHash, nowMs));
  const checked = checkKey(c, keyHash, nowMs, authenticateWithNext);
  // Where the work fails first, as it may at once, the refusal is still waited for.
  checked.catch(() => {});
  c.set("checked", checked);
  c.set("principal", seen);
}

async function checkKey(
  c: AppContext,
  keyHash: string,
  nowMs: number,
  check = authenticateKey,
): Promise<Principal> {
  try {
    const principal = await check(c.get("deps"), keyHash);
    noteSeen(keyHash, principal, nowMs);
    return principal;
  } catch (error) {
    forgetSeen(keyHash);
    return refuse(c, error);
  }
}

export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header ?? "");
  return match?.[1] ?? null;
}

/** 403 for a key that was made, or a token that was granted, without the scope. */
export function requireScope(
  c: AppContext,
  principal: Principal,
  scope: NeededScope | undefined,
): void {
  if (isAllowed(principal, scope)) return;
  const isKey = principal.via === "key";
  if (scope === undefined || scope === "unscoped") {
    c.header("WWW-Authenticate", 'Bearer error="insufficient_scope"');
    throw forbidden(
      "SCOPE_MISSING",
      isKey
        ? "This key was made with scopes, and no scope opens this; a login may do it, and a key made without scopes."
        : "This token was granted scopes, and no scope opens this; do it in the console.",
    );
  }
  c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
  throw forbidden(
    "SCOPE_MISSING",
    isKey
      ? `This key was made without the scope ${scope}; a login can make one that has it.`
      : `This token was granted without the scope ${scope}; connect the agent again and allow it.`,
    { detail: { scope } },
  );
}

/** 403 for an authenticated caller without access to the operation. */
export function requireAccess({
  access,
  scope,
  role,
  paidPlanOnly,
}: Entrance): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const principal = c.get("principal");
    if (access === "jwt" && principal?.via === "key") {
      throw forbidden(
        "JWT_REQUIRED",
        "This operation needs a login token; an API key cannot do it.",
      );
    }
    if (principal !== undefined) requireScope(c, principal, scope);
    if (principal !== undefined && !hasRole(principal, role)) throw roleMissing(role);
    if (paidPlanOnly && principal?.plan === "free") {
      throw forbidden(
        "FREE_TIER_FORBIDDEN",
        "This operation needs a paid plan; buying any credit pack makes the workspace paid.",
      );
    }
    await next();
  };
}
