import { createMcpHandler } from "@modelcontextprotocol/server";
import { admitToResource, bearerToken, refuseUnnamed } from "#src/http/auth.ts";
import { DEFAULT_BODY_LIMIT } from "#src/http/body.ts";
import type { ExecutionContext } from "hono";
import type { App, AppContext } from "#src/http/context.ts";
import { insideRequest } from "#src/http/inside.ts";
import { enforceQuota } from "#src/http/rate-limit.ts";
import { actingFor } from "#src/domain/access/authenticate.ts";
import { AppError, forbidden } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import type { Principal } from "#src/deps.ts";
import { createApi } from "./api.ts";
import { MCP_PATH, metadataUrl, resourceUrl } from "./discovery.ts";
import { createServer } from "./server.ts";
import { isSold } from "./tool.ts";

/** The service itself, as it answers a request of its own. */
export type Serve = App["fetch"];

/** The Model Context Protocol over streamable HTTP, without sessions: each request is answered by a server of its own. */
export const mountMcp =
  (serve: Serve) =>
  (app: App): void => {
    app.all(MCP_PATH, async (c) => {
      checkOrigin(c);
      const principal = await admit(c);
      if (principal !== null) await enforceQuota(c, principal, undefined);
      return answer(c, principal, serve);
    });
  };

/** A page of another origin asks with its reader's browser (DNS rebinding): only our own pages may. */
function checkOrigin(c: AppContext): void {
  const origin = c.req.header("origin");
  const own = new URL(c.get("deps").settings.publicBaseUrl).origin;
  if (origin !== undefined && origin !== own)
    throw forbidden("ORIGIN_FORBIDDEN", "Pages of another origin may not use /mcp.");
}

/** Null for who shows no credential where calls are sold: a wallet, for which there are the paid tools alone. */
async function admit(c: AppContext): Promise<Principal | null> {
  const authorization = c.req.header("authorization");
  if (authorization === undefined && isSold(c.get("deps"))) return null;
  const token = bearerToken(authorization);
  try {
    const principal =
      token === null
        ? await refuseUnnamed(c, "Send an API key as `Authorization: Bearer <key>`.")
        : await admitToResource(c, token, resourceUrl(c));
    c.set("principal", principal);
    return principal;
  } catch (error) {
    if (error instanceof AppError && error.kind === "unauthenticated") challenge(c, token !== null);
    throw error;
  }
}

/** RFC 9728 section 5.1. */
function challenge(c: AppContext, isToken: boolean): void {
  const why = isToken ? 'error="invalid_token", ' : "";
  c.header("WWW-Authenticate", `Bearer ${why}resource_metadata="${metadataUrl(c)}"`);
}

/** What goes on behind the inner answers goes on behind the outer one. */
const innerContext = (c: AppContext): ExecutionContext => ({
  waitUntil: (work) => c.get("deps").background(work),
  passThroughOnException() {},
  props: {},
});

async function answer(c: AppContext, principal: Principal | null, serve: Serve): Promise<Response> {
  const deps = principal === null ? c.get("deps") : actingFor(c.get("deps"), principal);
  const inner = innerContext(c);
  const api = createApi(async (request) =>
    serve(insideRequest(c, principal, request), c.env, inner),
  );
  const handler = createMcpHandler(() => createServer({ deps, principal, api }), {
    maxRequestBodySize: DEFAULT_BODY_LIMIT,
    // Nothing is pushed: an open stream would hold a Worker for nothing.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => deps.log.info("mcp_refused", describeError(error)),
  });
  return handler.fetch(c.req.raw);
}
