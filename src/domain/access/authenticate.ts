import { findKey, touchKey } from "#db/access/keys.ts";
import { findLogin, updateUser } from "#db/access/logins.ts";
import { actingDb } from "#db/base/acting.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unauthenticated } from "#src/errors.ts";
import type { LoginClaims } from "#src/providers/identity/index.ts";

/** `svc_live_` and 32 random bytes as base64url. */
export const KEY_PATTERN = /^svc_live_[A-Za-z0-9_-]{43}$/;

const TOUCH_EVERY_MS = 5 * 60_000;

/** Like a revoked key, the login stands for nothing here. */
const workspaceDeleted = () =>
  unauthenticated(
    "WORKSPACE_DELETED",
    "This workspace was deleted. Within 30 days the operator of this service can restore it; after that this login gets a new one.",
  );

/** What the caller's request works with: what it writes is its own. */
export const actingFor = (deps: Deps, { actor }: Principal): Deps => ({
  ...deps,
  db: actingDb(deps.db, actor),
});

/** By the key's SHA-256, in one round trip. A revoked key is refused from the moment its revocation was committed: nothing is cached. */
export async function authenticateKey(deps: Deps, keyHash: string): Promise<Principal> {
  const found = await findKey(deps.db, keyHash);
  if (found === undefined) throw unauthenticated("UNAUTHENTICATED", "This API key is not known.");
  if (found.revokedAt !== null || found.workspaceDeletedAt !== null) {
    throw unauthenticated(
      "KEY_REVOKED",
      "This API key was revoked; create a new one in the dashboard.",
    );
  }
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
  const { workspaceId, userId, plan, scopes } = found;
  return { workspaceId, userId, plan, via: "key", actor: `key:${found.id}`, scopes };
}

/**
 * Maps a login token's (issuer, subject) to a user; a new pair makes user and
 * workspace. A changed address or name of the login is copied to the user,
 * because notifications go to that address.
 */
export async function authenticateLogin(
  deps: Deps,
  token: string,
): Promise<{ principal: Principal; claims: LoginClaims }> {
  const claims = await deps.identity.verify(token);
  if (claims === null) {
    throw unauthenticated(
      "UNAUTHENTICATED",
      "This credential is neither a known API key nor a valid login token.",
    );
  }
  const now = deps.clock.now();
  const found = await findLogin(deps.db, {
    issuer: claims.issuer,
    subject: claims.subject,
    email: claims.email,
    name: claims.name,
    userId: deps.ids.uuid(),
    workspaceId: deps.ids.uuid(),
    now,
  });
  if ("deletedAt" in found) throw workspaceDeleted();
  const { email, name, ...account } = found;
  const fresh = { email: claims.email ?? email, name: claims.name ?? name };
  if (fresh.email !== email || fresh.name !== name) {
    deps.background(updateUser(deps.db, account.userId, fresh, now));
  }
  const actor = `user:${account.userId}`;
  return { principal: { ...account, via: "jwt", actor, scopes: null }, claims };
}
