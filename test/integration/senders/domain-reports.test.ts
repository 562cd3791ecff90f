import { expect, test } from "vitest";
import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import type { Tenant } from "../../support/api.ts";
import { postMail } from "../../support/incoming.ts";
import { type Publishable, zoneFor } from "../../support/publish.ts";
import { aggregateXml, gzipped, type MadeReport, reportMail } from "../../support/reports.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ env: { REPORTS_DOMAIN: "reports.overture.zz" } });

const PATH = "/api/v1/mailer/domains";
const DAY = 86_400;
let count = 0;
let reportId = 0;

/** One that has shown that it is the workspace's. */
async function verified(
  name = `reported${count++}.zz`,
  owner = tenant,
): Promise<Publishable & { id: string; dkim_selector: string }> {
  const made = (await owner.call("POST", PATH, { domain: name })).body;
  api.dns.zones.put(made.domain, zoneFor(made));
  expect((await owner.call("POST", `${PATH}/${made.id}/verify`)).body.status).toBe("verified");
  return made;
}

const yesterday = (days = 1) =>
  new Date(Math.floor((api.deps.clock.now().getTime() / 1000 - days * DAY) / DAY) * DAY * 1000);
const send = (raw: Buffer) => postMail(api, new Uint8Array(raw), "dmarc@reports.overture.zz");
const report = (made: MadeReport) =>
  send(reportMail(gzipped(aggregateXml({ begin: yesterday(), id: String(reportId++), ...made }))));
const read = async (id: string, owner: Tenant = tenant, days = 30) =>
  (await owner.call("GET", `${PATH}/${id}/dmarc?days=${days}`)).body;

test("the record that a domain is told asks for reports at our address", async () => {
  const made = await verified();
  const dmarc = (
    made as unknown as { records: { purpose: string; expected: string; status: string }[] }
  ).records.find(({ purpose }) => purpose === "dmarc");
  expect(dmarc!.expected).toBe("v=DMARC1; p=none; rua=mailto:dmarc@reports.overture.zz");
  expect(await read(made.id)).toMatchObject({
    ...{ domain: made.domain, reports_to: "dmarc@reports.overture.zz", last_report_at: null },
    ...{ policy: null, days: [], sources: [], reporters: [], tls: [] },
    next_step: { policy: null, safe: null },
  });
});

test("reports are summed up by day, source and reporter, each once", async () => {
  const { id, domain, dkim_selector: selector } = await verified();
  const ours = { ip: "192.0.2.7", count: 90, dkim: "pass", signatures: [`${domain}/${selector}`] };
  const theirs = {
    ip: "198.51.100.1",
    count: 10,
    envelope: "bounce.mailer.zz",
    disposition: "quarantine",
  };
  const first = { domain, id: "first", policy: "quarantine", records: [ours, theirs] };
  expect((await report(first)).body).toEqual({
    duplicate: false,
    class: "report",
    matched_by: null,
  });
  const again = await Promise.all(Array.from({ length: 6 }, () => report(first)));
  expect(again.map(({ body }) => body.duplicate)).toEqual(again.map(() => true));
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      report({
        domain,
        reporter: `r${at % 2}.zz`,
        records: at % 2 ? [ours, theirs] : [theirs, ours],
      }),
    ),
  );
  await report({ domain, begin: yesterday(2), records: [ours] });
  const body = await read(id);
  const days = body.days.map(({ messages, aligned }: Record<string, number>) => [
    messages,
    aligned,
  ]);
  expect(days).toEqual([
    [90, 90],
    [900, 810],
  ]);
  expect(body.sources).toMatchObject([
    {
      name: null,
      is_ours: true,
      messages: 900,
      ours: 900,
      aligned: 900,
      aligned_dkim: 900,
      aligned_spf: 0,
      share: 0.9091,
      some_addresses: ["192.0.2.7"],
    },
    {
      name: "mailer.zz",
      is_ours: false,
      messages: 90,
      aligned: 0,
      quarantined: 90,
      share: 0.0909,
      addresses: 1,
    },
  ]);
  expect(
    body.reporters.map(({ reporter, messages }: { reporter: string; messages: number }) => [
      reporter,
      messages,
    ]),
  ).toEqual([
    ["r0.zz", 400],
    ["r1.zz", 400],
    ["receiver.zz", 190],
  ]);
  expect(body).toMatchObject({
    policy: { p: "none", domain },
    next_step: { policy: "quarantine", safe: null },
  });
  expect((await read(id, tenant, 1)).days).toEqual([]);
});

test("the newest report's policy counts, and two weeks of good ones make the next step safe", async () => {
  const { id, domain, dkim_selector: selector } = await verified();
  const records = [{ count: 20, dkim: "pass", signatures: [`${domain}/${selector}`] }];
  for (let day = 1; day <= 14; day++)
    await report({
      domain,
      reporter: `r${day % 2}.zz`,
      policy: day === 14 ? "quarantine" : "none",
      begin: yesterday(day),
      records,
    });
  expect(await read(id)).toMatchObject({
    policy: { p: "quarantine" },
    next_step: { policy: "reject", safe: true },
  });
  // A shorter span shows less, and judges no other.
  const ofWeek = await read(id, tenant, 7);
  expect([ofWeek.days.length, ofWeek.next_step]).toEqual([6, (await read(id)).next_step]);
  const { why, fix } = (await read(id)).next_step;
  expect(why).toMatch(/^100 % of 280 messages pass/);
  expect(fix).toContain("Change p=quarantine to p=reject");
});

