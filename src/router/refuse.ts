import { AppError } from "#src/errors.ts";

const RETRY_SECONDS = 15;

/** Of what the router itself refuses; all else its cells do. */
const STATUS = {
  not_found: [404, "Not Found"],
  too_large: [413, "Content Too Large"],
  unavailable: [503, "Service Unavailable"],
} as const;
const OTHERWISE = [400, "Bad Request"] as const;

/** In the envelope of the path's version, as the service's own errors of these kinds are (src/http/errors.ts). */
export function refuse(request: Request, { kind, code, message, retryAfter }: AppError): Response {
  const [status, title] = kind in STATUS ? STATUS[kind as keyof typeof STATUS] : OTHERWISE;
  const headers = {
    "Cache-Control": "no-store",
    ...(status === 503 && { "Retry-After": String(retryAfter ?? RETRY_SECONDS) }),
  };
  if (!new URL(request.url).pathname.startsWith("/api/v2/")) {
    const body = status === 503 ? { detail: code, message } : { detail: message };
    return Response.json(body, { status, headers });
  }
  const problem = { type: "about:blank", title, status, detail: message, code };
  return new Response(JSON.stringify(problem), {
    status,
    headers: { ...headers, "Content-Type": "application/problem+json" },
  });
}

/** Nothing was sent to it. */
export const isAway = (request: Request): Response =>
  refuse(
    request,
    new AppError(
      "unavailable",
      "CELL_UNAVAILABLE",
      "The servers of this workspace do not answer; nothing of this request was done.",
    ),
  );

/** It was sent, and no answer came. */
export const hasNotAnswered = (request: Request): Response =>
  refuse(
    request,
    new AppError(
      "unavailable",
      "CELL_UNAVAILABLE",
      "The servers of this workspace did not answer; whether this request was done is not known.",
    ),
  );
