import { gzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import {
  type AggregateReport,
  operatorOf,
  readAggregateReport,
} from "#src/domain/senders/reports/aggregate-report.ts";
import { nextStep } from "#src/domain/senders/reports/next-step.ts";
import { sumsOfSessions, sumsOfSources } from "#src/domain/senders/reports/sums.ts";
import { readTlsReport, type TlsReport } from "#src/domain/senders/reports/tls-report.ts";
import { MAX_MAIL, ReportRefused, unpackReports } from "#src/domain/senders/reports/unpack.ts";
import { aggregateXml, gzipped, reportMail, zipped } from "../../support/reports.ts";

const xml = aggregateXml();
const REPORT = {
  ...{ reporter: "receiver.zz", reportId: "1" },
  ...{ begin: new Date("2027-01-03T00:00:00Z"), end: new Date("2027-01-03T23:59:59Z") },
  policy: { domain: "example.zz", p: "none", pct: 100, testing: false },
  sources: [{ sourceIp: "192.0.2.1", messages: 1, dkim: false, spf: false }],
};

/** What a mail holds, or why it holds nothing. */
async function read(mail: Uint8Array): Promise<(AggregateReport | TlsReport | string)[] | string> {
  const reason = (error: unknown) => {
    if (error instanceof ReportRefused) return error.reason;
    throw error;
  };
  try {
    return (await unpackReports(mail)).map((packed) => {
      try {
        return packed.format === "xml" ? readAggregateReport(packed) : readTlsReport(packed);
      } catch (error) {
        return reason(error);
      }
    });
  } catch (error) {
    return reason(error);
  }
}
const readXml = (text: string) => readAggregateReport({ text: () => [text] });

const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, "utf16le")]);
const named = Buffer.concat([
  Buffer.from([0x1f, 0x8b, 8, 8 | 4, 0, 0, 0, 0, 0, 255, 2, 0, 1, 2]),
  Buffer.from("a!b!1!2.xml\0"),
  gzipped(xml).subarray(10),
]);

test.each<[string, Uint8Array]>([
  ["plain", reportMail(xml, { type: "text/xml" })],
  ["of a type that says nothing", reportMail(xml)],
  ["the mail itself", reportMail(gzipped(xml), { type: "application/gzip", isWhole: true })],
  ["the mail's text", reportMail(xml, { type: "text/plain", isWhole: true })],
  ["gzip", reportMail(gzipped(xml), { type: "application/gzip" })],
  ["gzip that calls itself zip", reportMail(gzipped(xml), { type: "application/zip" })],
  ["gzip with a name and an extra field in its header", reportMail(named)],
  ["gzip with line ends behind it", reportMail(Buffer.concat([gzipped(xml), Buffer.from("\r\n")]))],
  ["gzip with much behind it", reportMail(Buffer.concat([gzipped(xml), Buffer.alloc(9_000, 7)]))],
  ["zip", reportMail(zipped({ "a.xml": xml }), { type: "application/zip" })],
  ["zip beside a file that is none", reportMail(zipped({ "a.txt": "hello", "b.xml": xml }))],
  ["UTF-16", reportMail(utf16)],
  ["behind blanks", reportMail(`\r\n  ${xml}`)],
])("a report that is %s is read", async (_, mail) => {
  expect(await read(mail)).toMatchObject([REPORT]);
});

test.each<[string, (text: string) => string]>([
  ["with a prefix", (text) => text.replace(/<(\/?)(?=[a-z])/g, "<$1ns0:")],
  [
    "with RFC 9990's namespace",
    (text) => text.replace("<feedback", `<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"`),
  ],
  [
    "with words in capitals",
    (text) => text.replaceAll(">fail<", ">Fail<").replaceAll(">none<", ">NONE<"),
  ],
  ["with blanks around its words", (text) => text.replace(/>([\w.]+)</g, ">\n $1 \n<")],
  ["in milliseconds", (text) => text.replace(/(\d{10})</g, "$1000<")],
  [
    "with dates in words",
    (text) =>
      text.replace(
        /<(begin|end)>(\d+)/g,
        (_, name, at) => `<${name}>${new Date(at * 1000).toISOString()}`,
      ),
  ],
  [
    "without an organisation",
    (text) => text.replace("<org_name>receiver.zz</org_name>", "<org_name></org_name>"),
  ],
  [
    "with more than is known",
    (text) => text.replace("<version>", "<generator>x</generator><version>"),
  ],
  [
    "with a record that says nothing",
    (text) => text.replace("</feedback>", "<record/></feedback>"),
  ],
])("a report %s says the same", (_, change) => {
  expect(readXml(change(xml))).toMatchObject(REPORT);
});

