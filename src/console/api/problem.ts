import type { Problem as Told } from "./schema.ts";

/** Where a value is wrong, and why. */
export interface FieldFault {
  /** Names in the body joined by slashes ("steps/0/subject"), or the name of a parameter; "" is the whole. */
  at: string;
  message: string;
}

/** What `call` throws: an answer of the API that is no success, or that there was none (status 0, code NETWORK). */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: readonly FieldFault[];
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** What the problem says besides, e.g. `checks` or `campaign_ids`. */
  readonly more: Readonly<Record<string, unknown>>;
  /** It is what was answered at the first try already, and will be again. */
  readonly isReplayed: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: {
      requestId?: string | undefined;
      faults?: FieldFault[];
      retryAfter?: number | undefined;
      more?: Record<string, unknown>;
      isReplayed?: boolean;
    } = {},
  ) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.requestId = rest.requestId;
    this.faults = rest.faults ?? [];
    this.retryAfter = rest.retryAfter;
    this.more = rest.more ?? {};
    this.isReplayed = rest.isReplayed ?? false;
  }
}

/** Whether a write that came to this may have been done all the same, or is being done. */
export const mayBeDone = ({ status, code, isReplayed }: Problem): boolean =>
  status === 0 || (status >= 500 && !isReplayed) || code === "IDEMPOTENCY_IN_PROGRESS";

export const noAnswer = (): Problem =>
  new Problem(0, "NETWORK", "The service did not answer. Look at your connection, then try again.");

export async function problemOf(response: Response): Promise<Problem> {
  const after = Number(response.headers.get("retry-after"));
  const rest = {
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: Number.isFinite(after) && after > 0 ? after : undefined,
    isReplayed: response.headers.get("idempotent-replayed") === "true",
  };
  const text = await response.text().catch(() => "");
  try {
    const { status, code, detail, errors = [], ...more } = JSON.parse(text) as Told;
    if (typeof detail !== "string") throw new Error("no problem of ours");
    const faults = errors.map(({ pointer, parameter, message }) => ({
      at: pointer === undefined ? (parameter ?? "") : fromPointer(pointer),
      message,
    }));
    return new Problem(status ?? response.status, code ?? "UNKNOWN", detail, {
      ...rest,
      faults,
      more,
    });
  } catch {
    // Something in between answered: a proxy, or a server that is just starting.
    const message = `The service answered ${response.status} and did not say why. Try again in a moment.`;
    return new Problem(response.status, "UNKNOWN", message, rest);
  }
}

/** "#/steps/0/subject" is "steps/0/subject" (RFC 6901). */
function fromPointer(pointer: string): string {
  const parts = pointer.replace(/^#?\/?/, "").split("/");
  return parts
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join("/");
}

/** Of anything thrown: a defect of the console's own says so. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Problem(0, "CONSOLE", `The console failed: ${text}. Load the page again.`);
}
