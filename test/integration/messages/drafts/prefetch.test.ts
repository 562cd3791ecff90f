/** Texts that are written by themselves ahead of their slots, by the local composer. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { chargeFor } from "#src/domain/billing/credits/charge.ts";
import { enqueuePrefetchFor } from "#src/domain/campaigns/enqueue-prefetch.ts";
import { lacksDrafts, prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { writeDraft } from "#src/domain/messages/drafts/jobs.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { runScheduledTick } from "#src/domain/jobs/tick.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import type { Tenant } from "../../../support/api.ts";
import { createDrafts } from "../../../support/drafts.ts";
import { queryOf } from "../../../support/query.ts";
import { type Sending, sending, useSending } from "../../../support/sending.ts";

const query = queryOf(() => sending.api.sql);

const VARIANT = {
  label: "A",
  weight: 100,
  type: "INLINE",
  subject: "Your routes",
  body: "We plan the routes of your vans, and they drive less.",
};

let model: ModelPart;
let tenant: Tenant;
let drafts: ReturnType<typeof createDrafts>;

afterAll(() => model.close());
useSending(async () => (model = await startModel()).env);
beforeEach(async () => {
  model.faults.clear();
  tenant = await sending.api.tenant({ credits: 500 });
  drafts = createDrafts(sending.api, tenant);
  await query`delete from generations`;
  await query`update campaigns set status = 'completed' where status = 'active'`;
});

async function campaign(
  options: Partial<Parameters<Sending["campaign"]>[1]> & { leads: number },
  policy = "launch_default",
) {
  const rows = await sending.campaign(tenant, options);
  await tenant.call("POST", "/api/v1/sender-profiles/", {
    name: "Main",
    full_name: "Bo Berg",
    company: "Berg Logistics",
    is_default: true,
  });
  await drafts.personalize(rows.campaignId, policy);
  await query`update campaigns set steps = (select jsonb_agg(jsonb_set(s, '{variants}', ${JSON.stringify([VARIANT])}::jsonb) order by n) from jsonb_array_elements(steps) with ordinality x(s, n))
     where id = ${rows.campaignId}`;
  return { ...rows, path: `/api/v1/campaigns/${rows.campaignId}` };
}

const rowsOf = async (campaignId: string) =>
  await query`select * from generations where campaign_id = ${campaignId} order by created_at, row_index`;
const statuses = async (campaignId: string) =>
  Object.entries(Object.groupBy(await rowsOf(campaignId), ({ status }) => status as string))
    .map(([status, rows]) => `${status} ${rows!.length}`)
    .sort();
const balance = async () => (await tenant.call("GET", "/api/v1/payments/balance")).body;
const holds = async (campaignId: string) =>
  (
    await query`select row_index, hold_reason from campaign_leads where campaign_id = ${campaignId} order by row_index`
  ).map(({ hold_reason }) => hold_reason as string | null);
const statusOf = async (path: string) => {
  const { body } = await tenant.call("GET", path);
  return [body.status, body.paused_reason];
};

/** What the queue would deliver. */
async function writeAll(campaignId: string): Promise<void> {
  for (const { id, status } of await rowsOf(campaignId))
    if (status === "pending") await runGeneration(sending.api.deps, id as string);
}