test("bytes that are no UTF-8 are replaced, and an encoding that is declared is followed", async () => {
  const latin = Buffer.from(
    xml.replace("UTF-8", "ISO-8859-1").replace("receiver.zz<", "Fünf<"),
    "latin1",
  );
  expect(await read(reportMail(latin))).toMatchObject([{ reporter: "Fünf" }]);
  // Behind a name so long a document begins at a piece's end.
  for (const length of [2_017, 2_000])
    expect(
      await read(reportMail(zipSync({ ["a".repeat(length)]: [latin, { level: 0 }] }))),
    ).toMatchObject([{ reporter: "Fünf" }]);
  // A stored block comes out when it is there whole.
  const stored = gzipSync(Buffer.from(`${xml}<!--${"a".repeat(5_000)}-->`), { level: 0 });
  expect(await read(reportMail(stored))).toMatchObject([{ reporter: "receiver.zz" }]);
  const broken = Buffer.from(xml.replace("<org_name>receiver.zz", "<org_name>F\u00fcnf"), "latin1");
  expect(await read(reportMail(broken))).toMatchObject([{ reporter: "F\ufffdnf" }]);
});

const bomb = gzipped(Buffer.alloc(200 * 1024 * 1024, "<a/>"));
const arf =
  "Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\nSubject: DMARC\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: auth-failure\r\n\r\n--b--\r\n";

test.each<[string, Uint8Array | string, unknown]>([
  ["nothing", "", "no_report"],
  ["a letter", "Subject: Hi\r\n\r\nHello.", "no_report"],
  ["a picture", reportMail("\u0089PNG"), "no_report"],
  ["a page", reportMail("<html><body>Report</body></html>"), ["unreadable"]],
  ["a bomb", reportMail(bomb), ["too_large"]],
  ["a bomb in a zip", reportMail(zipped({ "a.xml": "<a/>".repeat(5_000_000) })), "too_large"],
  [
    "a mail of many parts",
    "Content-Type: multipart/mixed; boundary=b\r\n" + "\r\n--b\r\n\r\n<a>".repeat(101),
    "too_large",
  ],
  ["much JSON", reportMail(`{"a":"${"b".repeat(600_000)}"}`), ["too_large"]],
  ["a mail too large", Buffer.alloc(MAX_MAIL + 1, "a"), "too_large"],
  ["gzip that is cut", reportMail(gzipped(xml).subarray(0, 200)), ["unreadable"]],
  ["gzip of nothing", reportMail(Buffer.from([0x1f, 0x8b])), ["unreadable"]],
  ["a zip that is cut", reportMail(zipped({ "a.xml": xml }).slice(0, 100)), "unreadable"],
  ["XML that is cut", reportMail(xml.slice(0, -20)), ["unreadable"]],
  ["XML too deep", reportMail(`<feedback>${"<a>".repeat(100)}`), ["unreadable"]],
  ["no id", reportMail(xml.replace("<report_id>1<", "<report_id><")), ["incomplete"]],
  ["no time", reportMail(xml.replace(/<begin>\d+/, "<begin>soon")), ["incomplete"]],
  [
    "no domain",
    reportMail(xml.replace("<domain>example.zz</domain><adkim>", "<adkim>")),
    ["incomplete"],
  ],
  ["JSON of something else", reportMail('{"a":1}'), ["incomplete"]],
  ["JSON that is cut", reportMail('{"a":'), ["unreadable"]],
  ["a failure report", arf, "failure_report"],
  [
    "a failure report in words",
    "Subject: DMARC Forensic Report for a.zz\r\n\r\nX",
    "failure_report",
  ],
])("%s is refused", async (_, mail, reason) => {
  expect(await read(Buffer.from(mail))).toEqual(reason);
});

test("an entity that is declared stands for nothing", () => {
  const declared = `<!DOCTYPE x [<!ENTITY a "${"b".repeat(50)}">]>${xml.replace("receiver.zz<", "&a;<")}`;
  expect(readXml(declared).reporter).toBe("&a;");
});

const domain = {
  id: "1",
  domain: "example.zz",
  dkimSelector: "overture-1",
  ed25519Selector: "overture-1-ed25519",
};

test("a source is ours by our selector, somebody else's by the domain that it signs or sends for", () => {
  const { sources } = readXml(
    aggregateXml({
      records: [
        { ip: "1.1.1.1", count: 5, dkim: "pass", signatures: ["example.zz/overture-1"] },
        { ip: "1.1.1.1", count: 2, dkim: "pass", signatures: ["example.zz/overture-1-ed25519"] },
        {
          ip: "1.1.1.1",
          count: 1,
          signatures: ["example.zz/overture-1/fail"],
          disposition: "reject",
        },
        {
          ip: "2.2.2.2",
          count: 3,
          dkim: "pass",
          signatures: ["example.zz/other", "a.mailer.zz/x"],
        },
        { ip: "3.3.3.3", count: 4, envelope: "bounce.tool.zz", disposition: "quarantine" },
        {
          ip: "4.4.4.4",
          count: 6,
          override: "mailing_list",
          signatures: ["example.zz/overture-1/fail"],
        },
        { ip: "5.5.5.5", count: 7, from: "news.example.zz", spf: "pass" },
        { ip: "6.6.6.6", count: 8, from: "elsewhere.zz", spf: "pass" },
        { ip: "not an address", count: 9 },
        { ip: "7.7.7.7", count: -1 },
      ],
    }),
  );
  const none = {
    ours: 0,
    aligned: 0,
    alignedDkim: 0,
    alignedSpf: 0,
    quarantined: 0,
    rejected: 0,
    forwarded: 0,
  };
  expect(sumsOfSources(sources, "example.zz", domain)).toEqual([
    {
      ...none,
      sourceIp: "1.1.1.1",
      operator: "",
      messages: 8,
      ours: 7,
      aligned: 7,
      alignedDkim: 7,
      rejected: 1,
    },
    {
      ...none,
      sourceIp: "2.2.2.2",
      operator: "mailer.zz",
      messages: 3,
      aligned: 3,
      alignedDkim: 3,
    },
    { ...none, sourceIp: "3.3.3.3", operator: "tool.zz", messages: 4, quarantined: 4 },
    { ...none, sourceIp: "4.4.4.4", operator: "", messages: 6, forwarded: 6 },
    { ...none, sourceIp: "5.5.5.5", operator: "", messages: 7, aligned: 7, alignedSpf: 7 },
  ]);
  expect(sources.map(operatorOf)).toContain("mailer.zz");
});

