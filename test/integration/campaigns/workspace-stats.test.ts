import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../support/random.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { FACTS, insertSent, type SentRow } from "../../support/sent-messages.ts";
import type { Tenant } from "../../support/api.ts";
import { statements } from "../../support/statements.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ of: { timezone: "Europe/Berlin" }, eachTest: true });

const BERLIN = "Europe/Berlin";
const HOUR = 3_600_000;
const COUNTED = ["accepted", "assumed_sent", "rejected"];

const stats = async (asked: string, of: Tenant = tenant) => {
  const { status, body } = await of.call("GET", `/api/v1/stats?${asked}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

// Rows as the driver gives them.
// oxlint-disable-next-line typescript/no-explicit-any
type LedgerRow = any;

/** The wall clock of a zone, as Intl says it. */
function wallOf(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    timeZoneName: "longOffset",
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)!.value;
  const offset = part("timeZoneName").slice(3) || "+00:00";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:00:00${offset}`;
}

/** What the rows of the ledger add up to, read one by one. */
function addUp(rows: readonly LedgerRow[], keyOf: (row: LedgerRow) => string) {
  const sums = new Map<string, Record<string, unknown>>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = (sums.get(key) ?? { key }) as Record<string, number>;
    sums.set(key, sum);
    const isSent = row["state"] !== "rejected";
    const add = (name: string, is: boolean) => (sum[name] = (sum[name] ?? 0) + Number(is));
    add("sent", isSent);
    add("first_messages", isSent && row["step"] === 1);
    add("follow_ups", isSent && row["step"] !== 1);
    add("opened", (row["opens"] as number) > 0);
    add("clicked", (row["clicks"] as number) > 0);
    for (const fact of FACTS) add(fact, row[`${fact}_at`] !== null);
  }
  return [...sums.values()].sort((a, b) => (String(a["key"]) < String(b["key"]) ? -1 : 1));
}

/** Two campaigns over three aliases of two domains, and some hundred messages about a change of the clocks. */
async function ledgerAbout(at: string, days: number) {
  const now = new Date(at);
  const aliases = await insertAliases(api.sql, tenant, 3, { now });
  await query`update mail_aliases set email = left(id::text, 8) || '@other.zz' where id = ${aliases[2]}`;
  const campaigns: string[] = [];
  for (const domain of ["one.zz", "two.zz"])
    campaigns.push(
      (await insertActiveCampaign(api.sql, tenant, { leads: 1, aliases, now, domain })).campaignId,
    );
  const random = createRandom(7);
  const rows: SentRow[] = Array.from({ length: 400 }, () => ({
    campaignId: random.pick(campaigns),
    laneId: random.pick(aliases),
    at: new Date(now.getTime() + random.below(days * 24) * HOUR + random.below(HOUR)),
    step: 1 + random.below(3),
    state: random.pick([
      "accepted",
      "accepted",
      "assumed_sent",
      "rejected",
      "released",
      "claimed",
      "failed",
      "unknown",
    ]),
    opens: random.below(3),
    clicks: random.below(2),
    facts: FACTS.filter(() => random.chance(0.2)),
  }));
  await insertSent(api.sql, tenant, rows);
  return { aliases, campaigns };
}

const ledger = async (from: string, until: string) =>
  (
    await query`select * from sends where workspace_id = ${tenant.workspaceId}
     and slot_at >= ${from} and slot_at < ${until}`
  ).filter(({ state }) => COUNTED.includes(state));

const hourOf = (row: LedgerRow) => wallOf(row["slot_at"], BERLIN);
const dayOf = (row: LedgerRow) => hourOf(row).slice(0, 10);

