import { describe, expect, test } from "vitest";
import { claimJob } from "#db/base/job-queue.ts";
import { GENERATIONS } from "#db/messages/generations.ts";
import { endGeneration } from "#src/domain/messages/drafts/end-generation.ts";
import { writeDraft } from "#src/domain/messages/drafts/jobs.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import type { Tenant } from "../../../support/api.ts";
import { aiStep, inlineStep } from "../../../support/campaigns.ts";
import { withNotedQueue } from "../../../support/noted-queue.ts";
import {
  aiCampaign,
  api,
  balance,
  deliver,
  drafts,
  expectError,
  generate,
  generationIds,
  model,
  people,
  spent,
  status,
  useDrafts,
  query,
} from "./setting.ts";

useDrafts();

async function begun(leads = 3, more: object = {}) {
  const tenant = await api.tenant({ credits: 50 });
  const made = await aiCampaign(tenant, { leads: people(leads), ...more });
  const { body } = await generate(tenant, made.path);
  return { ...made, tenant, batchId: body.batch_id as string, leads: body.enqueued_lead_ids };
}

const calls = () => model.log.entries().length;
const statusOf = async ({ tenant, path, batchId }: Awaited<ReturnType<typeof begun>>) =>
  (await status(tenant, path, batchId)).body;
const settledAt = async (tenant: Tenant) => ({
  ...(await balance(tenant)),
  spent: await spent(tenant),
});

describe("a generation is written and charged once", () => {
  test("however often its message comes, at once or later", async () => {
    const batch = await begun(4);
    const rounds = await Promise.all([1, 2, 3].map(() => deliver(batch.batchId, 4)));
    expect(rounds.flat().filter((outcome) => outcome === "generated")).toHaveLength(4);
    expect(new Set(await deliver(batch.batchId))).toEqual(new Set(["over"]));
    expect(calls()).toBe(4);
    expect(model.peak().same).toBe(1);
    expect(await settledAt(batch.tenant)).toEqual({ available: 46, held: 0, spent: 4 });
  });

  test("though its worker died, and even if that one comes back", async () => {
    const batch = await begun(1);
    const [id] = (await generationIds(batch.batchId)) as [string];
    const now = api.deps.clock.now();
    const token = api.deps.ids.uuid();
    const until = new Date(now.getTime() + 90_000);
    const claimed = await claimJob(api.deps.db, GENERATIONS, id, { token, now, until });
    if (claimed.kind !== "claimed") throw new Error(claimed.kind);
    expect(await runGeneration(api.deps, id)).toBe("waits");
    api.advance(91);
    expect(await runGeneration(api.deps, id)).toBe("generated");
    const late = { generation: claimed.job, token };
    const failed = { status: "failed", error: "It was too slow." } as const;
    expect(await endGeneration(api.deps, late, failed)).toEqual({ outcome: "overtaken" });
    expect(await statusOf(batch)).toMatchObject({ generated: 1, failed: 0 });
    expect(await settledAt(batch.tenant)).toEqual({ available: 49, held: 0, spent: 1 });
  });

  test("a worker that comes back while another is at it takes neither the text nor the credit", async () => {
    const batch = await begun(1);
    const [id] = (await generationIds(batch.batchId)) as [string];
    const claim = () => {
      const now = api.deps.clock.now();
      const until = new Date(now.getTime() + 90_000);
      return claimJob(api.deps.db, GENERATIONS, id, { token: api.deps.ids.uuid(), now, until });
    };
    const first = await claim();
    api.advance(91);
    const second = await claim();
    if (first.kind !== "claimed" || second.kind !== "claimed") throw new Error("not claimed");
    const end = (of: typeof first, error: string) =>
      endGeneration(
        api.deps,
        { generation: of.job, token: of.job.claimToken! },
        { status: "failed", error },
      );
    expect(await end(first, "the first")).toEqual({ outcome: "overtaken" });
    expect(await balance(batch.tenant)).toEqual({ available: 49, held: 1 });
    expect(await end(second, "the second")).toEqual({ outcome: "failed" });
    expect(await settledAt(batch.tenant)).toEqual({ available: 50, held: 0, spent: 0 });
  });

  test("never, where it was begun too often and ended its worker each time", async () => {
    const batch = await begun(1);
    const [id] = (await generationIds(batch.batchId)) as [string];
    await query`update generations set attempts = 8 where id = ${id}`;
    expect(await runGeneration(api.deps, id)).toBe("failed");
    expect([calls(), await settledAt(batch.tenant)]).toEqual([
      0,
      { available: 50, held: 0, spent: 0 },
    ]);
  });
});