describe("what is asked for", () => {
  test("as many new leads as the senders can serve in an hour, at least 20, in dataset order", async () => {
    const slow = await campaign({ leads: 40, intervalSeconds: 3600 });
    expect(await lacksDrafts(sending.api.deps)).toBe(true);
    expect(await prefetchDrafts(sending.api.deps)).toBe(20);
    const rows = await rowsOf(slow.campaignId);
    expect(rows.map(({ campaign_lead_id }) => campaign_lead_id).sort()).toEqual(
      slow.campaignLeadIds.slice(0, 20).sort(),
    );
    expect(rows[0]).toMatchObject({ kind: "send_time", batch_id: null, step: 1 });
    expect(await lacksDrafts(sending.api.deps)).toBe(false);
    expect(await prefetchDrafts(sending.api.deps)).toBe(0);
    const quick = await campaign({ leads: 100, aliases: 2, intervalSeconds: 120 });
    await prefetchDrafts(sending.api.deps);
    // Two lanes, a message each two minutes, and the one that is due now.
    expect(await rowsOf(quick.campaignId)).toHaveLength(62);
  });

  test.each([
    ["what the campaign may send today", { dailyLimit: 30 }],
    ["what its sender may", { aliasCap: 30 }],
  ])("no more than %s", async (_, limit) => {
    const { campaignId } = await campaign({ leads: 60, ...limit });
    await prefetchDrafts(sending.api.deps);
    expect(await rowsOf(campaignId)).toHaveLength(30);
  });

  test("what is approved already counts, and is not written again", async () => {
    const { campaignId, campaignLeadIds } = await campaign({ leads: 30, intervalSeconds: 3600 });
    for (const campaignLeadId of campaignLeadIds.slice(0, 5))
      await drafts.approve({ campaignId, campaignLeadId }, { subject: "Hi", body: "There" });
    await prefetchDrafts(sending.api.deps);
    const asked = (await rowsOf(campaignId)).map(({ campaign_lead_id }) => campaign_lead_id);
    expect(asked.sort()).toEqual(campaignLeadIds.slice(5, 20).sort());
  });

  test("nothing under the policy hold, of a paused campaign, or long before its window", async () => {
    const held = await campaign({ leads: 3 }, "hold");
    const paused = await campaign({ leads: 3 });
    await tenant.call("POST", `${paused.path}/pause`);
    const closed = await campaign({ leads: 3 });
    const opensIn = (minutes: number) =>
      sending.api.sql.query("update campaigns set open_from = $2, open_until = $3 where id = $1", [
        closed.campaignId,
        new Date(Date.now() + minutes * 60_000),
        new Date(Date.now() + (minutes + 60) * 60_000),
      ]);
    await opensIn(61);
    expect(await prefetchDrafts(sending.api.deps)).toBe(0);
    await opensIn(59);
    expect(await prefetchDrafts(sending.api.deps)).toBe(3);
    expect([await rowsOf(held.campaignId), await rowsOf(paused.campaignId)]).toEqual([[], []]);
    await tenant.call("POST", `${paused.path}/resume`);
    expect(await prefetchDrafts(sending.api.deps)).toBe(3);
  });

  test("of two runs at once one gets a text, and one credit is held", async () => {
    const { campaignId } = await campaign({ leads: 25, intervalSeconds: 3600 });
    const asked = await Promise.all([1, 2, 3, 4].map(() => prefetchDrafts(sending.api.deps)));
    expect(asked.filter((count) => count > 0)).toEqual([20]);
    expect(await rowsOf(campaignId)).toHaveLength(20);
    expect(await balance()).toMatchObject({ available: 480, held: 20 });
  });

  test("a follow-up is asked for within the hour before it is due, before any new lead", async () => {
    const { campaignId, campaignLeadIds } = await campaign({
      leads: 3,
      intervalSeconds: 3600,
      steps: [{ delayDays: 0 }, { delayDays: 1 }],
    });
    await drafts.approve(
      { campaignId, campaignLeadId: campaignLeadIds[2]! },
      { subject: "Hi", body: "There" },
    );
    await sending.tick();
    expect(await holds(campaignId)).toEqual(["awaiting_draft", "awaiting_draft", "awaiting_draft"]);
    const isAsked = async () =>
      (await rowsOf(campaignId))
        .filter(({ step }) => step === 2)
        .map(({ campaign_lead_id }) => campaign_lead_id);
    await prefetchDrafts(sending.api.deps);
    expect(await isAsked()).toEqual([]);
    sending.api.advance(86_400 - 3_000);
    await sending.tick();
    await prefetchDrafts(sending.api.deps);
    expect(await isAsked()).toEqual([campaignLeadIds[2]]);
  });
});

