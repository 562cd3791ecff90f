import { expect, test, vi } from "vitest";
import { lookAheadTogether } from "#src/domain/campaigns/forecast/together.ts";
import { queryOf } from "../../support/query.ts";
import { patience } from "../../support/patience.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const DAY = 86_400_000;
const BERLIN = "Europe/Berlin";

useSending(undefined, { timezone: BERLIN });
const query = queryOf(() => sending.api.sql);

interface Day {
  date: string;
  sends: number;
  new_leads: number;
  follow_ups: number;
  campaigns: { campaign_id: string; sends: number }[];
}

const forecast = async (asked = "", of = tenant) => {
  const { status, body } = await of.call("GET", `/api/v1/forecast${asked}`);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
};

const totals = (days: Day[]) => {
  const sums = new Map<string, number>();
  for (const { campaigns } of days)
    for (const { campaign_id: id, sends } of campaigns) sums.set(id, (sums.get(id) ?? 0) + sends);
  return sums;
};

const dateIn = (at: Date, zone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(at);

const STEPS = [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 2 }];

/** Two campaigns over the same two of three senders, and one beside them. */
async function three() {
  const { campaign } = sending;
  const first = await campaign(tenant, {
    leads: 40,
    aliases: 3,
    steps: STEPS,
    dailyLimit: 25,
    intervalSeconds: 300,
    domain: "one.zz",
    aliasCap: 9,
  });
  const aliases = first.aliasIds.slice(0, 2);
  const second = await campaign(tenant, {
    leads: 30,
    aliases,
    steps: STEPS.slice(0, 2),
    dailyLimit: 12,
    intervalSeconds: 600,
    domain: "two.zz",
  });
  const third = await campaign(tenant, {
    leads: 20,
    steps: STEPS.slice(0, 1),
    domain: "three.zz",
    aliasCap: 4,
  });
  await query`update campaigns set timezone = 'America/New_York', sending_window_start = '15:00', sending_window_end = '23:00', max_new_leads_per_day = 5,
       open_from = null, open_until = null where id = ${second.campaignId}`;
  await query`update sender_lanes set day_until = null where workspace_id = ${tenant.workspaceId}`;
  return [first, second, third];
}

test("what all campaigns send together, day by day, is what the engine then does, over a change of the clocks", async () => {
  // The clocks of Berlin go forward on the 28th.
  advanceTo(Date.parse("2027-03-24T23:00:00Z"));
  const campaigns = await three();
  const paused = await sending.campaign(tenant, { leads: 5, domain: "paused.zz" });
  await query`update campaigns set status = 'paused', paused_reason = 'user_requested' where id = ${paused.campaignId}`;
  const neighbour = await sending.api.tenant();
  await sending.campaign(neighbour, { leads: 5, domain: "neighbour.zz" });

  const body = await forecast("?days=6");
  const end = Date.parse(body.until);
  expect([body.exact, body.reasons, body.timezone]).toEqual([true, [], BERLIN]);
  expect(end - Date.parse(body.generated_at)).toBe(6 * DAY);
  expect(body.assumes.length).toBeGreaterThan(3);

  // Each campaign's own forecast competes in the same way.
  const sums = totals(body.days);
  for (const { campaignId } of campaigns) {
    const own = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/forecast?days=6`);
    expect(sums.get(campaignId)).toBe(own.body.total_sends);
  }

  await runUntil(end);
  const { rows } = await sending.api.sql.query(
    "select campaign_id, step, accepted_at from sends where workspace_id = $1 and accepted_at < $2 order by accepted_at",
    [tenant.workspaceId, new Date(end)],
  );
  const done = new Map<string, Day>();
  for (const { campaign_id: id, step, accepted_at: at } of rows) {
    const date = dateIn(at, BERLIN);
    const day = done.get(date) ?? { date, sends: 0, new_leads: 0, follow_ups: 0, campaigns: [] };
    done.set(date, day);
    day.sends++;
    if (step === 1) day.new_leads++;
    else day.follow_ups++;
    const own = day.campaigns.find(({ campaign_id }) => campaign_id === id);
    if (own === undefined) day.campaigns.push({ campaign_id: id, sends: 1 });
    else own.sends++;
  }
  for (const { campaigns: each } of done.values())
    each.sort((a, b) => b.sends - a.sends || (a.campaign_id < b.campaign_id ? -1 : 1));
  expect(rows.length).toBeGreaterThan(80);
  expect(body.days).toEqual([...done.values()]);
});

test("where it is too much, it says how far it goes, and is exact so far", async () => {
  await three();
  const { deps } = sending.api;
  const look = (more: object) =>
    lookAheadTogether(deps, tenant.workspaceId, { days: 6, maxSends: 50_000, ...more });
  const whole = await look({});
  expect(whole.reasons).toEqual([]);

  const few = await look({ maxSends: 30 });
  expect(few.reasons).toMatchObject([{ code: "too_many_messages", until: few.until }]);
  expect(few.sends.length).toBeGreaterThan(10);
  expect(few.sends).toEqual(whole.sends.filter(({ at }) => at < few.until));

  // The first leads of each queue fit, and more of them do not.
  const depths = [
    { newLeads: 6, followUps: 2 },
    { newLeads: 100, followUps: 100 },
  ];
  const near = await look({ depths, mostLeads: 60 });
  expect(near.reasons).toMatchObject([{ code: "too_many_leads", until: near.until }]);
  expect(near.sends.length).toBeGreaterThan(5);
  expect(near.sends.length).toBeLessThan(whole.sends.length);
  expect(near.sends).toEqual(whole.sends.filter(({ at }) => at < near.until));

  const none = await look({ mostLeads: 3 });
  expect([none.sends, none.until]).toEqual([[], none.generatedAt]);
  expect(none.reasons).toMatchObject([{ code: "too_many_leads" }]);
});

test("a workspace in which nothing runs has no day", async () => {
  expect(await forecast()).toMatchObject({ exact: true, reasons: [], days: [], timezone: BERLIN });
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  expect((await forecast("?days=60")).days).toMatchObject([
    { sends: 1, campaigns: [{ campaign_id: campaignId }] },
  ]);
  await query`update campaigns set status = 'completed' where id = ${campaignId}`;
  expect((await forecast()).days).toEqual([]);
});

test.each(["days=0", "days=61", "days=x", "days=1.5", "days=", "days=1&days=2"])(
  "%s is refused",
  async (asked) => {
    expect((await tenant.call("GET", `/api/v1/forecast?${asked}`)).status).toBe(422);
  },
);
