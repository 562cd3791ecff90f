/** A message that the recipient did not ask for at this moment: providers carry only templates they approved for that. */
export interface TemplateMessage {
  /** E.164, with the plus sign. */
  to: string;
  template: string;
  /** The template's language as the provider names it, such as `en_US`. */
  language: string;
  /** What stands in `{{1}}`, `{{2}}`, ... of the template's body; made fit for the provider, and cut where it is too long. */
  parameters: string[];
  /** Ours, at most 200 characters: comes back with each status, so that one whose answer was lost is still found. */
  reference?: string;
}

/**
 * What became of it. `refused` is for good (the number, the template, our own account); `busy` took nothing and may be
 * asked again; with `unknown` the answer was lost, and the message may be on its way.
 */
export type MessagingOutcome =
  | { kind: "sent"; id: string }
  | { kind: "refused"; code: string; detail: string }
  | { kind: "busy"; detail: string; retryAfterSeconds?: number }
  | { kind: "unknown"; detail: string };

export interface Messaging {
  /** Never throws: whatever happens is an outcome. */
  sendTemplate(message: TemplateMessage): Promise<MessagingOutcome>;
}

/** What the provider says later of a message that it took. */
export interface MessagingStatus {
  /** As `sendTemplate` gave it. */
  id: string;
  /** What was sent along with the message. */
  reference: string | null;
  status: "sent" | "delivered" | "read" | "failed";
  at: Date;
  /** Why it failed, in the provider's words. */
  failure: { code: string; detail: string } | null;
}

/** The provider's webhook: what proves that it is ours, and that what arrives there is the provider's. */
export interface MessagingEvents {
  /** Whether that is the token which the provider was given. */
  isOurs(token: string): Promise<boolean>;
  /** Whether the provider signed these bytes. */
  isSigned(raw: Uint8Array<ArrayBuffer>, signature: string | undefined): Promise<boolean>;
  /** What a signed body says, in its order; nothing else in it counts. */
  statusesOf(body: unknown): MessagingStatus[];
}