describe("from the launch to the inbox", () => {
  test("what the composer wrote for a lead is what it gets; its credit is spent", async () => {
    const { campaignId } = await campaign({ leads: 2 });
    await prefetchDrafts(sending.api.deps);
    expect(await balance()).toMatchObject({ available: 498, held: 2 });
    await writeAll(campaignId);
    expect((await rowsOf(campaignId)).map(({ error }) => error)).toEqual([null, null]);
    expect(await holds(campaignId)).toEqual([null, null]);
    expect(await balance()).toMatchObject({ available: 498, held: 0 });
    await sending.tick();
    sending.api.advance(100);
    await sending.tick();
    const written = await rowsOf(campaignId);
    const messages = await sending.mailbox.messages();
    expect(messages.map(({ subject }) => subject).sort()).toEqual(
      written.map(({ subject }) => subject).sort(),
    );
    for (const message of messages) {
      const own = written.find(({ lead_snapshot }) => message.to.includes(lead_snapshot.email))!;
      expect(message.text.replace(/\s+/g, " ")).toContain(own.body.replace(/\s+/g, " ").trim());
    }
  });

  test("a tick asks for what is lacking, and never waits for it", async () => {
    const { campaignId } = await campaign({ leads: 2 });
    const asked = () => model.asked().length;
    const before = asked();
    sending.api.qstash.log.clear();
    await runScheduledTick(sending.api.deps, { extra: false });
    expect(JSON.stringify(sending.api.qstash.log.entries())).toContain("prefetch-drafts");
    expect([asked(), await sending.sendsOf(campaignId)]).toEqual([before, []]);
  });

  test("a fact that changes after the text was written has it written anew, once", async () => {
    const { campaignId, campaignLeadIds } = await campaign({ leads: 1 });
    await prefetchDrafts(sending.api.deps);
    await writeAll(campaignId);
    await query`update leads set company = 'Nordwind GmbH' where workspace_id = ${tenant.workspaceId}`;
    await sending.tick();
    expect(await holds(campaignId)).toEqual(["awaiting_draft"]);
    // Not in the same moment: whatever keeps a text from being true would have it written over and over.
    expect(await prefetchDrafts(sending.api.deps)).toBe(0);
    sending.api.advance(130);
    expect(await prefetchDrafts(sending.api.deps)).toBe(1);
    await writeAll(campaignId);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    expect(await sending.leadOf(campaignLeadIds[0]!)).toMatchObject({ status: "completed" });
    expect(await statuses(campaignId)).toEqual(["generated 2"]);
    expect(await balance()).toMatchObject({ available: 498, held: 0 });
  });

  test("a lead that ended, or a campaign that paused meanwhile, costs nothing", async () => {
    const { campaignId, campaignLeadIds, path } = await campaign({ leads: 2 });
    await prefetchDrafts(sending.api.deps);
    await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/stop`);
    const [first, second] = await rowsOf(campaignId);
    await runGeneration(sending.api.deps, first!.id);
    await tenant.call("POST", `${path}/pause`);
    await runGeneration(sending.api.deps, second!.id);
    expect(await statuses(campaignId)).toEqual(["skipped 2"]);
    expect(await balance()).toMatchObject({ available: 500, held: 0 });
    await tenant.call("POST", `${path}/resume`);
    expect(await prefetchDrafts(sending.api.deps)).toBe(1);
  });
});

describe("what a running campaign is warned of", () => {
  test("texts that no credits are left for, and of those alone that are still to be written", async () => {
    tenant = await sending.api.tenant({ credits: 2 });
    drafts = createDrafts(sending.api, tenant);
    const { campaignLeadIds, path } = await campaign({ leads: 4 });
    const warning = async () =>
      (await tenant.call("GET", `${path}/sending-status`)).body.warnings.find(
        ({ name }: { name: string }) => name === "credits_sufficient",
      )?.message;
    expect(await warning()).toMatch(/^4 texts are still to be written .* 2 credits are available/);
    await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/stop`);
    expect(await warning()).toMatch(/^3 texts/);
    await tenant.call("POST", `${path}/leads/${campaignLeadIds[1]}/stop`);
    expect(await warning()).toBeUndefined();
  });
});

