import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type ClaimedSend, createPostgresStore } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { wholeSecond } from "#src/domain/engine/window.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { untilWaiting } from "../../support/locks.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { record } from "#src/domain/engine/record.ts";
import { plannedAt } from "../../support/planned.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const DAY = 86_400;
const LEASE = 180;
const TOKEN = randomUUID();
const now = () => wholeSecond(sending.api.deps.clock.now());
const store = () => createPostgresStore(sending.api.deps.db);

/** A campaign of one lead that its first sender serves, with another to take its place. */
async function twoSenders() {
  const { campaignId, aliasIds } = await sending.campaign(tenant, {
    leads: 1,
    aliases: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  const other = await sending.campaign(tenant, { leads: 0, aliases: 1 });
  const [first, second] = [aliasIds[0]!, other.aliasIds[0]!];
  const path = `/api/v1/campaigns/${campaignId}`;
  return {
    campaignId,
    first,
    second,
    async takeOffFirst() {
      await tenant.call("POST", `${path}/pause`);
      expect((await tenant.call("PATCH", path, { alias_ids: [second] })).status).toBe(200);
      await tenant.call("POST", `${path}/resume`);
      // The second looks, finds the lead under way with the first, and goes to sleep.
      await sending.tick();
    },
    /** Per step, in which state by which sender. */
    steps: async () =>
      (await sending.sendsOf(campaignId)).map(({ step, state, lane_id }) => [step, state, lane_id]),
  };
}

async function claimed(): Promise<ClaimedSend> {
  const until = new Date(now().getTime() + 1000);
  await maintain(store(), now(), until, new Set());
  const sends = await store().claim({
    now: now(),
    until,
    limit: 10,
    workerToken: TOKEN,
    leaseSeconds: LEASE,
  });
  expect(sends).toHaveLength(1);
  return sends[0]!;
}

async function beginOf({ id }: ClaimedSend) {
  const [answer] = await store().recordAndBegin(now(), TOKEN, [], [beginWish(id, now())]);
  return answer;
}

test("a sender that was taken off its campaign does not send what it had claimed, though it serves another; a second one does", async () => {
  const { takeOffFirst, steps, first, second } = await twoSenders();
  const send = await claimed();
  await sending.campaign(tenant, { leads: 0, aliases: [first] });
  await takeOffFirst();
  expect(await beginOf(send)).toMatchObject({ begun: false, reason: "sender_not_active" });
  await sending.tick();
  expect(await steps()).toEqual([[1, "accepted", second]]);
});

test("nor a follow-up; whoever took the lead over wakes for it", async () => {
  const { takeOffFirst, steps, first, second } = await twoSenders();
  await sending.tick();
  sending.api.advance(DAY);
  const send = await claimed();
  await takeOffFirst();
  expect(await beginOf(send)).toMatchObject({ begun: false, reason: "sender_not_active" });
  await sending.tick();
  expect(await steps()).toEqual([
    [1, "accepted", first],
    [2, "accepted", second],
  ]);
});

test("a claim of it that is lost wakes whoever took the lead over", async () => {
  const { takeOffFirst, steps, first, second } = await twoSenders();
  await sending.tick();
  sending.api.advance(DAY);
  await claimed();
  await takeOffFirst();
  sending.api.advance(LEASE + 1);
  await sending.tick();
  expect(await steps()).toEqual([
    [1, "accepted", first],
    [2, "accepted", second],
  ]);
});

test("what it was handing over ends as it ends, and the next step is sent by whoever took the lead over", async () => {
  const { takeOffFirst, steps, first, second, campaignId } = await twoSenders();
  const send = await claimed();
  expect(await beginOf(send)).toMatchObject({ begun: true });
  await takeOffFirst();
  // The forecast knows no such sender any more.
  const forecast = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/forecast`);
  expect(forecast.status).toBe(200);
  const nextActionAt = new Date(now().getTime() + DAY * 1000);
  await record(store(), now(), TOKEN, [
    {
      id: send.id,
      kind: "accepted",
      reason: "250",
      acceptedAt: now(),
      nextStep: 2,
      nextActionAt,
      planned: plannedAt(now()),
    },
  ]);
  sending.api.advance(DAY + 1);
  await sending.tick();
  expect(await steps()).toEqual([
    [1, "accepted", first],
    [2, "accepted", second],
  ]);
});

test("a lead that was stopped meanwhile goes on from one that stays", async () => {
  const { campaignId, steps, first, second } = await twoSenders();
  await sending.tick();
  const [{ campaign_lead_id: lead }] = await sending.sendsOf(campaignId);
  const path = `/api/v1/campaigns/${campaignId}`;
  await tenant.call("POST", `${path}/pause`);
  await tenant.call("POST", `${path}/leads/${lead}/stop`);
  expect((await tenant.call("PATCH", path, { alias_ids: [second] })).status).toBe(200);
  const { body } = await tenant.call("POST", `${path}/leads/${lead}/mark`, { as: "resumed" });
  expect(body).toMatchObject({ status: "active", alias_id: second });
  await tenant.call("POST", `${path}/resume`);
  sending.api.advance(DAY);
  await sending.tick();
  expect(await steps()).toEqual([
    [1, "accepted", first],
    [2, "accepted", second],
  ]);
});

test("its leads are spread over those that stay", async () => {
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 60, aliases: 3 });
  const path = `/api/v1/campaigns/${campaignId}`;
  await query`update campaign_leads set status = 'active', alias_id = ${aliasIds[0]} where campaign_id = ${campaignId}`;
  await tenant.call("POST", `${path}/pause`);
  const alias_ids = aliasIds.slice(1);
  expect((await tenant.call("PATCH", path, { alias_ids })).status).toBe(200);
  const rows =
    await query`select alias_id, count(*)::int as leads from campaign_leads where campaign_id = ${campaignId} group by 1`;
  expect(rows.map((row) => row.alias_id).toSorted()).toEqual(alias_ids.toSorted());
  expect(Math.min(...rows.map((row) => row.leads))).toBeGreaterThan(10);
});

test("a change of a paused campaign, however long it takes, does not hold up its senders' other campaigns", async () => {
  const paused = await sending.campaign(tenant, { leads: 1 });
  const path = `/api/v1/campaigns/${paused.campaignId}`;
  await tenant.call("POST", `${path}/pause`);
  const { campaignId } = await sending.campaign(tenant, { leads: 1, aliases: paused.aliasIds });
  const holder = await sending.api.sql.connect();
  try {
    await holder.query("begin");
    await holder.query("select from campaigns where id = $1 for update", [paused.campaignId]);
    const changing = tenant.call("PATCH", path, { min_interval_seconds: 90 });
    await untilWaiting(sending.api.sql, 1);
    await sending.tick();
    expect((await sending.sendsOf(campaignId)).map(({ state }) => state)).toEqual(["accepted"]);
    await holder.query("rollback");
    expect((await changing).status).toBe(200);
  } finally {
    holder.release();
  }
});
