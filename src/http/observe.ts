import type { MiddlewareHandler } from "hono";
import type { AppOptions } from "#src/app.ts";
import { ConfigError } from "#src/config.ts";
import type { AppContext, AppEnv } from "./context.ts";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its id, its dependencies and one line in the log; a wrong configuration answers 503 and says so in the log. */
export function observe(makeDeps: AppOptions["makeDeps"]): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("clientAddress", clientAddress(c));
    let deps;
    try {
      deps = makeDeps(c.env ?? {}, { waitUntil: (work) => c.executionCtx.waitUntil(work) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // oxlint-disable-next-line no-console -- there is no log without a configuration
      console.error(error.message);
      return livenessOr503(c);
    }
    c.set("deps", deps);
    const given = c.req.header("x-request-id");
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : deps.ids.uuid();
    c.set("requestId", requestId);
    c.set("logFields", {});
    const startedAt = deps.clock.now().getTime();
    await next();
    c.header("X-Request-Id", requestId);
    secure(c);
    deps.log.info("request", {
      request_id: requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: deps.clock.now().getTime() - startedAt,
      ...(c.get("principal") === undefined
        ? {}
        : { workspace_id: c.get("principal")!.workspaceId }),
      ...c.get("logFields"),
    });
  };
}

function secure(c: AppContext): void {
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Strict-Transport-Security", "max-age=31536000");
  if (c.res.headers.get("Cache-Control") === null) c.header("Cache-Control", "no-store");
}

/** Liveness touches no dependency, not even the configuration; everything else needs it. */
function livenessOr503(c: AppContext): Response {
  if (c.req.path === "/health" || c.req.path === "/api/v1/health") return c.json({ status: "ok" });
  return c.json(
    { detail: "The service is not configured; its log names each missing or wrong variable." },
    503,
  );
}

/**
 * Who calls, for per-address quotas: Cloudflare's own header, which clients
 * cannot set there, or else the peer that bare workerd reports.
 */
function clientAddress(c: AppContext): string {
  const header = c.req.header("cf-connecting-ip");
  if (header !== undefined) return header;
  const { cf } = c.req.raw as Request & { cf?: { clientIp?: string } };
  return cf?.clientIp?.replace(/:\d+$/, "") ?? "unknown";
}