describe("what pauses a campaign", () => {
  test("no credit: it says so, and goes on once there is some", async () => {
    tenant = await sending.api.tenant({ credits: 1 });
    drafts = createDrafts(sending.api, tenant);
    const { campaignId, path } = await campaign({ leads: 3 });
    expect(await prefetchDrafts(sending.api.deps)).toBe(1);
    expect(await statusOf(path)).toEqual(["active", null]);
    expect(await prefetchDrafts(sending.api.deps)).toBe(0);
    expect(await statusOf(path)).toEqual(["paused", "credits_exhausted"]);
    const refused = await tenant.call("POST", `${path}/resume`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("no credits")]);
    const rows =
      await query`select payload ->> 'reason' as reason from outbox where workspace_id = ${tenant.workspaceId}`;
    expect(rows).toEqual([{ reason: "credits_exhausted" }]);
    // What was held comes back with the text that the pause kept from being written.
    await writeAll(campaignId);
    expect(await balance()).toMatchObject({ available: 1, held: 0 });
    expect((await tenant.call("POST", `${path}/resume`)).status).toBe(200);
  });

  test("a credit that a call holds for the moment is none that is missing", async () => {
    tenant = await sending.api.tenant({ credits: 1 });
    drafts = createDrafts(sending.api, tenant);
    const { path } = await campaign({ leads: 3 });
    const use = () => ({ refType: "personalization_preview" as const, refId: randomUUID() });
    const preview = chargeFor(sending.api.deps, tenant, use(), async () => {
      expect(await prefetchDrafts(sending.api.deps)).toBe(0);
      expect(await statusOf(path)).toEqual(["active", null]);
      throw new Error("the model is down");
    });
    await expect(preview).rejects.toThrow("down");
    await chargeFor(sending.api.deps, tenant, use(), async () => ({ spent: true, value: null }));
    await prefetchDrafts(sending.api.deps);
    expect(await statusOf(path)).toEqual(["paused", "credits_exhausted"]);
  });

  test("ten failures in a row, and after a resume it has ten anew", async () => {
    const { campaignId, path } = await campaign({ leads: 40 });
    await prefetchDrafts(sending.api.deps);
    const fail = async (count: number) => {
      const open = (await rowsOf(campaignId)).filter(({ status }) => status === "pending");
      for (const { id } of open.slice(0, count))
        await query`update generations set attempts = 8 where id = ${id}`;
      for (const { id } of open.slice(0, count)) {
        sending.api.advance(1);
        await runGeneration(sending.api.deps, id as string);
      }
    };
    await fail(9);
    expect(await statusOf(path)).toEqual(["active", null]);
    await fail(1);
    expect(await statusOf(path)).toEqual(["paused", "personalization_failing"]);
    expect(await statuses(campaignId)).toEqual(["failed 10", "pending 30"]);
    expect((await balance()).available).toBe(470);
    sending.api.advance(1);
    expect((await tenant.call("POST", `${path}/resume`)).status).toBe(200);
    await fail(9);
    expect(await statusOf(path)).toEqual(["active", null]);
  });

  test("half of the last twenty", async () => {
    const { campaignId, path } = await campaign({ leads: 40 });
    await prefetchDrafts(sending.api.deps);
    const open = await rowsOf(campaignId);
    for (const [index, { id }] of open.slice(0, 20).entries()) {
      sending.api.advance(1);
      if (index % 2 === 1) await query`update generations set attempts = 8 where id = ${id}`;
      expect(await statusOf(path)).toEqual(["active", null]);
      await runGeneration(sending.api.deps, id as string);
    }
    expect(await statusOf(path)).toEqual(["paused", "personalization_failing"]);
  });

  test("a model that is down: nothing goes out in the place of its texts", async () => {
    const { campaignId, path } = await campaign({ leads: 12 });
    model.faults.order("500", 1000);
    await prefetchDrafts(sending.api.deps);
    for (let round = 0; round < 6; round++) {
      await writeAll(campaignId);
      sending.api.advance(70);
    }
    expect(await statusOf(path)).toEqual(["paused", "personalization_failing"]);
    await sending.tick();
    expect(await sending.mailbox.messages()).toEqual([]);
    expect(await balance()).toMatchObject({
      held: (await statuses(campaignId)).includes("pending 2") ? 2 : 0,
    });
  });

  test("a text that passes no check fails its lead alone, with the reason; marked as resumed it is tried again", async () => {
    const { campaignId, campaignLeadIds, path } = await campaign({ leads: 2 });
    await prefetchDrafts(sending.api.deps);
    const [first] = await rowsOf(campaignId);
    model.faults.order("extra-link", 2);
    await runGeneration(sending.api.deps, first!.id);
    model.faults.clear();
    const lead = () => sending.leadOf(first!.campaign_lead_id);
    expect(await lead()).toMatchObject({ status: "failed", hold_reason: null });
    expect((await lead()).stop_reason).toBe("not_written");
    expect((await lead()).last_error).toContain("could not be written");
    expect((await rowsOf(campaignId))[0]).toMatchObject({ status: "failed" });
    expect(await balance()).toMatchObject({ held: 1 });
    await writeAll(campaignId);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    expect(campaignLeadIds).toContain(first!.campaign_lead_id);
    const status = await tenant.call(
      "GET",
      `${path}/sending-status?lead_id=${first!.campaign_lead_id}`,
    );
    expect(JSON.stringify(status.body.lead.reasons)).toContain("could not be written");
  });
});

test("a queue that is away loses nothing: the texts are asked for, and found again", async () => {
  const { campaignId } = await campaign({ leads: 2 });
  const { queue } = sending.api.deps;
  const away = { ...queue, publishAll: () => Promise.reject(new Error("The queue is away.")) };
  expect(await prefetchDrafts({ ...sending.api.deps, queue: away })).toBe(2);
  expect(await statuses(campaignId)).toEqual(["pending 2"]);
  sending.api.advance(310);
  expect(await writeDraft.requeueLost(sending.api.deps)).toBe(2);
});

test("nobody is asked where there is no model, and nothing is owed by a campaign without such steps", async () => {
  const { campaignId } = await campaign({ leads: 2 });
  expect(await prefetchDrafts({ ...sending.api.deps, model: null })).toBe(0);
  expect(await lacksDrafts({ ...sending.api.deps, model: null })).toBe(false);
  sending.api.qstash.log.clear();
  const plain = { id: campaignId, status: "active" as const, steps: [] };
  await enqueuePrefetchFor(sending.api.deps, plain);
  expect(sending.api.qstash.log.entries()).toEqual([]);
});
