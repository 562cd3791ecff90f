/** What went wrong, independent of any wire: `http/errors.ts` alone turns a kind into a status and a body. */
export type ErrorKind =
  | "bad_request"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "gone"
  | "precondition_failed"
  | "too_large"
  | "unsupported_media_type"
  | "unprocessable"
  | "rate_limited"
  | "upstream_failed"
  | "unavailable"
  | "upstream_timeout";

export interface ErrorOptions {
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** Fields that the body carries besides code and message, e.g. `campaign_ids` or `checks`. */
  detail?: Record<string, unknown>;
  cause?: unknown;
}

/** An error whose message the caller may read. Anything else thrown is a defect and answers a bare 500. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly retryAfter: number | undefined;
  readonly detail: Record<string, unknown> | undefined;

  constructor(kind: ErrorKind, code: string, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.kind = kind;
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.detail = options.detail;
  }
}

/** `notFound("Mail alias")` is MAIL_ALIAS_NOT_FOUND, "Mail alias not found." */
export function notFound(what: string, options?: ErrorOptions): AppError {
  const code = `${what.toUpperCase().replaceAll(" ", "_")}_NOT_FOUND`;
  return new AppError("not_found", code, `${what} not found.`, options);
}

export function conflict(code: string, message: string, options?: ErrorOptions): AppError {
  return new AppError("conflict", code, message, options);
}

export function gone(code: string, message: string): AppError {
  return new AppError("gone", code, message);
}

export function forbidden(code: string, message: string, options?: ErrorOptions): AppError {
  return new AppError("forbidden", code, message, options);
}

/** `role` is the least that would do. */
export function roleMissing(role: string): AppError {
  return forbidden(
    "ROLE_MISSING",
    `This takes the role ${role} in this workspace; an admin or owner of it can give it to you.`,
    { detail: { role } },
  );
}

/** A 422 that needed stored data to decide; what the schema alone decides never gets here. */
export function unprocessable(code: string, message: string, options?: ErrorOptions): AppError {
  return new AppError("unprocessable", code, message, options);
}

export function badRequest(code: string, message: string, options?: ErrorOptions): AppError {
  return new AppError("bad_request", code, message, options);
}

export function unauthenticated(
  code: "UNAUTHENTICATED" | "KEY_REVOKED" | "KEY_EXPIRED" | "WORKSPACE_DELETED" | "SESSION_ENDED",
  message: string,
): AppError {
  return new AppError("unauthenticated", code, message);
}