describe("the whole workspace's stats equal its ledger", () => {
  test("by day, over a date of 25 hours in the workspace's zone, with the neighbours' messages left out", async () => {
    await ledgerAbout("2026-10-22T20:00:00Z", 7);
    const other = await api.tenant();
    const { campaignId, aliasIds } = await insertActiveCampaign(api.sql, other, {
      leads: 1,
      now: new Date(),
    });
    await insertSent(api.sql, other, [
      { campaignId, laneId: aliasIds[0]!, at: new Date("2026-10-25T12:00:00Z") },
    ]);
    const body = await stats("from=2026-10-24&to=2026-10-26");
    // Midnight in summer is 22:00 in UTC, and 23:00 in winter.
    const rows = await ledger("2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z");
    expect(rows.length).toBeGreaterThan(50);
    expect(body).toEqual({
      by: "day",
      from: "2026-10-24",
      to: "2026-10-26",
      timezone: BERLIN,
      rows: addUp(rows, dayOf),
    });
    expect(body.rows.map(({ key }: { key: string }) => key)).toEqual([
      "2026-10-24",
      "2026-10-25",
      "2026-10-26",
    ]);
  });

  test("by hour: an hour that the clocks show twice is two rows, one that they leave out is none", async () => {
    const { campaigns, aliases } = await ledgerAbout("2026-10-24T22:00:00Z", 1);
    const at = (hour: string) => ({
      campaignId: campaigns[0]!,
      laneId: aliases[0]!,
      at: new Date(`2026-10-25T${hour}Z`),
    });
    await insertSent(api.sql, tenant, ["00:59:59.999", "00:00:00", "01:00:00"].map(at));
    const { rows } = await stats("by=hour&from=2026-10-25&to=2026-10-25");
    const keys = rows.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(keys.toSorted((a: string, b: string) => Date.parse(a) - Date.parse(b)));
    expect(keys.filter((key: string) => key.includes("T02"))).toEqual([
      "2026-10-25T02:00:00+02:00",
      "2026-10-25T02:00:00+01:00",
    ]);
    const byKey = (list: { key: string }[]) => new Map(list.map((row) => [row.key, row]));
    const counted = addUp(await ledger("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"), hourOf);
    expect(byKey(rows)).toEqual(byKey(counted as { key: string }[]));

    await ledgerAbout("2027-03-27T23:00:00Z", 1);
    const spring = await stats("by=hour&from=2027-03-28&to=2027-03-28");
    const inSpring = addUp(await ledger("2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z"), hourOf);
    expect(spring.rows.length).toBeGreaterThan(20);
    expect(spring.rows).toEqual(inSpring);
  });

  test("by campaign, alias and domain, of a deleted campaign and of an alias that is gone too", async () => {
    const { aliases, campaigns } = await ledgerAbout("2026-10-20T00:00:00Z", 3);
    await query`update campaigns set deleted_at = now() where id = ${campaigns[1]}`;
    await query`delete from mail_aliases where id = ${aliases[0]}`;
    await query`delete from sender_lanes where id = ${aliases[0]}`;
    const rows = await ledger("2026-10-19T22:00:00Z", "2026-10-25T23:00:00Z");
    const domains = new Map([
      [aliases[0], ""],
      [aliases[1], "sender.zz"],
      [aliases[2], "other.zz"],
    ]);
    const asked = "from=2026-10-20&to=2026-10-25";
    expect((await stats(`by=campaign&${asked}`)).rows).toEqual(
      addUp(rows, (row) => row["campaign_id"]),
    );
    expect((await stats(`by=alias&${asked}`)).rows).toEqual(addUp(rows, (row) => row["lane_id"]));
    expect((await stats(`by=domain&${asked}`)).rows).toEqual(
      addUp(rows, (row) => domains.get(row["lane_id"])!),
    );
  });

  test("a campaign's own rows have the same counts", async () => {
    const { campaigns } = await ledgerAbout("2026-10-20T00:00:00Z", 3);
    const rows = (await ledger("2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z")).filter(
      ({ campaign_id: id }) => id === campaigns[0],
    );
    const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaigns[0]}/stats?by=step`);
    expect(body.rows).toEqual(addUp(rows, (row) => String(row["step"])));
  });
});

test("without dates the last thirty are counted, by hour the last two; a workspace without a message has no row", async () => {
  // The clock stands at nine in UTC, which is the same date in Berlin.
  const today = api.deps.clock.now().toISOString().slice(0, 10);
  const before = (days: number) =>
    new Date(Date.parse(today) - days * 24 * HOUR).toISOString().slice(0, 10);
  expect(await stats("")).toEqual({
    by: "day",
    from: before(29),
    to: today,
    timezone: BERLIN,
    rows: [],
  });
  expect(await stats("by=hour")).toMatchObject({ from: before(1), to: today, rows: [] });
  for (const by of ["campaign", "alias", "domain"])
    expect((await stats(`by=${by}`)).rows).toEqual([]);
  const reset = await statements(api);
  await stats("");
  expect(reset()).toBeLessThanOrEqual(3);
});

test.each([
  ["from=2026-10-26&to=2026-10-25", "RANGE_REVERSED", /2026-10-26.*later than.*2026-10-25/],
  ["from=2026-01-01&to=2026-04-03", "RANGE_TOO_LONG", /93 days.*at most 92/],
  ["by=campaign&from=2020-01-01&to=2026-04-03", "RANGE_TOO_LONG", /at most 92/],
  ["by=hour&from=2026-10-20&to=2026-10-27", "RANGE_TOO_LONG", /8 days; by hour at most 7/],
])("%s is refused, and says why: %s", async (asked, code, message) => {
  const { status, body } = await tenant.call("GET", `/api/v1/stats?${asked}`);
  expect([status, body.detail, body.message]).toEqual([422, code, expect.stringMatching(message)]);
  const problem = await tenant.call("GET", `/api/v2/stats?${asked}`);
  expect([problem.status, problem.body.code, problem.body.detail]).toEqual([
    422,
    code,
    expect.stringMatching(message),
  ]);
});

test.each([
  "from=2026-02-30",
  "to=tomorrow",
  "from=0000-01-01",
  "from=2026-10-25T00:00:00Z",
  "by=lead",
  `by=${randomUUID()}`,
  "from=a&from=b",
  "to=9999-12-31",
  "from=1969-12-31",
])("%s is no question", async (asked) => {
  expect((await tenant.call("GET", `/api/v1/stats?${asked}`)).status).toBe(422);
});

test("at most 92 and 7 dates are counted, and the longest spans are", async () => {
  expect((await stats("from=2026-01-01&to=2026-04-02")).rows).toEqual([]);
  expect((await stats("by=hour&from=2026-10-20&to=2026-10-26")).rows).toEqual([]);
});

test("a zone without a date counts without it: Samoa's 30 December 2011", async () => {
  const samoan = await api.tenant({ timezone: "Pacific/Apia" });
  const { campaignId, aliasIds } = await insertActiveCampaign(api.sql, samoan, {
    leads: 1,
    now: new Date(),
  });
  const hours = Array.from(
    { length: 72 },
    (_, hour) => new Date(Date.parse("2011-12-29T10:00:00Z") + hour * HOUR),
  );
  await insertSent(
    api.sql,
    samoan,
    hours.map((at) => ({ campaignId, laneId: aliasIds[0]!, at })),
  );
  const { rows } = await stats("from=2011-12-29&to=2011-12-31", samoan);
  expect(rows.map(({ key, sent }: { key: string; sent: number }) => [key, sent])).toEqual([
    ["2011-12-29", 24],
    ["2011-12-31", 24],
  ]);
});
