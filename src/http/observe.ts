import type { MiddlewareHandler } from "hono";
import { ConfigError } from "#src/config.ts";
import { AppError } from "#src/errors.ts";
import type { AppContext, AppEnv, AppOptions } from "./context.ts";
import { writeError } from "./errors.ts";
import { versionOf } from "./version.ts";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its id, its dependencies and one line in the log; a wrong configuration answers 503 and says so in the log. */
export function observe({ makeDeps, now }: AppOptions): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("clientAddress", clientAddress(c));
    let deps;
    try {
      deps = makeDeps(c.env ?? {}, { waitUntil: (work) => c.executionCtx.waitUntil(work) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // oxlint-disable-next-line no-console -- there is no log without a configuration
      console.error(error.message);
      c.header("X-Request-Id", requestIdOf(c) ?? c.req.header("cf-ray") ?? "unconfigured");
      secure(c);
      return unconfigured(c, now());
    }
    c.set("deps", deps);
    const requestId = requestIdOf(c) ?? deps.ids.uuid();
    c.set("requestId", requestId);
    c.set("logFields", {});
    const startedAt = deps.clock.now().getTime();
    await next();
    c.header("X-Request-Id", requestId);
    // RFC 9110, 6.6.1; the console goes by it, since a local stack's clock can be moved.
    c.header("Date", deps.clock.now().toUTCString());
    secure(c);
    deps.log.info("request", {
      request_id: requestId,
      method: c.req.method,
      path: c.req.path,
      ...(versionOf(c) === 2 ? { version: 2 } : {}),
      status: c.res.status,
      ms: deps.clock.now().getTime() - startedAt,
      ...(c.get("principal") === undefined
        ? {}
        : { workspace_id: c.get("principal")!.workspaceId }),
      ...c.get("logFields"),
    });
  };
}

function requestIdOf(c: AppContext): string | undefined {
  const given = c.req.header("x-request-id");
  return given !== undefined && REQUEST_ID.test(given) ? given : undefined;
}

function secure(c: AppContext): void {
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Strict-Transport-Security", "max-age=31536000");
  if (c.res.headers.get("Cache-Control") === null) c.header("Cache-Control", "no-store");
}

/** Liveness touches no dependency, not even the configuration; everything else needs it. */
function unconfigured(c: AppContext, at: Date): Response {
  const timestamp = at.toISOString();
  const { path } = c.req;
  if (path === "/health" || path === "/api/v1/health") return c.json({ status: "ok", timestamp });
  if (path === "/api/v1/ready") {
    const checks = { configuration: "failed", database: "failed", migrations: "failed" };
    return c.json({ status: "not_ready", checks, timestamp }, 503);
  }
  const detail = "The service is not configured; its log names each missing or wrong variable.";
  if (versionOf(c) === 2)
    return writeError(new AppError("unavailable", "NOT_CONFIGURED", detail), c);
  return c.json({ detail }, 503);
}

/**
 * The caller's address, for per-address quotas: Cloudflare's own header, which
 * clients cannot set there, or else the peer that bare workerd reports.
 */
function clientAddress(c: AppContext): string {
  const header = c.req.header("cf-connecting-ip");
  // Without Cloudflare in front, a client may send any header of any length; an address has 45 characters at most.
  if (header !== undefined) return header.slice(0, 64);
  const { cf } = c.req.raw as Request & { cf?: { clientIp?: string } };
  return cf?.clientIp?.replace(/:\d+$/, "") ?? "unknown";
}
