/** Delays that change while leads wait for them. */
import { expect, test } from "vitest";
import { changeCampaign } from "#db/campaigns/change.ts";
import { getCampaign } from "#db/campaigns/campaigns.ts";
import { delayPieces } from "#src/domain/campaigns/changed-delays.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const query = queryOf(() => sending.api.sql);
const DAY = 86_400;
const DAY_MS = DAY * 1000;

/** Of a campaign whose first step has gone out to this many leads. */
async function begun(delays: number[], leads = 1) {
  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads,
    aliases: leads,
    steps: delays.map((delayDays) => ({ delayDays })),
  });
  await sending.tick();
  const path = `/api/v1/campaigns/${campaignId}`;
  const { steps_config: steps } = (await tenant.call("GET", path)).body;
  const change = async (kept: object[], more: object = {}) => {
    const own = kept.map((step, index) => ({ ...step, step: index + 1 }));
    const replies = [
      await tenant.call("POST", `${path}/pause`),
      await tenant.call("PATCH", path, { steps: own, ...more }),
      await tenant.call("POST", `${path}/resume`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  };
  /** Until when each lead waits, in milliseconds since its last message. */
  const waits = async () => {
    const sends = await sending.sendsOf(campaignId);
    const rows = await Promise.all(campaignLeadIds.map(sending.leadOf));
    return rows.map(({ id, next_action_at }) => {
      const { slot_at } = sends.find((send) => send.campaign_lead_id === id)!;
      return next_action_at - Math.floor(slot_at / 1000) * 1000;
    });
  };
  return { campaignId, campaignLeadIds, steps, change, waits };
}

test("a text that moves up waits for its own delay", async () => {
  const { steps, change, waits } = await begun([0, 1, 14], 2);
  await change([steps[0], steps[2]]);
  expect(await waits()).toEqual([14 * DAY_MS, 14 * DAY_MS]);
  sending.api.advance(DAY + 60);
  await sending.tick();
  expect(sending.mailbox.wireLog()).toHaveLength(2);
  sending.api.advance(13 * DAY);
  await sending.tick();
  expect(sending.mailbox.wireLog()).toHaveLength(4);
});

test.each([
  ["longer", 1, 10],
  ["shorter", 10, 2],
])("a delay that becomes %s counts from the message before", async (_, before, after) => {
  const { steps, change, waits } = await begun([0, before]);
  sending.api.advance(DAY / 2);
  await change([steps[0], { ...steps[1], delay_days: after }]);
  expect(await waits()).toEqual([after * DAY_MS]);
});

test("who waits longer than the delay for another reason does not come sooner", async () => {
  const { steps, change, waits, campaignLeadIds } = await begun([0, 3], 2);
  await sending.api.sql.query(
    "update campaign_leads set next_action_at = next_action_at + interval '2 days' where id = $1",
    [campaignLeadIds[0]],
  );
  await change([steps[0], { ...steps[1], delay_days: 1 }]);
  expect(await waits()).toEqual([5 * DAY_MS, DAY_MS]);
  await change([steps[0], { ...steps[1], delay_days: 9 }]);
  expect(await waits()).toEqual([9 * DAY_MS, 9 * DAY_MS]);
});

test("a delay is days by the clock of its lead, whatever that did in between", async () => {
  const { steps, change, waits, campaignId, campaignLeadIds } = await begun([0, 1], 2);
  const [inOslo, here] = campaignLeadIds;
  await sending.api.sql.query("update campaigns set use_lead_timezone = true where id = $1", [
    campaignId,
  ]);
  await sending.api.sql.query(
    "update campaign_leads set timezone = 'Europe/Oslo', zone = 'Europe/Oslo' where id = $1",
    [inOslo],
  );
  await change([steps[0], { ...steps[1], delay_days: 180 }]);
  const [first, second] = await waits();
  expect(second).toBe(180 * DAY_MS);
  const [{ slot_at }] = await sending.sendsOf(campaignId);
  const hours = (at: number) =>
    new Date(at).toLocaleString("en-GB", { timeZone: "Europe/Oslo", timeStyle: "medium" });
  expect(hours(Number(slot_at) + first!)).toBe(hours(Number(slot_at)));
  expect(first).not.toBe(180 * DAY_MS);
  expect(here).toBeDefined();
});

test("a change that another one overtook moves nobody", async () => {
  const { campaignId, waits } = await begun([0, 10]);
  const { db, clock } = sending.api.deps;
  const before = (await getCampaign(db, tenant.workspaceId, campaignId))!;
  const change = async (delay_days: number) => {
    const steps = before.steps.map((step, index) => (index === 1 ? { ...step, delay_days } : step));
    const delays = await delayPieces(sending.api.deps, before, { ...before, steps });
    return changeCampaign(db, {
      before,
      set: { steps },
      unsentSteps: [],
      delays,
      now: clock.now(),
    });
  };
  expect(await change(20)).toBeDefined();
  expect(await change(30)).toBeUndefined();
  expect(await waits()).toEqual([20 * DAY_MS]);
});

test.each([
  ["another zone", "", { timezone: "Europe/Berlin" }, "2026-11-06T10:00", "2026-10-26T11:00"],
  ["its leads' clocks", "", { useLeadTimezone: true }, "2026-11-06T10:00", "2026-10-26T11:00"],
  [
    "its own clocks",
    "Europe/Berlin",
    { useLeadTimezone: false },
    "2026-11-06T11:00",
    "2026-10-26T10:00",
  ],
])(
  "a delay that becomes shorter as its campaign goes over to %s does so for who was planned by the clocks before",
  async (_, zone, zones, planned, due) => {
    const { campaignId, campaignLeadIds } = await begun([0, 14]);
    const id = campaignLeadIds[0]!;
    await query`update campaigns set launched_at = '2026-10-23T09:00Z', use_lead_timezone = ${zone !== ""} where id = ${campaignId}`;
    await query`update sends set slot_at = '2026-10-23T10:00Z' where campaign_lead_id = ${id}`;
    await query`update campaign_leads set timezone = 'Europe/Berlin', zone = ${zone}, next_action_at = ${`${planned}Z`} where id = ${id}`;
    const { db } = sending.api.deps;
    const now = new Date("2026-10-24T09:00Z");
    const before = (await getCampaign(db, tenant.workspaceId, campaignId))!;
    const set = { ...zones, steps: [before.steps[0]!, { ...before.steps[1]!, delay_days: 3 }] };
    const clock = { ...sending.api.deps.clock, now: () => now };
    const delays = await delayPieces({ db, clock }, before, { ...before, ...set });
    await changeCampaign(db, { before, set, unsentSteps: [], delays, now });
    expect((await sending.leadOf(id)).next_action_at).toEqual(new Date(`${due}Z`));
  },
);

test("a message whose acceptance was not heard is counted from when it was begun", async () => {
  const { campaignLeadIds, steps, change, waits } = await begun([0, 10]);
  const lead = campaignLeadIds[0];
  await query`update sends set state = 'assumed_sent', transmitting_at = slot_at + interval '2 seconds' where campaign_lead_id = ${lead}`;
  await query`update campaign_leads set next_action_at = next_action_at + interval '2 seconds' where id = ${lead}`;
  await change([steps[0], { ...steps[1], delay_days: 2 }]);
  expect(await waits()).toEqual([2 * DAY_MS + 2000]);
});
