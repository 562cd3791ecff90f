import { fork } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import pg from "pg";
import { readAggregateReport } from "#src/domain/senders/reports/aggregate-report.ts";
import { readTlsReport } from "#src/domain/senders/reports/tls-report.ts";
import { ReportRefused, unpackReports } from "#src/domain/senders/reports/unpack.ts";
import { linkToWorkerd } from "../../scripts/stack/worker-link.ts";
import { aggregateXml, gzipped, reportMail, zipped } from "../support/reports.ts";
import type { TestService } from "../support/service.ts";
import { openMeter } from "./meters.ts";
import { range } from "./report.ts";

const MIB = 1024 * 1024;
/** Of one input; and a core's day for reports. */
const TARGET = { cpuMs: 1_000, mib: 48, aDay: 10_000 };
const RECORDS = 50;
const REPORTS = 100;

const xml = (unit: string, size: number, head = "<feedback>") =>
  head + unit.repeat(Math.floor((size - head.length) / unit.length));
const record = aggregateXml({ records: [{ signatures: ["a.zz/s"] }] })
  .split("</policy_published>\n")[1]!
  .replace("</feedback>", "");
const wholeReport = (size: number) =>
  `${xml(record, size, aggregateXml({ records: [] }).replace("</feedback>", ""))}</feedback>`;
const parts = (part: string, count: number) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}\r\n`.repeat(count)}--b--\r\n`;

/** What a stranger may send that costs most, each as large as it may be. */
const WORST: Record<string, () => Uint8Array> = {
  "an honest report of 6 MiB": () => reportMail(gzipped(wholeReport(5.9 * MIB))),
  "five of them in a zip": () =>
    reportMail(
      zipped(Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}.xml`, wholeReport(MIB)]))),
    ),
  "plain, 2.9 MiB": () => reportMail(wholeReport(2.9 * MIB)),
  "a bomb of gzip": () => reportMail(gzipped(Buffer.alloc(100 * MIB, "<"))),
  "a bomb of zip": () => reportMail(zipped({ "a.xml": "<".repeat(100 * MIB) })),
  "elements without an end": () => reportMail(gzipped(xml("<a>", 5.9 * MIB))),
  "attributes without an end": () => reportMail(gzipped(xml(" a='b'", 5.9 * MIB, "<feedback"))),
  "character references": () => reportMail(gzipped(xml("&#65;", 5.9 * MIB, "<feedback><a>"))),
  "signatures of one record": () =>
    reportMail(
      gzipped(
        xml("<dkim><domain>a</domain></dkim>", 5.9 * MIB, "<feedback><record><auth_results>"),
      ),
    ),
  "other sources": () =>
    reportMail(
      gzipped(
        aggregateXml({
          records: Array.from({ length: 13_000 }, (_, at) => ({
            ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
          })),
        }),
      ),
    ),
  "JSON in brackets": () => reportMail(gzipped(`{"policies":${"[".repeat(500_000)}`)),
  "policies of TLS": () =>
    reportMail(
      gzipped(`{"policies":[${'{"policy":{"policy-domain":"a.zz"}},'.repeat(13_000)}{}]}`),
    ),
  "a hundred parts": () =>
    Buffer.from(parts(`Content-Type: text/xml\r\n\r\n${xml("<a>", 40_000)}`, 99)),
  "mails in mails": () => {
    const head = "Content-Type: message/rfc822\r\n\r\n".repeat(30);
    return Buffer.from(head + xml("<a>", 3.9 * MIB));
  },
  "one line of quoted-printable": () =>
    Buffer.from(
      `Content-Type: text/xml\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${"=3C".repeat(1.3 * MIB)}`,
    ),
  "a header of 3.9 MiB": () => Buffer.from(`Subject: ${"=?a?b?c".repeat(0.55 * MIB)}\r\n\r\nx`),
};

/** The dearest inputs, each in a process of its own, and what an ordinary report costs the Worker and Postgres. */
export async function benchReports(service: TestService, rounds: number): Promise<void> {
  console.log(
    `\nReports of receivers: the dearest inputs, CPU in ms (target ${TARGET.cpuMs}) and MiB more than before (target ${TARGET.mib}); ${rounds} rounds`,
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-reports-"));
  const file = path.join(folder, "mail");
  for (const [name, make] of Object.entries(WORST)) {
    fs.writeFileSync(file, make());
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) costs.push(await costOf(file));
    const cpu = range(costs.map(({ cpuMs }) => cpuMs));
    const mib = range(costs.map((cost) => cost.mib));
    console.log(
      `  ${name.padEnd(30)} ${cpu.padStart(16)} ms ${mib.padStart(14)} MiB  ${costs[0]!.outcome}`,
    );
  }
  fs.rmSync(folder, { recursive: true });
  await benchTaking(service, rounds);
}

/** Through the Worker's own door for mail. */
async function benchTaking(service: TestService, rounds: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
  try {
    const { domain } = (await service.api("POST", "/api/v1/mailer/domains", {
      domain: "reported.zz",
    })) as { domain: string };
    await pool.query("update mail_domains set status = 'verified' where domain = $1", [domain]);
    const meter = await openMeter(service, pool);
    const link = linkToWorkerd(service.worker().eventsUrl!);
    const begin = new Date(Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000);
    const records = Array.from({ length: RECORDS }, (_, at) => ({
      ip: `192.0.2.${at}`,
      signatures: [`${domain}/s`],
    }));
    const cpu: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const mails = Array.from({ length: REPORTS }, (_, at) =>
        reportMail(
          gzipped(
            aggregateXml({ domain, begin, id: `${round}-${at}`, reporter: `r${at}.zz`, records }),
          ),
        ),
      );
      const cost = await meter.measure(async () => {
        for (const raw of mails) {
          const to = "dmarc@reports.overture.zz";
          const { rejected } = await link.email({ from: "dmarc@receiver.zz", to, raw });
          if (rejected !== null) throw new Error(rejected);
        }
      });
      // The first round warms up.
      if (round > 0) cpu.push((cost.workerMs + cost.postgresMs) / REPORTS);
    }
    const { rows } = await pool.query("select count(*)::int as n from domain_reports");
    if (rows[0].n !== (rounds + 1) * REPORTS) throw new Error(`${rows[0].n} reports were taken`);
    console.log(
      `  a report of ${RECORDS} sources: ${range(cpu, 2)} ms of the Worker and Postgres; ${TARGET.aDay} take ${range(cpu.map((ms) => (ms * TARGET.aDay) / 1_000))} s of a core's day`,
    );
  } finally {
    await pool.end();
  }
}

