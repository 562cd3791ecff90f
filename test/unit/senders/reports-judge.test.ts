import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { expect, test } from "vitest";
import { readAggregateReport } from "#src/domain/senders/reports/aggregate-report.ts";
import { readTlsReport } from "#src/domain/senders/reports/tls-report.ts";
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

interface Judged {
  type: "aggregate" | "smtp_tls" | "failure";
  // As parsedmarc gives it.
  // oxlint-disable-next-line typescript/no-explicit-any
  report: any;
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

test.each(files)(
  "%s is read, or refused for a reason",
  { timeout: patience(60_000) },
  async (file) => {
    const ours = await read(file);
    const theirs = judged.get(file);
    if (theirs === undefined) return expect(ours).toBeTruthy();
    if (theirs?.type === "failure") return expect(ours).toBe("failure_report");
    // What it cannot read at all says nothing of our reading.
    if (theirs === null || typeof ours === "string")
      return expect(typeof ours).not.toBe("undefined");
    if ("policies" in ours)
      return expect({
        ...ours,
        begin: ours.begin.toISOString(),
        end: ours.end.toISOString(),
      }).toMatchObject({
        reporter: theirs.report.organization_name,
        reportId: theirs.report.report_id,
        begin: second(theirs.report.begin_date).toISOString(),
        policies: theirs.report.policies.map((each: Record<string, unknown>) => ({
          domain: each["policy_domain"],
          type: each["policy_type"],
          successful: each["successful_session_count"],
          failed: each["failed_session_count"],
        })),
      });
    const { report_metadata: head, policy_published: policy, records } = theirs.report;
    expect({ ...ours, sources: ours.sources.length }).toMatchObject({
      reportId: head.report_id,
      begin: second(head.begin_date),
      end: second(head.end_date),
      policy: {
        domain: policy.domain,
        p: policy.p,
        pct: policy.pct === null ? null : Number(policy.pct),
      },
      sources: records.length,
    });
    expect(
      ours.sources.map(
        ({ sourceIp, messages, disposition, dkim, spf, headerFrom, dkimResults, spfResults }) => ({
          ...{ sourceIp, messages, disposition, dkim, spf },
          // A byte that is no UTF-8 we replace, and parsedmarc leaves out.
          headerFrom: headerFrom.replaceAll("\ufffd", ""),
          dkimResults: dkimResults
            .filter(({ domain }) => domain !== "")
            .map(({ domain, result }) => [domain, result]),
          spfResults: spfResults
            .filter(({ domain }) => domain !== "")
            .map(({ domain, result }) => [domain, result]),
        }),
      ),
    ).toEqual(
      // As parsedmarc gives it.
      // oxlint-disable-next-line typescript/no-explicit-any
      records.map((record: Record<string, any>) => ({
        sourceIp: record["source"].ip_address,
        messages: record["count"],
        disposition: lower(record["policy_evaluated"].disposition),
        dkim: record["alignment"].dkim,
        spf: record["alignment"].spf,
        headerFrom: lower(record["identifiers"].header_from),
        dkimResults: record["auth_results"].dkim.map((each: Record<string, string>) => [
          lower(each["domain"]),
          lower(each["result"]),
        ]),
        spfResults: record["auth_results"].spf.map((each: Record<string, string>) => [
          lower(each["domain"]),
          lower(each["result"]),
        ]),
      })),
    );
  },
);
