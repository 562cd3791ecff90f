import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { findBatch } from "#db/messages/generation-batches.ts";
import { claimNextGeneration } from "#db/messages/generations.ts";
import { gatherNext } from "#src/domain/messages/drafts/gather-run.ts";
import { writeDraft } from "#src/domain/messages/drafts/jobs.ts";
import { runWorker } from "#src/domain/messages/drafts/run-worker.ts";
import type { Tenant } from "../../../support/api.ts";
import { insertBigDataset, insertDataset } from "../../../support/campaigns.ts";
import { ledgerOf } from "../../../support/ledger.ts";
import { withNotedQueue } from "../../../support/noted-queue.ts";
import {
  api,
  balance,
  expectError,
  model,
  people,
  spent,
  useDrafts,
  workRun,
  query,
} from "./setting.ts";

useDrafts();

const SENDER = { full_name: "Sam Field", company: "Overture" };
const begin = (tenant: Tenant, body: object) => tenant.call("POST", "/api/v1/personalize", body);
const leadsOf = async (tenant: Tenant, runId: string, query = "") =>
  (await tenant.call("GET", `/api/v1/personalize/generations/runs/${runId}/leads${query}`)).body;

async function dataset(leads: number, credits = 20) {
  const tenant = await api.tenant({ credits });
  const { datasetId, leadIds } = await insertDataset(api.sql, tenant, people(leads));
  return { tenant, datasetId, leadIds };
}

test("a run goes on at once, but behind a model that is away when its text is due", async () => {
  const { tenant, datasetId } = await dataset(2);
  const { run_id: runId } = (await begin(tenant, { dataset_id: datasetId, sender_data: SENDER }))
    .body;
  const { deps, noted } = withNotedQueue(api);
  expect(await runWorker(deps, runId)).toBe("worked");
  expect(noted.map(({ notBefore }) => notBefore)).toEqual([undefined]);
  model.faults.order("429-minute", 1);
  expect(await runWorker(deps, runId)).toBe("worked");
  const [{ due_at: dueAt }] = (await query`
    select due_at from generations where batch_id = ${runId} and status = 'pending'`) as [
    { due_at: Date },
  ];
  expect(dueAt.getTime()).toBeGreaterThan(deps.clock.now().getTime());
  expect(await runWorker(deps, runId)).toBe("waits");
  expect(noted.map(({ notBefore }) => notBefore)).toEqual([undefined, dueAt, dueAt]);
  api.advance(61);
  await workRun(runId);
});

test("of two workers that gather the same lead, the one that finds credits again holds none for what the other failed", async () => {
  const { tenant, datasetId } = await dataset(2, 2);
  const { run_id: runId } = (await begin(tenant, { dataset_id: datasetId, sender_data: SENDER }))
    .body;
  const rows = [{ email: "late@drafts.zz", first_name: "Late" }];
  await tenant.call("POST", `/api/v1/datasets/${datasetId}/import`, { rows });
  await query`update generation_batches set total = 3 where id = ${runId}`;
  const batch = (await findBatch(api.deps.db, runId))!;
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stops: ProxyHandler<typeof api.deps.db> = {
    get: (db, name) =>
      name === "batch"
        ? async (statements: Parameters<typeof db.batch>[0]) => {
            reached.resolve();
            await goOn.promise;
            return db.batch(statements);
          }
        : (Reflect.get(db, name) as unknown),
  };
  const slow = gatherNext({ ...api.deps, db: new Proxy(api.deps.db, stops) }, batch);
  await reached.promise;
  expect(await gatherNext(api.deps, batch)).toBe(true);
  await ledgerOf(api, tenant).grant("later", 1);
  goOn.resolve();
  expect(await slow).toBe(true);
  expect(await balance(tenant)).toEqual({ available: 1, held: 2 });
  const { generations } = await leadsOf(tenant, runId);
  expect(generations.map((each: { status: string }) => each.status)).toEqual([
    "pending",
    "pending",
    "failed",
  ]);
});

