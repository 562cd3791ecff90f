import { FOREIGN_KEY_VIOLATION, violates } from "#db/base/client.ts";
import {
  addReport,
  domainsReportedOn,
  type NewReport,
  type ReportedDomain,
  type ReportSums,
} from "#db/senders/reports.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { type AggregateReport, readAggregateReport } from "./aggregate-report.ts";
import { DOMAIN_DAYS } from "#db/base/retention.ts";
import { concerns, sumsOfSessions, sumsOfSources } from "./sums.ts";
import { readTlsReport, type TlsReport } from "./tls-report.ts";
import { type PackedReport, type Refusal, ReportRefused, unpackReports } from "./unpack.ts";

/** What became of a mail to the address for reports. */
export type ReportOutcome = "taken" | "duplicate" | Refusal;

const DAY_MS = 86_400_000;
/** Of one domain and day; four hundred reporters are a lot. */
const MOST_A_DAY = 2_000;
/** Names that one report may be about. */
const MAX_NAMES = 500;
/** Reporters' clocks run ahead. */
const AHEAD_MS = 2 * DAY_MS;

/** Whether mail to this address is for `takeReports`. */
export const isForReports = (to: string, reportsDomain: string | null): boolean =>
  reportsDomain !== null && to.toLowerCase().replace(/^<|>$/g, "").endsWith(`@${reportsDomain}`);

/**
 * Takes in a mail with reports on domains (RFC 9990, RFC 7489, RFC 8460): each adds to the sums of every verified
 * domain that it is about, once. Nothing else of the mail is kept. What a report says is its sender's word: a stranger
 * may write one, which is why a domain takes only so many a day, and why nothing is sent or stopped by them.
 */
export async function takeReports(deps: Deps, raw: Uint8Array): Promise<ReportOutcome> {
  const outcomes: ReportOutcome[] = [];
  try {
    // One after the other, since each is unpacked only while it is read.
    for (const packed of await unpackReports(raw)) outcomes.push(await takeOne(deps, packed));
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    outcomes.push(error.reason);
  }
  const outcome =
    (["taken", "duplicate"] as const).find((each) => outcomes.includes(each)) ?? outcomes[0]!;
  deps.log.info("report_received", { outcome, reports: outcomes.length });
  return outcome;
}

async function takeOne(deps: Deps, packed: PackedReport): Promise<ReportOutcome> {
  try {
    if (packed.format === "xml") return await takeAggregate(deps, readAggregateReport(packed));
    return await takeTls(deps, readTlsReport(packed));
  } catch (error) {
    if (error instanceof ReportRefused) return error.reason;
    throw error;
  }
}

async function takeAggregate(deps: Deps, report: AggregateReport): Promise<ReportOutcome> {
  const { policy, sources } = report;
  const names = [policy.domain, ...sources.map(({ headerFrom }) => headerFrom)];
  return add(deps, "dmarc", report, names, (domain) => ({
    sums: { kind: "dmarc", rows: sumsOfSources(sources, policy.domain, domain) },
    policy:
      concerns(policy.domain, domain.domain) || concerns(domain.domain, policy.domain)
        ? policy
        : null,
  }));
}

const takeTls = async (deps: Deps, report: TlsReport): Promise<ReportOutcome> =>
  add(
    deps,
    "tls",
    report,
    report.policies.map(({ domain }) => domain),
    ({ domain }) => ({
      sums: {
        kind: "tls",
        rows: sumsOfSessions(report.policies.filter((each) => each.domain === domain)),
      },
      policy: null,
    }),
  );

type Made = { sums: ReportSums; policy: AggregateReport["policy"] | null };

async function add(
  deps: Deps,
  kind: NewReport["kind"],
  {
    reporter,
    reportId,
    begin,
    end,
  }: Pick<AggregateReport, "reporter" | "reportId" | "begin" | "end">,
  names: readonly string[],
  make: (domain: ReportedDomain) => Made,
): Promise<ReportOutcome> {
  const now = deps.clock.now();
  const oldest = now.getTime() - DOMAIN_DAYS * DAY_MS;
  if (begin.getTime() < oldest || end.getTime() > now.getTime() + AHEAD_MS || end < begin)
    throw new ReportRefused("wrong_time");
  const identity = await sha256Hex([kind, reporter, reportId, begin.toISOString()].join("\0"));
  const since = new Date(now.getTime() - DAY_MS);
  const outcomes: ReportOutcome[] = [];
  for (const domain of await domainsReportedOn(deps.db, withParents(names))) {
    const { sums, policy } = make(domain);
    if (sums.rows.length === 0) continue;
    const about = { id: deps.ids.uuid(), domainId: domain.id, kind, reporter, identity };
    const times = { beginsAt: begin, endsAt: end, receivedAt: now };
    const limit = { most: MOST_A_DAY, since };
    try {
      outcomes.push(await addReport(deps.db, { ...about, ...times, policy }, sums, limit));
    } catch (error) {
      // The domain was deleted meanwhile.
      if (!violates(error, FOREIGN_KEY_VIOLATION)) throw error;
    }
  }
  if (outcomes.length === 0) throw new ReportRefused("wrong_domain");
  return outcomes.includes("taken") ? "taken" : outcomes[0]!;
}

/** Each name with those above it, down to two labels: a report on a name is one on its parents' records too. */
function withParents(names: readonly string[]): string[] {
  const all = new Set<string>();
  for (const name of names) {
    const labels = name.split(".").slice(-8);
    for (let at = 0; at + 2 <= labels.length && all.size < MAX_NAMES; at++)
      all.add(labels.slice(at).join("."));
  }
  return [...all];
}