test("a TLS report is summed up by policy and result, with what it does not explain", () => {
  const report = {
    "organization-name": "Receiver",
    "date-range": {
      "start-datetime": "2027-01-03T00:00:00Z",
      "end-datetime": "2027-01-03T23:59:59Z",
    },
    "report-id": "1",
    policies: [
      {
        policy: { "policy-type": "STS", "policy-domain": "Example.zz." },
        summary: { "total-successful-session-count": 10, "total-failure-session-count": "4" },
        "failure-details": [
          { "result-type": "certificate-expired", "failed-session-count": 2 },
          { "result-type": "certificate-expired", "failed-session-count": 1 },
        ],
      },
    ],
  };
  const read = readTlsReport({ text: () => [JSON.stringify(report)] });
  expect(read).toMatchObject({ reporter: "Receiver", policies: [{ domain: "example.zz" }] });
  expect(sumsOfSessions(read.policies)).toEqual([
    { policyType: "sts", result: "successful", sessions: 10 },
    { policyType: "sts", result: "certificate-expired", sessions: 3 },
    { policyType: "sts", result: "unexplained-failure", sessions: 1 },
  ]);
});

const counts = {
  ...{ messages: 100, ours: 90, aligned: 99, alignedDkim: 95, alignedSpf: 80 },
  ...{ quarantined: 0, rejected: 0, forwarded: 0 },
};
const policy = {
  domain: "example.zz",
  p: "none" as string | null,
  sp: null,
  pct: 100 as number | null,
  testing: false,
};
const days = Array.from({ length: 14 }, (_, day) => ({ day: `2027-01-${day + 10}`, ...counts }));
const reporters = [
  { reporter: "a", ...counts },
  { reporter: "b", ...counts },
];
const seen = { domain: "example.zz", policy, days, sources: [], reporters };
const source = (operator: string, messages: number, more = {}) => ({
  ...{ operator, isOurs: false, addresses: 1, someAddresses: [], firstDay: "", lastDay: "" },
  ...{ ...counts, messages, aligned: 0, ours: 0, ...more },
});

test.each<[string, Partial<Parameters<typeof nextStep>[0]>, object]>([
  ["no report", { policy: null }, { policy: null, safe: null }],
  ["all well", {}, { policy: "quarantine", safe: true }],
  ["quarantine", { policy: { ...policy, p: "quarantine" } }, { policy: "reject", safe: true }],
  [
    "quarantine of a part",
    { policy: { ...policy, p: "quarantine", pct: 20 } },
    { policy: "quarantine" },
  ],
  [
    "reject in testing",
    { policy: { ...policy, p: "reject", testing: true } },
    { policy: "reject" },
  ],
  ["reject", { policy: { ...policy, p: "reject" } }, { policy: null, safe: true, fix: null }],
  [
    "a policy that is not said",
    { policy: { ...policy, p: null, pct: null } },
    { policy: "quarantine" },
  ],
  ["thirteen days", { days: days.slice(1) }, { safe: null }],
  ["one receiver", { reporters: reporters.slice(1) }, { safe: null }],
  ["99 messages", { days: days.map((day) => ({ ...day, messages: 7 })) }, { safe: null }],
  ["a tool that fails", { sources: [source("tool.zz", 8)] }, { safe: false }],
  ["a tool of which nobody hears", { sources: [source("tool.zz", 7)] }, { safe: true }],
  ["forwarded mail", { sources: [source("list.zz", 50, { forwarded: 45 })] }, { safe: true }],
  ["forgeries", { sources: [source("", 500)] }, { safe: true }],
])("the next step: %s", (_, change, step) => {
  expect(nextStep({ ...seen, ...change })).toMatchObject(step);
});

test("a step names who would be lost, and how much", () => {
  const sources = ["a.zz", "b.zz", "c.zz", "d.zz"].map((name) => source(name, 35));
  expect(nextStep({ ...seen, sources }).why).toBe(
    "a.zz, b.zz, c.zz and 1 more send in the domain's name without passing: 10 % of all messages. With p=quarantine receivers would file them.",
  );
});