describe("a run", () => {
  test("writes a text for each lead of a dataset, and each costs a credit when it is there", async () => {
    const { tenant, datasetId } = await dataset(3);
    const begun = await begin(tenant, { dataset_id: datasetId, sender_data: SENDER });
    expect([begun.status, begun.body]).toEqual([202, { run_id: expect.any(String), total: 3 }]);
    const { run_id: runId } = begun.body;
    expect(await balance(tenant)).toEqual({ available: 17, held: 3 });
    expect(await leadsOf(tenant, runId)).toMatchObject({
      generations: Array.from({ length: 3 }, (_, lead_index) => ({
        lead_index,
        status: "pending",
        subject: "",
        body: "",
        error: "",
        generated_at: "",
        lead_snapshot: {},
      })),
      total_generations: 3,
      offset: 0,
      limit: 50,
      has_more: false,
    });
    const path = `/api/v1/personalize/generations/runs/${runId}`;
    const stand = { running: 0, failed: 0, skipped: 0, cancelled: 0 };
    expect((await tenant.call("GET", path)).body).toEqual({
      ...stand,
      run_id: runId,
      status: "pending",
      total: 3,
      pending: 3,
      generated: 0,
      done: false,
    });
    await workRun(runId);
    expect((await tenant.call("GET", path)).body).toEqual({
      ...stand,
      run_id: runId,
      status: "completed",
      total: 3,
      pending: 0,
      generated: 3,
      done: true,
    });
    const nobody = await tenant.call("GET", path.replace(runId, randomUUID()));
    expect([nobody.status, nobody.body.detail]).toEqual([404, "RUN_NOT_FOUND"]);
    const { generations } = await leadsOf(tenant, runId);
    expect(generations.map((each: { row_index: number }) => each.row_index)).toEqual([0, 1, 2]);
    expect(generations).toMatchObject(
      [1, 2, 3].map((n) => ({
        status: "generated",
        subject: expect.stringMatching(/\S/),
        body: expect.stringContaining(`Ada${n}`),
        generated_at: expect.stringMatching(/Z$/),
        lead_snapshot: expect.objectContaining({ first_name: `Ada${n}` }),
      })),
    );
    expect([await balance(tenant), await spent(tenant)]).toEqual([{ available: 17, held: 0 }, 3]);
    const page = await leadsOf(tenant, runId, "?offset=1&limit=1");
    expect(page).toMatchObject({
      generations: [{ lead_index: 1 }],
      offset: 1,
      limit: 1,
      has_more: true,
    });
    expect(await leadsOf(tenant, runId, "?offset=9")).toMatchObject({
      generations: [],
      has_more: false,
    });
  });

  test("is of some rows, if they are named", async () => {
    const { tenant, datasetId, leadIds } = await dataset(4);
    const order = { dataset_id: datasetId, sender_data: SENDER, row_indexes: [3, 1, 1, 99] };
    const { body } = await begin(tenant, order);
    expect(body.total).toBe(2);
    await workRun(body.run_id);
    const rows =
      await query`select lead_id from generations where batch_id = ${body.run_id} order by lead_index`;
    expect(rows.map((row) => row.lead_id)).toEqual([leadIds[1], leadIds[3]]);
  });

  test("speaks for the profile that is named, for the default, or for nobody: 422", async () => {
    const { tenant, datasetId } = await dataset(1);
    expectError(await begin(tenant, { dataset_id: datasetId }), 422, "VALIDATION_ERROR");
    const named = { dataset_id: datasetId, sender_profile_id: randomUUID() };
    expectError(await begin(tenant, named), 404, "SENDER_PROFILE_NOT_FOUND");
    const profile = { name: "Main", full_name: "Mia Default" };
    await tenant.call("POST", "/api/v1/sender-profiles/", profile);
    const { body } = await begin(tenant, { dataset_id: datasetId });
    await workRun(body.run_id);
    const [text] = (await leadsOf(tenant, body.run_id)).generations;
    expect(text).toMatchObject({ status: "generated", body: expect.stringContaining("Mia") });
  });

  test("that cannot be paid for as a whole is not begun", async () => {
    const { tenant, datasetId } = await dataset(3, 2);
    const reply = await begin(tenant, { dataset_id: datasetId, sender_data: SENDER });
    expectError(reply, 403, "INSUFFICIENT_CREDITS");
    const rows =
      await query`select count(*)::int as n from generation_batches where workspace_id = ${tenant.workspaceId}`;
    expect([rows[0].n, await balance(tenant)]).toEqual([0, { available: 2, held: 0 }]);
  });

  test("of an empty dataset is over at once", async () => {
    const { tenant, datasetId } = await dataset(0);
    const { status, body } = await begin(tenant, { dataset_id: datasetId, sender_data: SENDER });
    expect([status, body.total]).toEqual([202, 0]);
    expect(await runWorker(api.deps, body.run_id)).toBe("over");
  });

  test("of another workspace's dataset is not begun", async () => {
    const [{ datasetId }, stranger] = [await dataset(1), await api.tenant()];
    const theirs = await begin(stranger, { dataset_id: datasetId, sender_data: SENDER });
    expectError(theirs, 404, "DATASET_NOT_FOUND");
  });
});

