import type { MiddlewareHandler } from "hono";
import {
  authenticateKey,
  authenticateLogin,
  KEY_PATTERN,
} from "#src/domain/access/authenticate.ts";
import { AppError, forbidden, unauthenticated } from "#src/errors.ts";
import type { Principal } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { Access, AppContext, AppEnv } from "./context.ts";
import { countAhead, countRefusal, type LimitName } from "./rate-limit.ts";
import { findSeen, forgetSeen, noteSeen } from "./seen-keys.ts";

/** Authenticates the caller, else 401 (RFC 6750). `strict` is the quota that the operation has beside the workspace's. */
export function authenticate(
  access: Access,
  strict: LimitName | undefined,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (access === "public" || access === "wallet") return next();
    const token = bearerToken(c.req.header("authorization"));
    if (token === null) {
      c.header("WWW-Authenticate", "Bearer");
      await countRefusal(c);
      throw unauthenticated(
        "UNAUTHENTICATED",
        "Send your API key or login token as `Authorization: Bearer <credential>`.",
      );
    }
    const deps = c.get("deps");
    try {
      if (KEY_PATTERN.test(token)) {
        c.set("principal", await authenticateSeen(c, token, strict));
      } else {
        const { principal, claims } = await authenticateLogin(deps, token);
        c.set("principal", principal);
        c.set("login", claims);
      }
    } catch (error) {
      if (error instanceof AppError && error.kind === "unauthenticated") {
        c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
        await countRefusal(c);
      }
      throw error;
    }
    await next();
  };
}

/**
 * A key that was let in a moment ago is counted while the database is asked, so that its request waits for two answers
 * in turn and not three. The database alone says whether it is let in again.
 */
async function authenticateSeen(
  c: AppContext,
  key: string,
  strict: LimitName | undefined,
): Promise<Principal> {
  const deps = c.get("deps");
  const keyHash = await sha256Hex(key);
  const nowMs = deps.clock.now().getTime();
  const seen = findSeen(keyHash, nowMs);
  if (seen !== undefined) countAhead(c, seen, strict);
  try {
    const principal = await authenticateKey(deps, keyHash);
    noteSeen(keyHash, principal, nowMs);
    return principal;
  } catch (error) {
    forgetSeen(keyHash);
    throw error;
  }
}

export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header ?? "");
  return match?.[1] ?? null;
}

/** 403 for an authenticated caller without access to the operation. */
export function requireAccess(access: Access, paidPlanOnly: boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const principal = c.get("principal");
    if (access === "jwt" && principal?.via === "key") {
      throw forbidden(
        "JWT_REQUIRED",
        "This operation needs a login token; an API key cannot do it.",
      );
    }
    if (paidPlanOnly && principal?.plan === "free") {
      throw forbidden(
        "FREE_TIER_FORBIDDEN",
        "This operation needs a paid plan; buying any credit pack makes the workspace paid.",
      );
    }
    await next();
  };
}
