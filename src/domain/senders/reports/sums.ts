import type { ReportedDomain, ReportSums } from "#db/senders/reports.ts";
import { operatorOf, type ReportedSource } from "./aggregate-report.ts";
import type { TlsPolicy } from "./tls-report.ts";

type SourceSums = Extract<ReportSums, { kind: "dmarc" }>["rows"];
type SessionSums = Extract<ReportSums, { kind: "tls" }>["rows"];

/** Reasons of a receiver for mail that it knows to have come by a forwarder or a list (RFC 9990 section 3.1.1.6). */
const ON_ITS_WAY: ReadonlySet<string> = new Set([
  "forwarded",
  "trusted_forwarder",
  "mailing_list",
  "local_policy",
]);

/** Whether a name is the domain or one below it. */
export const concerns = (name: string, domain: string): boolean =>
  name === domain || name.endsWith(`.${domain}`);

/** What a report says of one domain, by source. Mail without a From domain counts for the policy's. */
export function sumsOfSources(
  sources: readonly ReportedSource[],
  policyDomain: string,
  domain: ReportedDomain,
): SourceSums {
  const sums = new Map<string, SourceSums[number]>();
  for (const source of sources) {
    if (!concerns(source.headerFrom || policyDomain, domain.domain)) continue;
    const { sourceIp, messages, disposition, dkim, spf, overrides } = source;
    const operator = operatorOf(source) ?? "";
    const key = `${sourceIp} ${operator}`;
    const isAligned = dkim || spf;
    const count = (holds: boolean) => (holds ? messages : 0);
    const sum = sums.get(key) ?? { sourceIp, operator, ...NOTHING };
    sum.messages += messages;
    sum.ours += count(isSignedBy(source, domain));
    sum.aligned += count(isAligned);
    sum.alignedDkim += count(dkim);
    sum.alignedSpf += count(spf);
    sum.quarantined += count(disposition === "quarantine");
    sum.rejected += count(disposition === "reject");
    sum.forwarded += count(!isAligned && overrides.some((reason) => ON_ITS_WAY.has(reason)));
    sums.set(key, sum);
  }
  return [...sums.values()];
}

const NOTHING = {
  ...{ messages: 0, ours: 0, aligned: 0, alignedDkim: 0, alignedSpf: 0 },
  ...{ quarantined: 0, rejected: 0, forwarded: 0 },
};

/** By the selector, which no other sender's signature has. */
const isSignedBy = (
  { dkimResults }: ReportedSource,
  { domain, dkimSelector, ed25519Selector }: ReportedDomain,
): boolean =>
  dkimResults.some(
    ({ domain: signer, selector, result }) =>
      result === "pass" &&
      signer === domain &&
      (selector === dkimSelector || selector === ed25519Selector) &&
      selector !== null,
  );

export function sumsOfSessions(policies: readonly TlsPolicy[]): SessionSums {
  const sums = new Map<string, SessionSums[number]>();
  const add = (policyType: string, result: string, sessions: number) => {
    if (sessions === 0) return;
    const key = `${policyType} ${result}`;
    const before = sums.get(key)?.sessions ?? 0;
    sums.set(key, { policyType, result, sessions: before + sessions });
  };
  for (const { type, successful, failed, failures } of policies) {
    add(type, "successful", successful);
    const explained = Object.values(failures).reduce((sum, sessions) => sum + sessions, 0);
    for (const [failure, sessions] of Object.entries(failures)) add(type, failure, sessions);
    // Reporters sum up more than they explain.
    add(type, "unexplained-failure", Math.max(0, failed - explained));
  }
  return [...sums.values()];
}
