/** Why Gmail refuses mail for good (`reject`) or puts it off (`temp_fail`), by the reasons that it tells. */
export const DELIVERY_ERRORS = {
  reject: [
    "bad_attachment",
    "bad_or_missing_ptr_record",
    "ip_in_rbls",
    "low_domain_reputation",
    "low_ip_reputation",
    "spammy_content",
    "stamp_policy_error",
    "other",
  ],
  temp_fail: ["anomalous_traffic_pattern", "other"],
} as const;
export type DeliveryErrorType = keyof typeof DELIVERY_ERRORS;

/** Shares of a day's mail, from 0 to 1; absent where the provider tells none. */
export interface PostmasterDay {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Reported as spam by its readers, of what lay in their inbox. */
  spam?: number;
  spf?: number;
  dkim?: number;
  dmarc?: number;
  /** Came by TLS. */
  tls?: number;
  rejected?: number;
  deferred?: number;
  errors: { type: DeliveryErrorType; reason: string; rate: number }[];
}

export interface Compliance {
  requirement: string;
  status: "compliant" | "needs_work";
  reason: string | null;
}

/** What the provider answered; `reason` is in plain words and holds no secret. */
export type PostmasterAnswer<Value> =
  | { kind: "answered"; value: Value }
  /** The account does not have the domain. */
  | { kind: "no_access" }
  /** The access was not granted, or was taken back. */
  | { kind: "refused"; reason: string }
  /** It may pass, or its operator has to act; `retryAfterMs` where the provider says when. */
  | { kind: "unavailable"; reason: string; retryAfterMs: number | null };

/** The figures of a large receiver about a domain's mail, as the owner of the domain may read them. One attempt each; throws nothing. */
export interface Postmaster {
  /** What an account has to grant. */
  readonly scopes: string;
  /** The days from `since` to `until`, both included (UTC, `YYYY-MM-DD`), that it has figures of, ascending. */
  days(
    accessToken: string,
    domain: string,
    range: { since: string; until: string },
  ): Promise<PostmasterAnswer<PostmasterDay[]>>;
  /** How the domain stands by its requirements now; null where it says nothing of the domain. */
  compliance(accessToken: string, domain: string): Promise<PostmasterAnswer<Compliance[] | null>>;
}
