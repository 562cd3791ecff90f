import { findKey, touchKey } from "#db/access/keys.ts";
import { findLogin, updateUser } from "#db/access/logins.ts";
import { touchMember } from "#db/access/members.ts";
import { actingDb } from "#db/base/acting.ts";
import { withNext } from "#db/base/one-trip.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { AppError, forbidden, unauthenticated } from "#src/errors.ts";
import { requireResident } from "./moving.ts";
import { scopesAmong } from "./scopes.ts";
import { KeysNotTold, type LoginClaims } from "#src/providers/identity/index.ts";

/** `svc_live_` and 32 random bytes as base64url. */
export const KEY_PATTERN = /^svc_live_[A-Za-z0-9_-]{43}$/;

const TOUCH_EVERY_MS = 5 * 60_000;

/** Like a revoked key, the login stands for nothing here. */
const workspaceDeleted = () =>
  unauthenticated(
    "WORKSPACE_DELETED",
    "This workspace was deleted. Within 30 days the operator of this service can restore it; after that this login gets a new one.",
  );

export const notAMember = () =>
  forbidden(
    "NOT_A_MEMBER",
    "You are no member of that workspace: GET /auth/workspaces lists those that you are in. In the console, load the page again to go on in one of them.",
  );

/** What the caller's request works with: what it writes is its own. */
export const actingFor = (deps: Deps, { actor }: Principal): Deps => ({
  ...deps,
  db: actingDb(deps.db, actor),
});

/** By the key's SHA-256, in one round trip. A revoked key is refused from the moment its revocation was committed: nothing is cached. */
export async function authenticateKey(deps: Deps, keyHash: string): Promise<Principal> {
  return (await admitKey(deps, keyHash)).principal;
}

/** The same, in one round trip with what is asked next for the caller. */
export const authenticateWithNext = (deps: Deps, keyHash: string): Promise<Principal> =>
  withNext(() => authenticateKey(deps, keyHash));

/** The same, with the key's end. */
export async function admitKey(
  deps: Deps,
  keyHash: string,
): Promise<{ principal: Principal; expiresAt: Date | null }> {
  const found = await findKey(deps.db, keyHash);
  if (found === undefined) throw unauthenticated("UNAUTHENTICATED", "This API key is not known.");
  if (found.revokedAt !== null || found.workspaceDeletedAt !== null) {
    throw unauthenticated(
      "KEY_REVOKED",
      "This API key was revoked; create a new one in the dashboard.",
    );
  }
  // Who leaves a workspace leaves no key behind there.
  if (found.role === null)
    throw unauthenticated(
      "KEY_REVOKED",
      "This API key was revoked when the person who made it left the workspace; create a new one in the dashboard.",
    );
  requireResident(found);
  const now = deps.clock.now();
  if (found.expiresAt !== null && found.expiresAt <= now) {
    throw unauthenticated(
      "KEY_EXPIRED",
      `This API key expired at ${found.expiresAt.toISOString()}; create a new one in the dashboard.`,
    );
  }
  if (found.lastUsedAt === null || now.getTime() - found.lastUsedAt.getTime() > TOUCH_EVERY_MS) {
    deps.background(touchKey(deps.db, found.id, now, new Date(now.getTime() - TOUCH_EVERY_MS)));
  }
  const { workspaceId, userId, plan, role, scopes, expiresAt, confirm } = found;
  const actor = `key:${found.id}`;
  const principal = { workspaceId, userId, plan, role, actor, scopes, confirm };
  return { principal: { ...principal, via: "key" }, expiresAt };
}

/** What the token says, null where it is not genuine. Where that is not known it is not called so: a client throws away what is 401. */
export function verifyLogin(
  { identity }: Pick<Deps, "identity">,
  token: string,
  resource?: string,
): Promise<LoginClaims | null> {
  return identity.verify(token, resource).catch((error: unknown) => {
    if (!(error instanceof KeysNotTold)) throw error;
    throw new AppError(
      "unavailable",
      "LOGIN_UNAVAILABLE",
      "The identity provider does not answer, so that this login token cannot be checked. Send it again in a moment.",
      { retryAfter: 5, cause: error },
    );
  });
}

/** Who a login token's bearer is; `resource`, where it may have been made for that part of the service alone. */
export async function authenticateLogin(
  deps: Deps,
  token: string,
  workspace: string | null = null,
  resource?: string,
): Promise<{ principal: Principal; claims: LoginClaims }> {
  const claims = await verifyLogin(deps, token, resource);
  if (claims === null) {
    throw unauthenticated(
      "UNAUTHENTICATED",
      "This credential is neither a known API key nor a valid login token.",
    );
  }
  const principal = await admitFresh(deps, claims, workspace);
  // Whatever part of the service it is shown to: else what was granted for one would open all.
  const scopes = scopesAmong(claims.granted ?? []);
  return { principal: { ...principal, scopes }, claims };
}

/** By what an issuer says just now: a changed address or name is copied to the user, as notifications go to that address. */
export async function admitFresh(
  deps: Deps,
  claims: LoginClaims,
  workspace: string | null = null,
): Promise<Principal> {
  const { principal, email, name } = await admitLogin(deps, claims, workspace);
  const fresh = { email: claims.email ?? email, name: claims.name ?? name };
  if (fresh.email !== email || fresh.name !== name) {
    deps.background(updateUser(deps.db, principal.userId, fresh, deps.clock.now()));
  }
  return principal;
}

/**
 * Maps (issuer, subject) to a user in the workspace that is meant, or their own; a new pair makes user and workspace.
 * `from`: the start of the session that asks, for a login token just now.
 */
export async function admitLogin(
  deps: Deps,
  { issuer, subject, email, name }: Pick<LoginClaims, "issuer" | "subject" | "email" | "name">,
  workspace: string | null,
  from: Date = deps.clock.now(),
): Promise<{
  principal: Principal;
  email: string | null;
  name: string | null;
  /** Sessions that began until then have ended. */
  sessionsValidFrom: Date | null;
}> {
  const now = deps.clock.now();
  const found = await findLogin(deps.db, {
    issuer,
    subject,
    email,
    name,
    workspace,
    userId: deps.ids.uuid(),
    workspaceId: deps.ids.uuid(),
    // In another cell they may have been ended before this one knew the login; one that begins now goes on.
    sessionsValidFrom: new Date(from.getTime() - 1),
    now,
  });
  if ("deletedAt" in found) throw workspaceDeleted();
  if ("isNoMember" in found) throw notAMember();
  requireResident(found);
  const { userId, workspaceId, plan, role, lastSeenAt, sessionsValidFrom } = found;
  const unlessAfter = new Date(now.getTime() - TOUCH_EVERY_MS);
  if (lastSeenAt === null || lastSeenAt < unlessAfter)
    deps.background(touchMember(deps.db, { workspaceId, userId }, now, unlessAfter));
  const actor = `user:${userId}`;
  const principal = { userId, workspaceId, plan, role, actor, scopes: null };
  return {
    principal: { ...principal, via: "jwt", confirm: "human" },
    email: found.email,
    name: found.name,
    sessionsValidFrom,
  };
}
