import type { SendContext, SendOutcome } from "#db/engine.ts";
import type { SendResult } from "#src/providers/mail/index.ts";

/** This many refusals by policy, and the domain is left alone for the rest of the tick. */
const REFUSALS_TO_OPEN = 2;
const WAIT_MS = 5 * 60_000;

/**
 * Breaker per recipient domain, for one tick. A domain that answers two
 * recipients with a temporary refusal that is not about their mailboxes
 * (RFC 3463: X.1.x addressing, X.2.x mailbox) is refusing us: its other claimed
 * sends wait instead of collecting the same answer. No attempt is spent.
 */
export function createDomainBreaker() {
  const refusals = new Map<string, number>();
  return {
    note({ lead }: SendContext, result: SendResult): void {
      if (result.state !== "deferred" || result.scope !== "recipient") return;
      if (result.enhanced !== undefined && /^4\.[12]\./.test(result.enhanced)) return;
      const domain = domainOf(lead.email);
      refusals.set(domain, (refusals.get(domain) ?? 0) + 1);
    },
    /** What becomes of a claimed send to a domain that refuses us; undefined to go on. */
    waitFor({ sendId, lead }: SendContext, now: Date): SendOutcome | undefined {
      const domain = domainOf(lead.email);
      const count = refusals.get(domain) ?? 0;
      if (count < REFUSALS_TO_OPEN) return undefined;
      return {
        id: sendId,
        kind: "retry",
        reason: `${domain} just refused ${count} messages for now; this one waits.`,
        retryAt: new Date(now.getTime() + WAIT_MS),
        attemptSpent: false,
        lane: "none",
      };
    },
  };
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1).toLowerCase();