test("a report counts for every workspace that has shown the domain to be its own, and for no other", async () => {
  const [friend, stranger] = [await api.tenant(), await api.tenant()];
  const mine = await verified();
  const shared = await verified(`mail.${mine.domain}`, friend);
  const unproven = (await stranger.call("POST", PATH, { domain: mine.domain })).body;
  const records = [
    { count: 5, from: mine.domain },
    { count: 3, from: `mail.${mine.domain}`, ip: "192.0.2.9" },
  ];
  await report({ domain: mine.domain, records });
  const messages = async (id: string, owner: Tenant) =>
    (await read(id, owner)).days.map((day: { messages: number }) => day.messages);
  expect(await messages(mine.id, tenant)).toEqual([8]);
  expect(await messages(shared.id, friend)).toEqual([3]);
  expect(await messages(unproven.id, stranger)).toEqual([]);
  expect((await stranger.call("GET", `${PATH}/${mine.id}/dmarc`)).status).toBe(404);
});

test.each<[string, () => Promise<{ body: unknown }>]>([
  ["about a domain that nobody has", () => report({ domain: "nobody.zz" })],
  ["about a top level", () => report({ domain: "zz", records: [{ from: "zz" }] })],
  [
    "of 401 days ago",
    async () => report({ domain: (await verified()).domain, begin: yesterday(401) }),
  ],
  [
    "of the week to come",
    async () => report({ domain: (await verified()).domain, begin: yesterday(-7) }),
  ],
  ["that cannot be read", () => send(reportMail(gzipped("<feedback>")))],
  ["that is a letter", () => send(Buffer.from("Subject: Hi\r\n\r\nHello."))],
])("a report %s is refused", async (_, sent) => {
  const reports = () => query`select count(*)::int from domain_reports`;
  const before = await reports();
  expect((await sent()).body).toMatchObject({ class: "report_refused", duplicate: false });
  expect(await reports()).toEqual(before);
});

test("a failure report is kept nowhere, at whichever address it comes", async () => {
  const raw =
    "From: a@receiver.zz\r\nSubject: DMARC\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: auth-failure\r\nVersion: 1\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: x@y.zz\r\n\r\nA secret.\r\n--b--\r\n";
  for (const to of ["dmarc@reports.overture.zz", "ann@sender.zz"])
    expect((await postMail(api, raw, to)).body).toMatchObject({
      class: "failure_report",
      matched_by: null,
    });
  const { rows } = await api.sql.query("select count(*)::int as n from conversation_messages");
  expect(rows).toEqual([{ n: 0 }]);
});

test("a domain takes so many reports a day", async () => {
  const { id, domain } = await verified();
  await report({ domain });
  await api.sql.query(
    `insert into domain_reports select gen_random_uuid(), domain_id, kind, reporter, 'x' || n, begins_at, ends_at, received_at
     from domain_reports, generate_series(1, 1998) n where domain_id = $1`,
    [id],
  );
  expect((await report({ domain })).body.class).toBe("report");
  expect((await report({ domain })).body.class).toBe("report_refused");
  api.advance(DAY + 1);
  expect((await report({ domain })).body.class).toBe("report");
});

test("TLS reports are summed up beside them", async () => {
  const { id, domain } = await verified();
  const begin = yesterday().toISOString();
  const policy = { "policy-type": "sts", "policy-domain": domain };
  const summary = { "total-successful-session-count": 40, "total-failure-session-count": 2 };
  const details = [{ "result-type": "starttls-not-supported", "failed-session-count": 2 }];
  const tls = (reporter: string) => ({
    ...{
      "organization-name": reporter,
      "report-id": "1",
      "date-range": { "start-datetime": begin, "end-datetime": begin },
    },
    policies: [{ policy, summary, "failure-details": details }],
  });
  for (const reporter of ["a.zz", "a.zz", "b.zz"])
    await send(
      reportMail(gzipped(JSON.stringify(tls(reporter))), { type: "application/tlsrpt+gzip" }),
    );
  expect((await read(id)).tls).toEqual([
    { policy_type: "sts", result: "successful", sessions: 80 },
    { policy_type: "sts", result: "starttls-not-supported", sessions: 4 },
  ]);
});

test("what is older than 400 days goes, and with its domain all", async () => {
  const { id, domain } = await verified();
  await report({ domain, begin: yesterday(399) });
  await report({ domain });
  const rows = () => query`
    select (select count(*)::int from domain_reports where domain_id = ${id}) as reports,
           (select count(*)::int from dmarc_sources where domain_id = ${id}) as sources`;
  await dropWhatEnded(api.deps);
  expect(await rows()).toEqual([{ reports: 2, sources: 2 }]);
  api.advance(3 * DAY);
  await dropWhatEnded(api.deps);
  expect(await rows()).toEqual([{ reports: 1, sources: 1 }]);
  await tenant.call("DELETE", `${PATH}/${id}`);
  expect(await rows()).toEqual([{ reports: 0, sources: 0 }]);
});
