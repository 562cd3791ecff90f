import type { VerificationVerdict } from "#db/schema/index.ts";
import type { Verification } from "./outcome.ts";

export type Verdict = VerificationVerdict;
export type RiskLevel = NonNullable<Verdict["risk_level"]>;

/** What text and lists say of an address. */
export interface Traits {
  isFormat: boolean;
  isRole: boolean;
  isDisposable: boolean;
}

/** What is known of an address, in one: its text, the lists, and what its mail hosts said. */
export function verdictOf(
  found: Verification,
  { isFormat, isRole, isDisposable }: Traits,
): Verdict {
  return {
    result: found.outcome,
    risk_level: riskOf(found, isRole || isDisposable),
    reason: found.reason,
    backend: found.backend,
    valid_format: isFormat,
    has_mx: found.hasMx,
    is_disposable: isDisposable,
    is_role: isRole,
    is_catch_all: found.isCatchAll,
    checked_at: found.checkedAt.toISOString(),
  };
}

/** Null: undecided, whatever kind of address it is. A full mailbox is one, and mail to it comes back. */
function riskOf({ outcome, reason }: Verification, isQuestionable: boolean): Verdict["risk_level"] {
  if (outcome === "invalid") return "invalid";
  if (outcome === "catch_all" || reason === "mailbox_full") return "risky";
  if (outcome === "unknown") return null;
  return isQuestionable ? "risky" : "safe";
}

/** Whether it is worth its credit: what stayed unknown is not. */
export const isDelivered = ({ result }: Pick<Verdict, "result">): boolean => result !== "unknown";
