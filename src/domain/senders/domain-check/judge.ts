import type { DomainStatus } from "#db/schema/index.ts";
import type { DomainRecord } from "../domain-records.ts";

export interface Verdict {
  /** What this check found. */
  status: DomainStatus;
  /** The stored status: a check without an answer of DNS does not change it. */
  kept: DomainStatus;
  failingSince: Date | null;
}

/**
 * A domain is verified while all required records are there. A domain that was verified and no longer
 * is, is failing; one that never was is pending. Where DNS did not answer for a record, and no other
 * record is wrong, the status is unknown.
 */
export function judgeDomain(
  before: { status: DomainStatus; failingSince: Date | null },
  records: DomainRecord[],
  now: Date,
): Verdict {
  const required = records.filter((record) => record.required);
  const wasVerified = before.status === "verified" || before.status === "failing";
  if (required.every(({ status }) => status === "ok"))
    return { status: "verified", kept: "verified", failingSince: null };
  if (required.every(({ status }) => status === "ok" || status === "unknown"))
    return {
      status: "unknown",
      kept: wasVerified ? before.status : "unknown",
      failingSince: before.failingSince,
    };
  if (!wasVerified) return { status: "pending", kept: "pending", failingSince: null };
  return { status: "failing", kept: "failing", failingSince: before.failingSince ?? now };
}
