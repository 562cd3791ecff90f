/** What an account shows of its network's limits, and from which budget a lead's next step takes. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ClaimedSend, SenderFault } from "#db/engine/index.ts";
import { changeCampaign } from "#db/campaigns/change.ts";
import { materialiseChunk } from "#db/campaigns/launch.ts";
import { getCampaign } from "#db/campaigns/campaigns.ts";
import type { ActionType } from "#db/schema/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { accountScenario } from "../../support/account-scenario.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { postgresWorld, type World } from "../../support/engine-worlds.ts";
import { api, query, useApi } from "../../support/use-api.ts";
import { plannedAt } from "../../support/planned.ts";

useApi();

const NOW = new Date("2026-03-02T09:00:00Z");
const TOMORROW = "2026-03-03T00:00:00.000Z";
const TOKEN = "00000000-0000-4000-8000-00000000000a";
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

async function setUp(actions: ActionType[], leads: number[]) {
  const tenant = await api.tenant();
  const { workspaceId, userId } = tenant;
  const data = accountScenario(NOW, { actions, leads, connections: 5, messages: 5 });
  const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
  return { tenant, data, world: await postgresWorld(ports, data, NOW) };
}

async function claimAndBegin({ store }: World, now: Date): Promise<ClaimedSend> {
  await maintain(store, now, now, new Set());
  const order = { now, until: now, limit: 50, workerToken: TOKEN, leaseSeconds: 180 };
  const [send] = (await store.claim(order)) as [ClaimedSend];
  await store.recordAndBegin(now, TOKEN, [], [beginWish(send.id, now)]);
  return send;
}

const refuse = ({ store }: World, { id }: ClaimedSend, lane: SenderFault, now: Date) =>
  store.recordAndBegin(
    now,
    TOKEN,
    [
      {
        id,
        kind: "retry",
        reason: "422 from the network",
        retryAt: now,
        attemptSpent: false,
        lane,
      },
    ],
    [],
  );

const accept = ({ store }: World, { id }: ClaimedSend, now: Date) =>
  store.recordAndBegin(
    now,
    TOKEN,
    [
      {
        id,
        kind: "accepted",
        reason: "",
        acceptedAt: now,
        nextStep: null,
        nextActionAt: null,
        planned: plannedAt(now),
      },
    ],
    [],
  );

const account = async () => {
  const rows =
    await query`select status, rate_limited_until, last_error, next_sync_at, status_since from connected_accounts`;
  return rows[0];
};

test("an account of which a budget is used up says so until its next day, though it goes on with the other", async () => {
  const { world } = await setUp(["message", "connection_request", "message"], [2, 3, 3]);
  await refuse(world, await claimAndBegin(world, NOW), "spent", NOW);
  const until = new Date(TOMORROW);
  expect(await account()).toMatchObject({ status: "connected", rate_limited_until: until });
  await accept(world, await claimAndBegin(world, later(100)), later(100));
  expect(await account()).toMatchObject({ rate_limited_until: until });
  const tomorrow = new Date("2026-03-03T09:00:00Z");
  await accept(world, await claimAndBegin(world, tomorrow), tomorrow);
  expect(await account()).toMatchObject({ rate_limited_until: null });
});

test("one whose calls come too fast rests, and says until when", async () => {
  const { world } = await setUp(["message"], [1, 1]);
  await refuse(world, await claimAndBegin(world, NOW), "limited", NOW);
  expect(await account()).toMatchObject({ status: "connected", rate_limited_until: later(300) });
  await accept(world, await claimAndBegin(world, later(301)), later(301));
  expect(await account()).toMatchObject({ rate_limited_until: null });
});

test("one whose session is gone is disconnected, and the provider is asked about it at once", async () => {
  const { world } = await setUp(["message"], [1]);
  await refuse(world, await claimAndBegin(world, NOW), "broken", NOW);
  expect(await account()).toMatchObject({
    status: "disconnected",
    status_since: NOW,
    next_sync_at: NOW,
    last_error: "422 from the network",
  });
});

test("what an account did before its session was gone, and is heard of afterwards, ends its failures", async () => {
  const { world } = await setUp(["message"], [1, 1]);
  const earlier = await claimAndBegin(world, NOW);
  const last = await claimAndBegin(world, later(400));
  await refuse(world, last, "broken", later(401));
  const failures = async () => Object.values((await world.rows()).lanes)[0]!["failures"];
  expect(await failures()).toBe(1);
  await accept(world, earlier, later(402));
  expect(await failures()).toBe(0);
});

test("steps that are changed while a campaign is paused take their leads to other budgets", async () => {
  const { world, data, tenant } = await setUp(["connection_request", "message"], [1, 2]);
  const [{ id }] = data.campaigns as [(typeof data.campaigns)[number]];
  await world.actions.pause(id, NOW);
  const before = (await getCampaign(api.deps.db, tenant.workspaceId, id))!;
  const [first, second] = before.steps as [(typeof before.steps)[0], (typeof before.steps)[0]];
  const steps = [
    { ...first, action_type: "profile_view" as const },
    { ...second, action_type: "connection_request" as const },
  ];
  const change = { before, set: { steps }, unsentSteps: [], now: later(10) };
  expect(await changeCampaign(api.deps.db, change)).toBeDefined();
  const { leads } = await world.rows();
  expect(data.leads.map((lead) => leads[lead.id]!["next_budget"])).toEqual([
    "message",
    "connection",
  ]);
});

test("a launch gives each lead the budget of its first step", async () => {
  const { data } = await setUp(["connection_request", "message"], [1, 1]);
  const [{ id }] = data.campaigns as [(typeof data.campaigns)[number]];
  const jobId = randomUUID();
  await query`delete from campaign_leads`;
  await query`update campaigns set status = 'launching', launch_job_id = ${jobId}, launch_requested_at = ${NOW}`;
  const attempt = { campaignId: id, jobId, now: NOW };
  expect(await materialiseChunk(api.deps.db, attempt, 10)).toEqual({ owned: true, read: 2 });
  const rows = await query`select next_step, next_budget from campaign_leads`;
  expect(rows).toEqual(data.leads.map(() => ({ next_step: 1, next_budget: "connection" })));
});
