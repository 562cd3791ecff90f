import type { MiddlewareHandler } from "hono";
import { authenticateKey, authenticateLogin, KEY_PATTERN } from "#src/domain/keys/authenticate.ts";
import { AppError, forbidden, unauthenticated } from "#src/errors.ts";
import type { Access, AppEnv } from "./context.ts";
import { countRefusal } from "./rate-limit.ts";

/** Finds out who is asking, 401 if nobody we know (RFC 6750). */
export function authenticate(access: Access): MiddlewareHandler<AppEnv> {
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
        c.set("principal", await authenticateKey(deps, token));
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

export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header ?? "");
  return match?.[1] ?? null;
}

/** What a known caller may not do: 403. */
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
