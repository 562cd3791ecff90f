/** One signed message to a receiver of events. */
export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type WebhookOutcome =
  | { kind: "answered"; status: number; retryAfterSeconds: number | null; answer: string }
  /** No answer: not reached, too late, or an address that this service does not connect to. */
  | { kind: "failed"; error: string };

export interface WebhookSender {
  /** Why events are not sent to this address, in words; null where they may be, as far as its text tells. */
  faultOf(url: string): string | null;
  /** The same with what its name leads to by now. */
  check(url: string): Promise<string | null>;
  /** One attempt, no redirect; never throws. */
  post(request: WebhookRequest): Promise<WebhookOutcome>;
}
