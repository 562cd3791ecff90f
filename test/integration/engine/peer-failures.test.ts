import { randomUUID } from "node:crypto";
import { Client } from "@upstash/qstash";
import { describe, expect, test } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import { checkScheduledLaunch } from "#src/domain/campaigns/launch/check.ts";
import { armTickSchedule } from "#src/domain/jobs/tick.ts";
import { wholeSecond } from "#src/domain/engine/window.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { activeCampaign, createCampaign, launchable } from "../../support/campaigns.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

/**
 * What has gone wrong in other people's campaign engines, by the number of the
 * report. Each is arranged here, and does not happen.
 */

useSending();
const query = queryOf(() => sending.api.sql);

const DAY = 86_400;
const now = () => sending.api.deps.clock.now();

/** To whom the wire took something, in order; a (lead, step) twice would be there twice. */
const onTheWire = async () => (await sending.mailbox.messages()).map(({ to }) => to[0]!);

async function statusOf(campaignId: string): Promise<string> {
  return (await tenant.call("GET", `/api/v1/campaigns/${campaignId}`)).body.status;
}

/** Ticks, a little over a minute apart. */
async function ticks(count: number, seconds = 100) {
  for (let index = 0; index < count; index++) {
    await sending.tick();
    sending.api.advance(seconds);
  }
}

/** A worker that has claimed and then died. */
async function claimAndDie(): Promise<number> {
  const store = createPostgresStore(sending.api.deps.db);
  const at = wholeSecond(now());
  const until = new Date(at.getTime() + 60_000);
  await maintain(store, at, until, new Set());
  const claimed = await store.claim({
    now: at,
    until,
    limit: 50,
    workerToken: randomUUID(),
    leaseSeconds: 180,
  });
  return claimed.length;
}

