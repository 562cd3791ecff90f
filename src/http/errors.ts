import type { ContentfulStatusCode } from "hono/utils/http-status";
import { toldOf } from "#src/domain/access/moving.ts";
import { AppError, type ErrorKind } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import { sayCell } from "./cell-header.ts";
import type { AppContext, Envelope } from "./context.ts";
import { versionOf } from "./version.ts";

const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
};

/** Codes that the contract names for no legacy operation: there, the text alone is the answer. */
const TEXT_ON_LEGACY = new Set([
  "UNAUTHENTICATED",
  "KEY_REVOKED",
  "KEY_EXPIRED",
  "SESSION_ENDED",
  "BAD_REQUEST",
]);

/** The 404s whose code the contract names for legacy operations: of a review, whose lead or text is not there. */
const CODED_ON_LEGACY = new Set(["DRAFT_NOT_FOUND", "CAMPAIGN_LEAD_NOT_FOUND"]);

/** Always legacy text, whatever the operation speaks (contract section 10). */
const ALWAYS_LEGACY = new Set<ErrorKind>([
  "method_not_allowed",
  "too_large",
  "unsupported_media_type",
]);

function speaksText(error: AppError, envelope: Envelope): boolean {
  if (ALWAYS_LEGACY.has(error.kind)) return true;
  if (envelope === "coded" || CODED_ON_LEGACY.has(error.code)) return false;
  return TEXT_ON_LEGACY.has(error.code) || error.kind === "not_found";
}

/** Writes any thrown error: in version 1 as the operation's envelope. A defect says nothing of its cause: the log has it, by request id. */
export function writeError(thrown: unknown, c: AppContext): Response {
  const error = toldOf(thrown);
  const envelope = c.get("envelope") ?? "legacy";
  const isV2 = versionOf(c) === 2;
  if (!(error instanceof AppError)) {
    c.get("deps")?.log.error("request_failed", {
      request_id: c.get("requestId"),
      ...describeError(error),
    });
    const message =
      "Something went wrong on our side. Quote the X-Request-Id header if you report it.";
    if (isV2) return writeProblem(c, 500, "INTERNAL_ERROR", message);
    return c.json(
      envelope === "coded" ? { detail: "INTERNAL_ERROR", message } : { detail: message },
      500,
    );
  }
  if (error.retryAfter !== undefined)
    c.header("Retry-After", String(Math.max(1, Math.ceil(error.retryAfter))));
  if (error.code === "WORKSPACE_MOVED") sayCell(c, String(error.detail?.["cell"]));
  if (isV2) return writeProblem(c, STATUS[error.kind], error.code, error.message, error.detail);
  const body = speaksText(error, envelope)
    ? { detail: error.message }
    : { detail: error.code, message: error.message, ...error.detail };
  return c.json(body, STATUS[error.kind]);
}

export interface ValidationIssue {
  loc: string[];
  msg: string;
  type: string;
}

/** What does not fit its schema, status 422: in version 1 the specification's request-validation envelope. */
export function writeValidation(c: AppContext, details: ValidationIssue[]): Response {
  if (versionOf(c) === 2)
    return writeProblem(
      c,
      422,
      "VALIDATION_ERROR",
      "The request does not fit its schema; `errors` says where, and why.",
      { errors: details.map(placed) },
    );
  const body = {
    error: "Validation Error" as const,
    details,
    path: new URL(c.req.url).pathname,
    message: "Request validation failed" as const,
  };
  return c.json(body, 422);
}

/** Of statuses as RFC 9110 names them. */
const TITLES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** A problem of version 2 (RFC 9457). Its type is the status's, `about:blank`; `code` tells apart what a program can act on. */
function writeProblem(
  c: AppContext,
  status: ContentfulStatusCode,
  code: string,
  detail: string,
  more: Record<string, unknown> = {},
): Response {
  const problem = { type: "about:blank", title: TITLES[status], status, detail, code };
  const body = JSON.stringify({ ...more, ...problem, request_id: c.get("requestId") });
  return c.body(body, status, { "Content-Type": "application/problem+json" });
}

/** A place in a body as RFC 9457 shows it, a JSON Pointer as the fragment of a URI (RFC 6901); elsewhere the parameter's name. */
function placed({ loc: [part, ...path], msg: message }: ValidationIssue) {
  if (part !== "body") return { in: part, parameter: path.join("."), message };
  const tokens = path.map((name) =>
    encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  return { pointer: ["#", ...tokens].join("/"), message };
}
