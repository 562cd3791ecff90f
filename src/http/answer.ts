import type { HeaderName } from "./openapi/headers.ts";
import type { SuccessStatus } from "./openapi/route.ts";

/** A body with another success status than the operation's first, or with headers. */
export class Answer<T> {
  readonly status: SuccessStatus;
  readonly body: T;
  readonly headers: Partial<Record<HeaderName, string>>;
  constructor(status: SuccessStatus, body: T, headers: Partial<Record<HeaderName, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The answer with another body; a refusal stays. */
export function ofBody(result: unknown, change: (body: unknown) => object): unknown {
  if (result instanceof Response) return result;
  if (result instanceof Answer)
    return new Answer(result.status, change(result.body), result.headers);
  return change(result);
}