describe("listmonk", () => {
  test("#3022, #3222, #2591, #1762: a checkpoint that moves when leads are fetched loses them when the worker dies, and the campaign ends with half unsent", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 6, aliases: 3 });
    expect(await claimAndDie()).toBe(3);
    expect(await statusOf(campaignId)).toBe("active");
    sending.api.advance(400);
    await ticks(6, 400);
    expect((await onTheWire()).toSorted()).toEqual(
      Array.from({ length: 6 }, (_, index) => `lead${index + 1}@example.zz`),
    );
    expect(await statusOf(campaignId)).toBe("completed");
  });

  test("#2070, #2313: resuming after a pause sends again what was sent before it", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 6, aliases: 3 });
    const path = `/api/v1/campaigns/${campaignId}`;
    await ticks(1);
    // Paused with work claimed, by a worker that is gone.
    expect(await claimAndDie()).toBe(3);
    for (let times = 0; times < 3; times++) {
      await tenant.call("POST", `${path}/pause`);
      await ticks(2);
      await tenant.call("POST", `${path}/resume`);
      await ticks(2, 400);
    }
    const recipients = await onTheWire();
    expect(recipients).toHaveLength(6);
    expect(new Set(recipients).size).toBe(6);
  });

  test("#1801: a database restored from a backup starts what was scheduled when it was taken", async () => {
    const { body } = await launchable(sending.api, tenant);
    const start = new Date(now().getTime() + 3_600_000).toISOString();
    const { campaign_id: id } = await createCampaign(tenant, {
      ...body,
      launch_type: "scheduled",
      start_date: start,
    });
    await tenant.call("POST", `/api/v1/campaigns/${id}/launch`);
    // A month later the backup is brought back, and its old messages are still in the queue.
    sending.api.advance(30 * DAY);
    await checkScheduledLaunch(sending.api.deps, id, 1);
    await ticks(2);
    const campaign = (await tenant.call("GET", `/api/v1/campaigns/${id}`)).body;
    expect([campaign.status, campaign.paused_reason]).toEqual(["paused", "missed_schedule"]);
    expect(await onTheWire()).toEqual([]);
    const rows = await query`select kind from outbox where workspace_id = ${tenant.workspaceId}`;
    expect(rows).toEqual([{ kind: "campaign_paused" }]);
  });

  test("#1801, of a campaign under way: what a backup makes us send again has the Message-ID that it had", async () => {
    const { campaignId, campaignLeadIds } = await sending.campaign(tenant, { leads: 1 });
    await sending.tick();
    await query`delete from sends where campaign_id = ${campaignId}`;
    await query`update campaigns set status = 'active' where id = ${campaignId}`;
    await query`update campaign_leads set status = 'pending', current_step = 0, next_step = 1, next_action_at = now(), alias_id = null where id = ${campaignLeadIds[0]}`;
    await query`update sender_lanes set next_slot_at = now() where open`;
    sending.api.advance(100);
    await ticks(2);
    const ids = (await sending.mailbox.messages()).map(({ headers }) => headers["message-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe("Mautic", () => {
  test("#3669: two crons in the same second send everything twice", async () => {
    await sending.campaign(tenant, { leads: 20, aliases: 20 });
    await Promise.all([sending.tick(), sending.tick(), sending.tick()]);
    const recipients = await onTheWire();
    expect(recipients).toHaveLength(20);
    expect(new Set(recipients).size).toBe(20);
  });

  test("#7226: one 554 in a batch sends the rest of it again for ever", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 10, aliases: 10 });
    sending.mailbox.faults.order("rcpt_refused", 1);
    await ticks(5, 3600);
    const recipients = await onTheWire();
    expect(recipients).toHaveLength(9);
    expect(new Set(recipients).size).toBe(9);
    const states = (await sending.sendsOf(campaignId)).map(({ state }) => state as string);
    expect(states.filter((state) => state === "rejected")).toHaveLength(1);
    // The refused one was asked once.
    expect(sending.mailbox.wireLog()).toHaveLength(9);
    expect(await statusOf(campaignId)).toBe("completed");
  });

  test("#3340: publishing again after weeks floods everybody with overdue steps", async () => {
    const { campaignId } = await sending.campaign(tenant, {
      leads: 12,
      aliases: 2,
      intervalSeconds: 300,
      aliasCap: 10,
      steps: [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 1 }],
    });
    const path = `/api/v1/campaigns/${campaignId}`;
    await ticks(6, 400);
    expect(await onTheWire()).toHaveLength(12);
    await tenant.call("POST", `${path}/pause`);
    // To the beginning of a day, so that the day's caps are whole.
    const midnight = DAY - (Math.floor(now().getTime() / 1000) % DAY);
    sending.api.advance(28 * DAY + midnight + 60);
    await tenant.call("POST", `${path}/resume`);
    const before = sending.mailbox.wireLog().length;
    // An hour: two senders, each five minutes apart at least.
    await ticks(9, 400);
    const sends = (await sending.sendsOf(campaignId)).filter(({ step }) => step > 1);
    expect(sending.mailbox.wireLog().length - before).toBeLessThanOrEqual(20);
    expect(sends.length).toBeGreaterThan(10);
    expect(sends.every(({ step }) => step === 2)).toBe(true);
    for (const lane of new Set(sends.map(({ lane_id }) => lane_id))) {
      const times = sends
        .filter(({ lane_id }) => lane_id === lane)
        .map(({ transmitting_at }) => transmitting_at.getTime())
        .toSorted((a, b) => a - b);
      const gaps = times.slice(1).map((at, index) => at - times[index]!);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(300_000);
    }
    // No lead gets two steps on one day.
    const leads = sends.map(({ campaign_lead_id }) => campaign_lead_id);
    expect(new Set(leads).size).toBe(leads.length);
  });
});

test("saasmail #109: delays counted from the enrolment send steps 2 to 7 on the second day", async () => {
  const { campaignId } = await sending.campaign(tenant, {
    leads: 1,
    steps: Array.from({ length: 7 }, (_, index) => ({ delayDays: index === 0 ? 0 : 1 })),
  });
  // The first message is three days late.
  await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
  sending.api.advance(3 * DAY);
  await tenant.call("POST", `/api/v1/campaigns/${campaignId}/resume`);
  const perDay: number[] = [];
  for (let day = 0; day < 8; day++) {
    const before = sending.mailbox.wireLog().length;
    await ticks(4, DAY / 4);
    perDay.push(sending.mailbox.wireLog().length - before);
  }
  expect(perDay).toEqual([1, 1, 1, 1, 1, 1, 1, 0]);
  const times = (await sending.sendsOf(campaignId)).map(({ transmitting_at }) =>
    transmitting_at.getTime(),
  );
  const gaps = times.slice(1).map((at, index) => at - times[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(DAY * 1000 - 1000);
});

test("dub #4351: a schedule per campaign in the queue, which it had to move away from", async () => {
  const { deps, qstash } = sending.api;
  await armTickSchedule(deps);
  await armTickSchedule(deps);
  for (let count = 0; count < 3; count++) {
    const other = await sending.api.tenant();
    await activeCampaign(sending.api, other);
  }
  const client = new Client({ baseUrl: qstash.url, token: "qstash-token", devMode: false });
  const schedules = await client.schedules.list();
  expect(schedules.map(({ scheduleId }) => scheduleId)).toEqual(["campaign-tick"]);
});
