import type { healthInputs } from "#db/senders/domain-health.ts";
import type { dmarcSums, tlsSums } from "#db/senders/reports.ts";
import type { MailDomain } from "../domains.ts";
import { bounceRule, complaintRule, oneClickRule } from "./ledger-rules.ts";
import { recordRules } from "./record-rules.ts";
import { reportRules } from "./report-rules.ts";
import { type HealthRow, type Period, RULES } from "./row.ts";
import { replyRule, tlsRule } from "./sender-rules.ts";

export interface HealthFacts extends Awaited<ReturnType<typeof healthInputs>> {
  domain: MailDomain;
  reports: Awaited<ReturnType<typeof dmarcSums>>;
  tls: Awaited<ReturnType<typeof tlsSums>>;
  takesReports: boolean;
  trackingBaseUrl: string;
  period: Period;
}

/** Each rule once, in the order of `RULES`. */
export function judgeHealth(facts: HealthFacts): HealthRow[] {
  const { domain, counts, spamDays, senders, kept, reports, period, trackingBaseUrl } = facts;
  const now = period.until;
  const sent = {
    counts,
    trackingBaseUrl,
    period: { since: counts.since ?? period.since, until: now },
  };
  const mx = domain.records.find(({ purpose }) => purpose === "mx")!;
  const reported = reportRules({
    ...{ domain: domain.domain, takesReports: facts.takesReports, tls: facts.tls, period },
    ...{ reverseDns: kept.reverseDns, reverseCheckedAt: kept.reverseCheckedAt },
    ...reports,
  });
  const rows = [
    ...recordRules(domain),
    ...Object.values(reported),
    ...[oneClickRule(sent), complaintRule({ ...sent, spamDays }), bounceRule(sent)],
    ...[tlsRule(senders, now), replyRule(senders, { domain: domain.domain, mx, now })],
  ];
  return RULES.map((rule) => rows.find((row) => row.rule === rule)!);
}