describe("a model that fails", () => {
  test("with 429 for a minute is waited for, and nobody pays for the wait", async () => {
    const batch = await begun(3);
    model.faults.order("429-minute", 1);
    let outcomes = await deliver(batch.batchId, 1);
    expect(outcomes).toEqual(["put_back", "put_back", "put_back"]);
    expect((await statusOf(batch)).leads[0].error).toMatch(/model/i);
    for (let waits = 0; waits < 5 && outcomes.includes("put_back"); waits++) {
      await api.redis.faults.order("forget", 1);
      api.advance(61);
      outcomes = await deliver(batch.batchId, 1);
    }
    expect(await statusOf(batch)).toMatchObject({ generated: 3, done: true });
    expect(await settledAt(batch.tenant)).toEqual({ available: 47, held: 0, spent: 3 });
  });

  test("is asked again when the text is due, and not before", async () => {
    const batch = await begun(1);
    const [id] = (await generationIds(batch.batchId)) as [string];
    const { deps, noted } = withNotedQueue(api);
    model.faults.order("429-minute", 1);
    expect(await runGeneration(deps, id)).toBe("put_back");
    const [row] = await query`select due_at from generations where id = ${id}`;
    expect(row.due_at.getTime()).toBeGreaterThan(deps.clock.now().getTime());
    expect(noted).toMatchObject([{ payload: { generation_id: id }, notBefore: row.due_at }]);
    api.advance(61);
    expect(await runGeneration(deps, id)).toBe("generated");
  });

  test("five times fails the draft, and gives its credit back", async () => {
    const batch = await begun(1);
    model.faults.order("500", 1_000);
    const outcomes = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      outcomes.push(...(await deliver(batch.batchId)));
      api.advance(300);
    }
    expect(outcomes).toEqual([...Array.from({ length: 4 }, () => "put_back"), "failed", "over"]);
    expect((await statusOf(batch)).leads[0]).toMatchObject({ status: "failed" });
    expect(await settledAt(batch.tenant)).toEqual({ available: 50, held: 0, spent: 0 });
  });

  test("to write a text that passes its checks fails that lead alone", async () => {
    const batch = await begun(2);
    model.faults.order("extra-link", 2);
    expect((await deliver(batch.batchId, 1)).toSorted()).toEqual(["failed", "generated"]);
    const { body } = await drafts(batch.tenant, batch.path, batch.batchId);
    expect(body.drafts[0]).toMatchObject({ status: "failed", body: null, generated_at: null });
    expect(body.drafts[0].error).toMatch(/link|address/i);
    expect(await settledAt(batch.tenant)).toEqual({ available: 49, held: 0, spent: 1 });
  });
});

describe("what is not wanted any more is skipped, and given back", () => {
  const WAYS: Record<string, (batch: Awaited<ReturnType<typeof begun>>) => Promise<unknown>> = {
    "the lead ended": ({ tenant, path, leads }) =>
      tenant.call("POST", `${path}/leads/${leads[0]}/stop`),
    "the lead was deleted": ({ tenant, datasetId, leadIds }) =>
      tenant.call("DELETE", `/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`),
    "the step is not personalized": ({ tenant, path }) =>
      tenant.call("PATCH", path, { steps: [inlineStep()] }),
    "the step was sent": ({ leads }) =>
      api.sql.query("update campaign_leads set current_step = 1 where id = $1", [leads[0]]),
    "the campaign was deleted": ({ tenant, path }) => tenant.call("DELETE", path),
  };
  test.each(Object.keys(WAYS))("%s", async (way) => {
    const batch = await begun(1);
    await WAYS[way]!(batch);
    expect(await deliver(batch.batchId)).toEqual(["skipped"]);
    expect([calls(), await settledAt(batch.tenant)]).toEqual([
      0,
      { available: 50, held: 0, spent: 0 },
    ]);
  });
});

