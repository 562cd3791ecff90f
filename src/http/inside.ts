import type { Principal } from "#src/deps.ts";
import type { AppContext } from "./context.ts";

/** By the request itself, so that nothing that is sent from outside can name a caller. */
const callers = new WeakMap<Request, Principal>();

/** A request that the service makes to itself in the middle of another one. */
export interface InsideRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With its query: `/api/v2/campaigns/?limit=20`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * The request as the app is to serve it: for a caller that was let in already (null: without one), from the same address
 * and under the same request id.
 */
export function insideRequest(
  c: AppContext,
  principal: Principal | null,
  { method, path, body, headers = {} }: InsideRequest,
): Request {
  const request = new Request(new URL(path, c.get("deps").settings.publicBaseUrl), {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      "cf-connecting-ip": c.get("clientAddress"),
      "x-request-id": c.get("requestId"),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (principal !== null) callers.set(request, principal);
  return request;
}

/** The caller for which the service makes this request to itself; undefined for a request from outside. */
export const insideCaller = (c: AppContext): Principal | undefined => callers.get(c.req.raw);