describe("a large run", () => {
  const LEADS = 6_000;

  async function large(credits = LEADS) {
    const tenant = await api.tenant({ credits });
    const datasetId = await insertBigDataset(api.sql, tenant, LEADS);
    const { body } = await begin(tenant, { dataset_id: datasetId, sender_data: SENDER });
    return { tenant, datasetId, runId: body.run_id as string, total: body.total as number };
  }
  const gathered = async (runId: string) =>
    (
      await query`select count(*)::int as n, count(distinct lead_index)::int as places, max(lead_index) as last,
          count(*) filter (where status = 'failed')::int as failed from generations where batch_id = ${runId}`
    )[0];

  test("knows its total at once, is gathered by the queue, and held for once by all who do so at a time", async () => {
    const { tenant, runId, total } = await large();
    expect(total).toBe(LEADS);
    expect(await gathered(runId)).toMatchObject({ n: 2_500 });
    expect(await leadsOf(tenant, runId, "?limit=1")).toMatchObject({
      total_generations: LEADS,
      has_more: true,
    });
    await Promise.all([1, 2, 3].map(() => runWorker(api.deps, runId)));
    expect(await gathered(runId)).toEqual({ n: LEADS, places: LEADS, last: LEADS - 1, failed: 0 });
    const { available, held } = await balance(tenant);
    expect([available, held + (await spent(tenant))]).toEqual([0, LEADS]);
  });

  test("whose credits others spent meanwhile fails the leads that are not paid for, a piece at a time", async () => {
    const { tenant, runId } = await large();
    const rest = {
      dataset_id: await insertBigDataset(api.sql, tenant, 3_000),
      sender_data: SENDER,
    };
    expect((await begin(tenant, rest)).status).toBe(202);
    await runWorker(api.deps, runId);
    // The other run has 2,500 by now; of the two pieces that are left, the smaller one fits.
    expect(await gathered(runId)).toMatchObject({ n: LEADS, failed: 2_500 });
    expect((await balance(tenant)).available).toBe(0);
    const [unpaid] = (await leadsOf(tenant, runId, "?offset=2500&limit=1")).generations;
    expect(unpaid).toMatchObject({ status: "failed", error: expect.stringContaining("credit") });
  });

  test("does not wait for leads that were deleted since they were counted", async () => {
    const { tenant, datasetId, runId } = await large();
    await query`delete from leads where dataset_id = ${datasetId} and row_index >= 2500`;
    await runWorker(api.deps, runId);
    expect(await leadsOf(tenant, runId, "?limit=1")).toMatchObject({ total_generations: 2_500 });
  });

  test("is not given to more workers than is fair, however many ask at once", async () => {
    const { runId } = await large();
    await runWorker(api.deps, runId);
    const now = api.deps.clock.now();
    const ask = () => {
      const claim = { token: randomUUID(), now, until: new Date(now.getTime() + 60_000) };
      return claimNextGeneration(api.deps.db, runId, claim, 3);
    };
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(Array.from({ length: 24 }, ask));
      const taken = claims.filter((each) => each !== undefined);
      expect(taken.length).toBeLessThanOrEqual(3);
      await query`update generations set status = 'pending', due_at = ${now} where batch_id = ${runId} and status = 'running'`;
    }
  });

  test("has its workers back when they are lost, and no more of them at a time than is fair", async () => {
    const { runId } = await large();
    await runWorker(api.deps, runId);
    api.advance(301);
    expect(await writeDraft.requeueLost(api.deps)).toBeGreaterThan(0);
    model.faults.order("slow", 100);
    model.log.clear();
    const ended: string[] = [];
    const lane = () => runWorker(api.deps, runId).then((outcome) => ended.push(outcome));
    const lanes = Array.from({ length: 12 }, lane);
    await expect.poll(() => model.log.entries().length).toBeGreaterThan(6);
    await expect.poll(() => ended).toContain("over");
    model.faults.clear();
    api.advance(21);
    await Promise.all(lanes);
    expect(model.peak().calls).toBeLessThanOrEqual(8);
  });
});
