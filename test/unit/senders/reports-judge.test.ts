import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";
import {
  type AggregateReport,
  readAggregateReport,
} from "#src/domain/senders/reports/aggregate-report.ts";
import { readTlsReport, type TlsReport } from "#src/domain/senders/reports/tls-report.ts";
import { ReportRefused, unpackReports } from "#src/domain/senders/reports/unpack.ts";
import { patience } from "../../support/patience.ts";
import { reportMail } from "../../support/reports.ts";

/** Reports of real reporters as they stand beside the project; each is read or refused with a reason, and as parsedmarc reads it. */
const ROOT = path.resolve(import.meta.dirname, "../../..");
const folder = path.join(process.env["SHARED_DATA"] ?? path.join(ROOT, "../shared/data"), "dmarc");
const files = existsSync(folder) ? readdirSync(folder).filter((file) => !file.endsWith(".md")) : [];
const python = process.env["SDK_PYTHON"] || path.join(ROOT, ".local/sdk-python/bin/python");
const hasJudge = spawnSync(python, ["-c", "import parsedmarc"]).status === 0;
if (files.length === 0)
  console.log("reports of real reporters: not run (they are not beside the project)");
if (!hasJudge) console.log("parsedmarc: not run (npm run sdk:tools)");

/** As parsedmarc gives it. */
// oxlint-disable-next-line typescript/no-explicit-any
type Theirs = any;
interface Judged {
  type: "aggregate" | "smtp_tls" | "failure";
  report: Theirs;
}

const JUDGE = `
import json, sys
from parsedmarc import parse_report_file
for name in sys.argv[1:]:
    try:
        read = parse_report_file(name, offline=True, normalize_timespan_threshold_hours=1e9)
        print(json.dumps({"type": read["report_type"], "report": read["report"]}, default=str))
    except Exception as error:
        print(json.dumps(None))
`;

const judged = new Map<string, Judged | null>();
if (hasJudge && files.length > 0) {
  const names = files.map((file) => path.join(folder, file));
  const { stdout } = spawnSync(python, ["-c", JUDGE, ...names], { maxBuffer: 2 ** 28 });
  const lines = String(stdout).trim().split("\n");
  for (const [at, file] of files.entries())
    judged.set(file, JSON.parse(lines[at]!) as Judged | null);
}

async function read(file: string) {
  const bytes = readFileSync(path.join(folder, file));
  try {
    const [packed] = await unpackReports(file.endsWith(".eml") ? bytes : reportMail(bytes));
    return packed!.format === "xml" ? readAggregateReport(packed!) : readTlsReport(packed!);
  } catch (error) {
    if (error instanceof ReportRefused) return error.reason;
    throw error;
  }
}

const second = (text: string) => new Date(`${text.replace(" ", "T").replace(/Z?$/, "Z")}`);
const lower = (text: string | null | undefined) => text?.toLowerCase() ?? null;

test.runIf(files.length > 0)(
  "real reports are read as parsedmarc reads them, or refused for a reason",
  async () => {
    for (const file of files) await judge(file);
  },
  patience(120_000),
);

async function judge(file: string): Promise<void> {
  const ours = await read(file);
  const theirs = judged.get(file);
  // Without a judge, or where it reads nothing itself, the file's name says of what kind it is.
  if (theirs === undefined || theirs === null)
    return expect(ours === "failure_report").toBe(file.startsWith("failure"));
  const said =
    typeof ours === "string" ? ours : "policies" in ours ? tlsOf(ours) : aggregateOf(ours);
  expect({ file, said }).toEqual({ file, said: expectedOf(theirs) });
}

function expectedOf({ type, report }: Judged) {
  if (type === "failure") return "failure_report";
  return type === "smtp_tls" ? theirTls(report) : theirAggregate(report);
}

const tlsOf = ({ reporter, reportId, begin, policies }: TlsReport) => ({
  ...{ reporter, reportId, begin },
  policies: policies.map(({ domain, type, successful, failed }) => [
    domain,
    type,
    successful,
    failed,
  ]),
});
const theirTls = (report: Theirs) => ({
  reporter: report.organization_name,
  reportId: report.report_id,
  begin: second(report.begin_date),
  policies: report.policies.map((each: Theirs) => [
    each.policy_domain,
    each.policy_type,
    each.successful_session_count,
    each.failed_session_count,
  ]),
});

type Vouched = { domain: string | null; result: string | null };
const named = (all: readonly Vouched[]) =>
  all.filter(({ domain }) => domain).map(({ domain, result }) => [lower(domain), lower(result)]);

const aggregateOf = ({ reportId, begin, end, policy, sources }: AggregateReport) => ({
  ...{ reportId, begin, end },
  policy: [policy.domain, policy.p, policy.pct],
  sources: sources.map(({ headerFrom, dkimResults, spfResults, overrides, ...source }) => ({
    ...source,
    // A byte that is no UTF-8 we replace, and parsedmarc leaves out.
    headerFrom: headerFrom.replaceAll("\ufffd", ""),
    overrides,
    dkimResults: named(dkimResults),
    spfResults: named(spfResults),
  })),
});
const theirAggregate = ({ report_metadata: head, policy_published: policy, records }: Theirs) => ({
  reportId: head.report_id,
  ...{ begin: second(head.begin_date), end: second(head.end_date) },
  policy: [policy.domain, policy.p, policy.pct === null ? null : Number(policy.pct)],
  sources: records.map((record: Theirs) => ({
    ...{ sourceIp: record.source.ip_address, messages: record.count },
    disposition: lower(record.policy_evaluated.disposition),
    ...{ dkim: record.alignment.dkim, spf: record.alignment.spf },
    headerFrom: lower(record.identifiers.header_from),
    overrides: record.policy_evaluated.policy_override_reasons.map(({ type }: Theirs) =>
      lower(type),
    ),
    dkimResults: named(record.auth_results.dkim),
    spfResults: named(record.auth_results.spf),
  })),
});