interface Cost {
  cpuMs: number;
  mib: number;
  outcome: string;
}

async function costOf(file: string): Promise<Cost> {
  // What lies in a young generation that has room is no need: by itself V8 gives it 32 MiB.
  const execArgv = ["--max-semi-space-size=1"];
  const child = fork(import.meta.filename, ["cost", file], { execArgv });
  const [cost] = (await once(child, "message")) as [Cost];
  return cost;
}

async function readAll(raw: Uint8Array): Promise<string> {
  try {
    const outcomes = [];
    for (const packed of await unpackReports(raw)) {
      const read = packed.format === "xml" ? readAggregateReport : readTlsReport;
      try {
        const report = read(packed);
        outcomes.push("sources" in report ? `${report.sources.length} sources` : "TLS");
      } catch (error) {
        if (!(error instanceof ReportRefused)) throw error;
        outcomes.push(error.reason);
      }
    }
    return [...new Set(outcomes)].join(", ");
  } catch (error) {
    if (!(error instanceof ReportRefused)) throw error;
    return error.reason;
  }
}

if (process.argv[2] === "cost") {
  // Code is loaded and warm, as in an isolate that has taken a report before.
  await readAll(reportMail(gzipped(aggregateXml({ records: [{}] }))));
  const raw = new Uint8Array(fs.readFileSync(process.argv[3]!));
  const rssMib = () => process.resourceUsage().maxRSS / 1024;
  const [before, cpu] = [rssMib(), process.cpuUsage()];
  const outcome = await readAll(raw);
  const { user, system } = process.cpuUsage(cpu);
  process.send!({ cpuMs: (user + system) / 1_000, mib: rssMib() - before, outcome } satisfies Cost);
}
