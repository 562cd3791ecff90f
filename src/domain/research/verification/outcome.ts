/** What is known of an address. `unknown` is cheap and never charged; a wrong `valid` or `invalid` is not. */
export type Outcome = "valid" | "catch_all" | "invalid" | "unknown";

/** Why: the outcome that each reason stands for. Kept in rows and logs, so a name is never given another meaning. */
export const REASONS = {
  mailbox_exists: "valid",
  accepts_everything: "catch_all",
  /** Refused by syntax or by a list, before anything was asked. */
  hard_reject: "invalid",
  no_such_user: "invalid",
  mailbox_disabled: "invalid",
  /** The domain does not exist, or has neither MX nor address. */
  no_mail_host: "invalid",
  /** RFC 7505: the domain says that it takes no mail. */
  null_mx: "invalid",
  mailbox_full: "unknown",
  /** The mailbox is there; it takes no more at this rate. */
  throttled: "unknown",
  greylisted: "unknown",
  temporary: "unknown",
  /** We are refused, not the address. */
  policy: "unknown",
  unclear_reply: "unknown",
  /** Accepted; whether the host accepts everything it did not say. */
  catch_all_unclear: "unknown",
  unreachable: "unknown",
  timeout: "unknown",
  /** The host speaks no SMTP, or no TLS where it asks for it. */
  broken_host: "unknown",
  /** Its mail hosts resolve to private addresses. */
  private_host: "unknown",
  no_smtputf8: "unknown",
  dns_failed: "unknown",
  /** The service's own limits: the operator is asked enough at the moment, or rests after a refusal; or the caller's time was up first. */
  paced: "unknown",
  do_not_probe: "unknown",
  /** Our way to port 25 does not work. */
  egress_failed: "unknown",
} as const satisfies Record<string, Outcome>;

export type Reason = keyof typeof REASONS;

/** `backend` of the API: who knew. */
export type Backend = "smtp" | "prefilter" | "dns" | "cache";

export interface Verification {
  outcome: Outcome;
  reason: Reason;
  backend: Backend;
  /** Null when it was not looked up. */
  hasMx: boolean | null;
  /** Null when it is not known. */
  isCatchAll: boolean | null;
  checkedAt: Date;
}
