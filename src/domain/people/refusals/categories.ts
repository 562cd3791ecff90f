/**
 * What a refusal means. `hard` = the address takes no mail and will not; `soft` = it may another
 * day, or only this message was too much; `policy` = the sender's affair (reputation, content,
 * authentication), which says nothing against the recipient.
 */
export type RefusalKind = "hard" | "soft" | "policy";

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
  relay_trouble: "soft",
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
} as const satisfies Record<string, RefusalKind>;

export type RefusalCategory = keyof typeof CATEGORY_KINDS;

/** Whether a receiver refuses or puts off the sender by a rule of its own: reputation, content, authentication, or how much it sends. */
export const isPolicy = (category: RefusalCategory): boolean =>
  CATEGORY_KINDS[category] === "policy" || category === "rate_limited";

/**
 * The party at fault in a relay's refusal after the recipient was named, by the refusal's category: recipient, sender,
 * or the relay itself. Categories not listed leave it open: one recipient may be meant, or all of a sender's.
 */
export const BLAMED: Partial<Record<RefusalCategory, "recipient" | "sender" | "relay">> = {
  no_such_user: "recipient",
  no_domain: "recipient",
  moved: "recipient",
  no_mail_accepted: "recipient",
  mailbox_full: "recipient",
  disabled: "recipient",
  recipient_filter: "recipient",
  greylisted: "recipient",
  sender_rejected: "sender",
  relay_denied: "sender",
  authentication: "sender",
  ip_blocked: "sender",
  rate_limited: "sender",
  relay_trouble: "relay",
};

/** Refusals of so many operators of recipients' mail hosts in a row are not about recipients: the sender is refused, or its relay refuses. */
export const OPERATORS_IN_A_ROW = 3;
