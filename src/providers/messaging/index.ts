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
