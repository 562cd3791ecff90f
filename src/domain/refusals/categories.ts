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
