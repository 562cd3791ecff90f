/**
 * What a refusal means. `hard` = the address takes no mail and will not; `soft` = it may another
 * day, or only this message was too much; `policy` = the sender's affair (reputation, content,
 * authentication), which says nothing against the recipient.
 */
export type BounceKind = "hard" | "soft" | "policy";

export const CATEGORY_KINDS = {
  no_such_user: "hard",
  no_domain: "hard",
  moved: "hard",
  no_mail_accepted: "hard",
  mailbox_full: "soft",
  disabled: "soft",
  recipient_filter: "soft",
  too_big: "soft",
  timeout: "soft",
  network: "soft",
  loop: "soft",
  greylisted: "soft",
  rate_limited: "soft",
  system: "soft",
  protocol: "soft",
  other: "soft",
  sender_rejected: "policy",
  relay_denied: "policy",
  authentication: "policy",
  ip_blocked: "policy",
  spam: "policy",
  content: "policy",
  virus: "policy",
  policy: "policy",
} as const satisfies Record<string, BounceKind>;

export type BounceCategory = keyof typeof CATEGORY_KINDS;

export interface BouncedRecipient {
  /** Null when the notice names nobody. */
  recipient: string | null;
  /** As the sender addressed it, where the report says so. */
  originalRecipient: string | null;
  /** `delayed`: the system is still trying; nothing has failed. */
  kind: BounceKind | "delayed";
  category: BounceCategory;
  /** Enhanced status code (RFC 3463), or empty. */
  status: string;
  /** SMTP reply code, or empty. */
  reply: string;
  diagnostic: string;
  /** The rule that decided kind and category. */
  rule: string;
}

export interface Bounce {
  class: "bounce" | "delayed" | "delivered";
  /** A machine-readable report (RFC 3464), or a notice in words. */
  format: "report" | "notice";
  recipients: readonly BouncedRecipient[];
  evidence: readonly string[];
}
