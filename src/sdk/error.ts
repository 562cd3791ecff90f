import type { ErrorCode } from "./error-codes.ts";

/** What the API refused, or, with status 0 and the code NETWORK, that no whole answer came. */
export class OvertureError extends Error {
  override readonly name = "OvertureError";
  /** Of HTTP; 0 where nothing answered. */
  readonly status: number;
  /** For programs: `PLAN_STALE`, `CAMPAIGN_NOT_FOUND`; `HTTP_502` where the answer named none. A newer deployment may have others. */
  readonly code: ErrorCode | `HTTP_${number}` | (string & {});
  /** To quote when the service's people are asked; null where it said none. */
  readonly requestId: string | null;
  /** Seconds after which to try again, where the answer says it. */
  readonly retryAfter: number | null;
  /** Whether the key's first answer came again: no further attempt gets another. */
  readonly isReplayed: boolean;
  /** All that the answer said: places that do not fit in `errors`, checks, ids (RFC 9457). */
  readonly problem: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: {
      requestId?: string | null;
      retryAfter?: number | null;
      isReplayed?: boolean;
      problem?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(message, rest.cause === undefined ? undefined : { cause: rest.cause });
    this.status = status;
    this.code = code;
    this.requestId = rest.requestId ?? null;
    this.retryAfter = rest.retryAfter ?? null;
    this.isReplayed = rest.isReplayed ?? false;
    this.problem = rest.problem ?? {};
  }

  /** Whether it is one of these; a code that there is not does not compile. */
  is(...codes: ErrorCode[]): boolean {
    return (codes as string[]).includes(this.code);
  }
}

/** Of an answer that is no success; a proxy's page, or what else is no problem, is named by its status. */
export function errorOf(status: number, headers: Headers, text: string): OvertureError {
  const problem = parsed(text);
  const said = (name: string) => {
    const value = problem[name];
    return typeof value === "string" ? value : undefined;
  };
  return new OvertureError(
    status,
    said("code") ?? `HTTP_${status}`,
    said("detail") ?? said("message") ?? said("error") ?? `The answer has status ${status}.`,
    {
      requestId: said("request_id") ?? headers.get("x-request-id"),
      retryAfter: secondsOf(headers.get("retry-after")),
      isReplayed: headers.get("idempotent-replayed") === "true",
      problem,
    },
  );
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Of `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). */
function secondsOf(value: string | null): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}
