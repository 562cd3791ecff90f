import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorKind } from "#src/errors.ts";
import { describeError } from "#src/platform/log.ts";
import type { AppContext, Envelope } from "./context.ts";

const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  upstream_failed: 502,
  unavailable: 503,
  upstream_timeout: 504,
};

/** Codes that the contract names for no legacy operation: there, the text alone is the answer. */
const TEXT_ON_LEGACY = new Set(["UNAUTHENTICATED", "KEY_REVOKED", "KEY_EXPIRED", "BAD_REQUEST"]);

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

/** Writes any thrown error as the operation's envelope. A defect says nothing of its cause: the log has it, by request id. */
export function writeError(error: unknown, c: AppContext): Response {
  const envelope = c.get("envelope") ?? "legacy";
  if (!(error instanceof AppError)) {
    c.get("deps")?.log.error("request_failed", {
      request_id: c.get("requestId"),
      ...describeError(error),
    });
    const message =
      "Something went wrong on our side. Quote the X-Request-Id header if you report it.";
    return c.json(
      envelope === "coded" ? { detail: "INTERNAL_ERROR", message } : { detail: message },
      500,
    );
  }
  if (error.retryAfter !== undefined)
    c.header("Retry-After", String(Math.max(1, Math.ceil(error.retryAfter))));
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

/** The specification's request-validation envelope, status 422. */
export function writeValidation(c: AppContext, details: ValidationIssue[]): Response {
  const body = {
    error: "Validation Error" as const,
    details,
    path: new URL(c.req.url).pathname,
    message: "Request validation failed" as const,
  };
  return c.json(body, 422);
}
