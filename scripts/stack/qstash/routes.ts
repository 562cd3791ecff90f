import type { Api, Route } from "./api.ts";
import { deadLetterRoutes } from "./dead-letter-routes.ts";
import type { ApiReply, ApiRequest } from "./http.ts";
import { messageRoutes, publishRoutes } from "./message-routes.ts";
import { ApiError } from "./model.ts";
import { flowRoutes } from "./flow-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import { scheduleRoutes } from "./schedule-routes.ts";

const routes: Route[] = [
  ...messageRoutes,
  ...scheduleRoutes,
  ...deadLetterRoutes,
  ...queueRoutes,
  ...flowRoutes,
  ...keyRoutes,
];

/** Finds the handler of a request that carries the right token; throws ApiError. */
export function handleRequest(api: Api, token: string, request: ApiRequest): ApiReply {
  const { faults, log } = api.state;
  log.add(`${request.method} ${request.rawUrl}`);
  if (faults.take("unavailable")) throw new ApiError(503, "service unavailable");
  if (request.headers["authorization"] !== `Bearer ${token}`)
    throw new ApiError(401, "invalid token");
  for (const [method, pattern, handle] of routes) {
    const match = method === request.method ? pattern.exec(request.path) : null;
    if (match) return handle(api, request, match.slice(1).map(decodeURIComponent));
  }
  for (const [method, pattern, handle] of publishRoutes) {
    const match = method === request.method ? pattern.exec(request.rawUrl) : null;
    if (match === null) continue;
    const reply = handle(api, request, match.slice(1));
    return faults.take("publish_reply_lost") ? { lost: true } : reply;
  }
  throw new ApiError(404, `no such endpoint: ${request.method} ${request.path}`);
}