describe("a cancelled batch", () => {
  test("gives back what nobody began, and keeps what is being written", async () => {
    const batch = await begun(3);
    const [id] = (await generationIds(batch.batchId)) as [string];
    model.faults.order("slow", 1);
    const writing = runGeneration(api.deps, id);
    await expect.poll(calls).toBe(1);
    const cancel = () =>
      batch.tenant.call("POST", `${batch.path}/playground/batches/${batch.batchId}/cancel`);
    const { status: code, body } = await cancel();
    expect([code, body]).toMatchObject([
      200,
      { running: 1, cancelled: 2, pending: 0, done: false, cancelled_at: expect.any(String) },
    ]);
    api.advance(21);
    expect(await writing).toBe("generated");
    expect((await cancel()).body).toMatchObject({ generated: 1, cancelled: 2, done: true });
    expect(await deliver(batch.batchId)).toEqual(["over", "over", "over"]);
    expect(await settledAt(batch.tenant)).toEqual({ available: 49, held: 0, spent: 1 });
  });

  test("while workers are at it has each text either written and paid for, or neither", async () => {
    const batch = await begun(20);
    const at = `${batch.path}/playground/batches/${batch.batchId}/cancel`;
    const [outcomes] = await Promise.all([
      deliver(batch.batchId, 6),
      batch.tenant.call("POST", at),
      batch.tenant.call("POST", at),
    ]);
    const { generated, cancelled } = await statusOf(batch);
    expect(generated + cancelled).toBe(20);
    expect(outcomes.filter((outcome) => outcome === "generated")).toHaveLength(generated);
    expect(await settledAt(batch.tenant)).toEqual({
      available: 50 - generated,
      held: 0,
      spent: generated,
    });
  });
});

describe("what the queue loses", () => {
  test("is asked for again", async () => {
    const batch = await begun(2);
    api.qstash.log.clear();
    expect(await writeDraft.requeueLost(api.deps)).toBe(0);
    api.advance(301);
    expect(await writeDraft.requeueLost(api.deps)).toBe(1);
    const said = JSON.stringify(api.qstash.log.entries());
    expect(said).toContain("batch");
    await deliver(batch.batchId);
    api.advance(301);
    expect(await writeDraft.requeueLost(api.deps)).toBe(0);
  });
});

describe("a lead that is deleted", () => {
  const textsOf = async (batchId: string) =>
    (
      await query`select to_jsonb(g) - 'id' as row from generations g where batch_id = ${batchId} order by lead_index`
    ).map(({ row }) => JSON.stringify(row));

  test("leaves nothing of itself in its drafts, and neither does a dataset", async () => {
    const batch = await begun(2);
    await deliver(batch.batchId);
    const { tenant, path, datasetId, leadIds, leads } = batch;
    expect((await textsOf(batch.batchId)).join()).toMatch(/Ada1.*Ada2/);
    await tenant.call("DELETE", `/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`);
    expect((await textsOf(batch.batchId)).join()).not.toContain("Ada1");
    const [first, second] = (await drafts(tenant, path, batch.batchId)).body.drafts;
    expect(first).toMatchObject({
      status: "generated",
      body: null,
      lead_snapshot: {},
      stale: true,
    });
    expect(second.body).toContain("Ada2");
    const approval = await tenant.call("POST", `${path}/leads/${leads[0]}/approve`, {
      step_index: 1,
    });
    expectError(approval, 404, "DRAFT_NOT_FOUND");
    const gone = await tenant.call("DELETE", `/api/v1/datasets/${datasetId}`);
    expect(gone.status).toBe(200);
    expect((await textsOf(batch.batchId)).join()).not.toContain("Ada2");
  });

  test("while its text is written gets none, and pays for none", async () => {
    const batch = await begun(1);
    const [id] = (await generationIds(batch.batchId)) as [string];
    model.faults.order("slow", 1);
    const writing = runGeneration(api.deps, id);
    await expect.poll(calls).toBe(1);
    await batch.tenant.call(
      "DELETE",
      `/api/v1/datasets/${batch.datasetId}/leads/${batch.leadIds[0]}`,
    );
    api.advance(21);
    expect(await writing).toBe("overtaken");
    api.advance(91);
    expect(await deliver(batch.batchId)).toEqual(["skipped"]);
    expect((await textsOf(batch.batchId)).join()).not.toContain("Ada1");
    expect(await settledAt(batch.tenant)).toEqual({ available: 50, held: 0, spent: 0 });
  });
});

test("a text is written of what is true then, not when it was asked for", async () => {
  const batch = await begun(1, { steps: [aiStep()] });
  const at = `/api/v1/datasets/${batch.datasetId}/leads/${batch.leadIds[0]}`;
  await batch.tenant.call("PATCH", at, { first_name: "Beatrix" });
  await deliver(batch.batchId);
  const { body } = await drafts(batch.tenant, batch.path, batch.batchId);
  expect(body.drafts[0]).toMatchObject({
    body: expect.stringContaining("Beatrix"),
    stale: false,
    lead_snapshot: expect.objectContaining({ first_name: "Beatrix" }),
  });
});

test("without a model nothing is begun", async () => {
  const tenant = await api.tenant();
  const { path } = await aiCampaign(tenant);
  const { model: asked } = api.deps;
  api.deps.model = null;
  try {
    expectError(await generate(tenant, path), 503, "MODEL_NOT_CONFIGURED");
  } finally {
    api.deps.model = asked;
  }
});
