/** What Gmail knows of a domain on one day: shares from 0 to 1, by the names of the API's metrics and filters. */
export interface DayFigures {
  spam: number;
  auth: { spf: number; dkim: number; dmarc: number };
  tls: number;
  /** `reject/low_domain_reputation`: 0.01 */
  errors: Record<string, number>;
}

export interface DomainFigures {
  /** By `YYYY-MM-DD`. */
  days: Map<string, DayFigures>;
  /** Requirements that need work, with the reason where Google tells one. */
  needsWork: Record<string, string | null>;
}

const DAY_MS = 86_400_000;
const DAYS = 60;

/** What a domain's first label says of it: `complained.zz` is reported as spam by 4 in 1,000, `near.zz` by 1.5; `quiet.zz` sends too little. */
const SPAM: Record<string, number> = { complained: 0.004, near: 0.0015 };

/** The figures of a domain by its name alone, up to yesterday by the stack's clock. */
export function figuresByName(domain: string): DomainFigures {
  const [label = ""] = domain.split(".");
  const spam = SPAM[label] ?? 0.0002;
  const today = Math.floor(Date.now() / DAY_MS);
  const count = label === "quiet" ? 0 : DAYS;
  const days = Array.from({ length: count }, (_, index): [string, DayFigures] => [
    new Date((today - 1 - index) * DAY_MS).toISOString().slice(0, 10),
    {
      spam,
      auth: { spf: 1, dkim: 1, dmarc: 0.998 },
      tls: 1,
      errors: label === "complained" ? { "reject/low_domain_reputation": 0.01 } : {},
    },
  ]);
  return {
    days: new Map(days),
    needsWork: spam >= 0.001 ? { USER_REPORTED_SPAM_RATE: null } : {},
  };
}

/** One figure of a day, by metric and filter; undefined for what the API does not know. */
export function figureOf(
  { spam, auth, tls, errors }: DayFigures,
  metric: string,
  filter: Record<string, string>,
): number | undefined {
  if (metric === "SPAM_RATE") return spam;
  if (metric === "AUTH_SUCCESS_RATE") return auth[filter["auth_type"] as keyof typeof auth];
  if (metric === "TLS_ENCRYPTION_RATE")
    return filter["traffic_direction"] === "inbound" ? tls : undefined;
  if (metric !== "DELIVERY_ERROR_RATE") return undefined;
  const [type, reason] = [filter["error_type"], filter["error_reason"]];
  const wanted = reason === undefined ? `${type}/` : `${type}/${reason}`;
  return Object.entries(errors)
    .filter(([name]) => (reason === undefined ? name.startsWith(wanted) : name === wanted))
    .reduce((sum, [, rate]) => sum + rate, 0);
}
