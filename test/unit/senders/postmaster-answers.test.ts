/** What of Google's answers is taken for a figure or a verdict. */
import { expect, test } from "vitest";
import {
  complianceOf,
  ComplianceStatus,
  daysOf,
  StatsPage,
} from "#src/providers/postmaster/google-answers.ts";

const RANGE = { since: "2026-11-01", until: "2026-11-30" };
const stat = (more: object) => ({
  ...{ metric: "spam", date: { year: 2026, month: 11, day: 20 }, value: { doubleValue: 0.01 } },
  ...more,
});
const days = (...stats: unknown[]) => daysOf(stats, "a.zz", RANGE);

test("a share is a number as a double or a float, once for a day and a metric", () => {
  expect(days(stat({}), stat({ value: { floatValue: 0.5 } }), stat({ metric: "spf" }))).toEqual([
    { day: "2026-11-20", spam: 0.01, spf: 0.01, errors: [] },
  ]);
  expect(days(stat({ value: { floatValue: 0.5 } }))).toMatchObject([{ spam: 0.5 }]);
  expect(days(stat({ value: { doubleValue: 0 } }))).toMatchObject([{ spam: 0 }]);
});

test.each([
  ["of text", { value: { doubleValue: "NaN" } }],
  ["of two words", { value: { stringValue: "low" } }],
  ["below none", { value: { doubleValue: -1e-9 } }],
  ["above all", { value: { doubleValue: 1.0001 } }],
  ["of another domain", { name: "domains/ab.zz/domainStats/x" }],
  ["of a domain above", { name: "domains/zz/domainStats/x" }],
  ["before the range", { date: { year: 2026, month: 10, day: 31 } }],
  ["behind the range", { date: { year: 2026, month: 12, day: 1 } }],
  ["of a date that is none", { date: { year: 2026, month: 10, day: 51 } }],
  ["of a part of a day", { date: { year: 2026, month: 11, day: 2.5 } }],
  ["of a metric that nobody asked for", { metric: "constructor" }],
])("a figure %s is none", (_, more) => {
  expect(days(stat(more))).toEqual([]);
});

test("refusals by a reason are told where there are any, in ascending days", () => {
  const later = { date: { year: 2026, month: 11, day: 21 } };
  const refused = { metric: "reject_low_domain_reputation" };
  expect(
    days(
      stat({ ...refused, ...later }),
      stat({ ...refused, ...later, value: { doubleValue: 0.5 } }),
      stat({ metric: "temp_fail_other", value: { doubleValue: 0 } }),
      stat({ name: "domains/A.zz/domainStats/x" }),
    ),
  ).toEqual([
    { day: "2026-11-20", spam: 0.01, errors: [] },
    {
      day: "2026-11-21",
      errors: [{ type: "reject", reason: "low_domain_reputation", rate: 0.01 }],
    },
  ]);
});

test("a page without figures is one, and anything else is none", () => {
  expect(StatsPage.safeParse({}).data).toEqual({ domainStats: [], nextPageToken: "" });
  for (const each of [[], null, "x", { domainStats: {} }, { nextPageToken: 7 }])
    expect(StatsPage.safeParse(each).success).toBe(false);
});

const row = (requirement: string, status = "COMPLIANT") => ({ requirement, status: { status } });
const verdict = (status: string, reason?: string) => ({ status: { status }, reason });
const compliance = (answer: object, domain = "mail.a.zz") =>
  complianceOf(ComplianceStatus.parse(answer), domain);

test("a verdict is of the domain itself, else of the one above it, and never of another", () => {
  const above = { domainId: "a.zz", rowData: [row("SPF")] };
  const own = { domainId: "mail.a.zz", rowData: [row("SPF", "NEEDS_WORK")] };
  const [good, bad] = ["compliant", "needs_work"].map((status) => [
    { requirement: "spf", status, reason: null },
  ]);
  expect(compliance({ complianceData: above })).toEqual(good);
  expect(compliance({ complianceData: above, subdomainComplianceData: own })).toEqual(bad);
  for (const domainId of ["b.zz", "ail.a.zz", "x.mail.a.zz", "zz"])
    expect(compliance({ complianceData: { ...above, domainId } })).toBeNull();
  expect(compliance({})).toBeNull();
  expect(compliance({ complianceData: { domainId: 7 } })).toBeNull();
});

test("of a requirement there is one verdict, with Google's reason where it gives one", () => {
  const data = {
    domainId: "mail.a.zz",
    rowData: [
      row("ONE_CLICK_UNSUBSCRIBE"),
      row("DKIM", "STATE_UNSPECIFIED"),
      row("SOMETHING_NEW"),
      { requirement: "SPF" },
      "SPF",
      row("ENCRYPTION"),
    ],
    oneClickUnsubscribeVerdict: verdict("NEEDS_WORK", "NO_UNSUB_GENERAL"),
    honorUnsubscribeVerdict: verdict("COMPLIANT", "REASON_UNSPECIFIED"),
  };
  expect(compliance({ complianceData: data })).toEqual([
    { requirement: "one_click_unsubscribe", status: "needs_work", reason: "no_unsub_general" },
    { requirement: "honor_unsubscribe", status: "compliant", reason: null },
    { requirement: "encryption", status: "compliant", reason: null },
  ]);
  const hostile = { ...data, oneClickUnsubscribeVerdict: verdict("NEEDS_WORK", "<script>") };
  expect(compliance({ complianceData: hostile })).toContainEqual({
    ...{ requirement: "one_click_unsubscribe", status: "compliant", reason: null },
  });
});
