import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  claimVerificationRows,
  dropVerificationRowsStatement,
} from "#db/research/dataset-verification-rows.ts";
import {
  verifyDataset,
  runDatasetWorker,
} from "#src/domain/research/verification/dataset-worker.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";
import {
  at,
  balance,
  bulk,
  captured as capturedBy,
  datasetOf,
  look,
  UNPACED,
  verify,
  work as workLanes,
} from "./datasets.ts";
import { insertDataset } from "../../../support/campaigns.ts";
import { untilWaiting } from "../../../support/locks.ts";
import { withNotedQueue } from "../../../support/noted-queue.ts";
import { patience } from "../../../support/patience.ts";
import { inFull } from "../../../support/full.ts";

vi.setConfig({ testTimeout: patience(180_000) });

let farm: Farm;
let api: TestApi;
beforeAll(async () => {
  farm = await startFarm();
  api = await startApi(UNPACED, { farm });
});
afterAll(() => Promise.all([api.close(), farm.close()]));
beforeEach(async () => {
  // Each test asks about addresses of which nothing is known.
  await api.sql.query("truncate verified_addresses, verified_domains, probe_operators");
});
afterEach(() => {
  farm.faults.clear();
  farm.log.clear();
  farm.traffic.clear();
});

const captured = (tenant: Tenant) => capturedBy(api, tenant);
const work = (jobId: string, lanes?: number) => workLanes(api, jobId, lanes);

async function verified(tenant: Tenant, id: string, lanes?: number) {
  const { body } = await verify(tenant, id);
  await work(body.job_id, lanes);
  return (await look(tenant, id)).body;
}

/** Of each kind one, with what is to come of it. */
const KINDS = {
  "anna@corp.zz": { result: "valid", risk_level: "safe" },
  "ulla@corp.zz": { result: "invalid", risk_level: "invalid" },
  "kim.north@takeall-studio.zz": { result: "catch_all", risk_level: "risky", is_catch_all: true },
  "info@teamwork.zz": { result: "valid", risk_level: "risky", is_role: true },
  "noreply@corp.zz": { result: "invalid", risk_level: "invalid" },
  "anna@no-such-domain.zz": { result: "invalid", risk_level: "invalid" },
  "anna.berg@listkeeper2.zz": { result: "unknown", risk_level: null },
};
const EMAILS = Object.keys(KINDS);
const SUMMARY = { safe: 1, risky: 2, invalid: 3, unknown: 1 };

test("every address gets its verdict, and each that is delivered costs one credit", async () => {
  const tenant = await api.tenant({ credits: 10 });
  const id = await datasetOf(tenant, EMAILS);
  const begun = await verify(tenant, id);
  expect([begun.status, begun.headers.get("retry-after")]).toEqual([202, "5"]);
  expect(begun.body).toEqual({
    dataset_id: id,
    job_id: expect.any(String),
    status: "running",
    total: 7,
    processed: 0,
    // What is held for it, as for one address.
    credits_consumed: 7,
    summary: { safe: 0, risky: 0, invalid: 0, unknown: 0 },
    results: [],
    next_cursor: null,
  });
  expect(await balance(tenant)).toMatchObject({ available: 3, held: 7 });
  await work(begun.body.job_id);
  const { body, headers } = await look(tenant, id);
  expect(headers.get("retry-after")).toBeNull();
  expect(body).toMatchObject({
    status: "completed",
    total: 7,
    processed: 7,
    credits_consumed: 6,
    summary: SUMMARY,
    next_cursor: null,
  });
  expect(body.results).toEqual(
    EMAILS.map((email, index) =>
      expect.objectContaining({
        row_index: index + (body.results[0].row_index as number),
        lead_id: expect.any(String),
        email,
        cached: false,
        ...KINDS[email as keyof typeof KINDS],
      }),
    ),
  );
  expect(await balance(tenant)).toMatchObject({ available: 4, held: 0 });
  const leads = (await tenant.call("GET", `/api/v1/datasets/${id}/leads`)).body.items;
  expect(
    leads.map((lead: { verification: { result: string } }) => lead.verification.result),
  ).toEqual(EMAILS.map((email) => KINDS[email as keyof typeof KINDS].result));
});

/** More than the first four runs take. */
const MANY = inFull(1_000, 150);

test(`${MANY} addresses of one operator never have it asked by more than two at a time, and cost ${MANY} credits`, async () => {
  const tenant = await api.tenant({ credits: MANY });
  const id = await datasetOf(tenant, bulk(MANY));
  const { job_id: jobId } = (await verify(tenant, id)).body;
  expect(await balance(tenant)).toMatchObject({ available: 0, held: MANY });
  await Promise.all(Array.from({ length: 4 }, () => runDatasetWorker(api.deps, jobId)));
  const half = (await look(tenant, id)).body;
  expect(half.status).toBe("running");
  expect(half.processed).toBeGreaterThan(0);
  expect(half.processed).toBeLessThan(MANY);
  await work(jobId, 4);
  expect((await look(tenant, id)).body).toMatchObject({
    status: "completed",
    processed: MANY,
    credits_consumed: MANY,
    summary: { safe: MANY * 0.8, risky: 0, invalid: MANY * 0.2, unknown: 0 },
  });
  expect(await balance(tenant)).toMatchObject({ available: 0, held: 0 });
  expect(await captured(tenant)).toBe(MANY);
  const [traffic] = farm.traffic.operators().filter(({ operator }) => operator === "bulk.zz");
  expect(traffic).toMatchObject({ connections: MANY, mostOpen: 2 });
});

describe("what is known", () => {
  test("is there at once and free, and the rest is asked about", async () => {
    const tenant = await api.tenant({ credits: 20 });
    await verified(tenant, await datasetOf(tenant, ["anna@corp.zz", "ulla@corp.zz"]));
    farm.log.clear();
    const id = await datasetOf(tenant, ["anna@corp.zz", "ann@corp.zz", "ulla@corp.zz"]);
    const begun = (await verify(tenant, id)).body;
    expect(begun).toMatchObject({ status: "running", total: 3, processed: 2 });
    expect(begun.results.map((each: { cached: boolean }) => each.cached)).toEqual([true, true]);
    expect(await balance(tenant)).toMatchObject({ available: 17, held: 1 });
    await work(begun.job_id);
    expect((await look(tenant, id)).body).toMatchObject({
      status: "completed",
      credits_consumed: 1,
    });
    expect(farm.log.entries()).toHaveLength(1);
  });

  test("of every address needs no queue and no credits: 200", async () => {
    const tenant = await api.tenant({ credits: 2 });
    const id = await datasetOf(tenant, ["anna@corp.zz", "ulla@corp.zz"]);
    await verified(tenant, id);
    const again = await verify(tenant, id);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ status: "completed", processed: 2, credits_consumed: 0 });
    expect(again.body.results.every((each: { cached: boolean }) => each.cached)).toBe(true);
    const { rows } = await api.sql.query(
      "select id from dataset_verifications where dataset_id = $1",
      [id],
    );
    expect(rows).toEqual([{ id: again.body.job_id }]);
  });

  test("is asked again when it is unknown or past its age, and nothing else", async () => {
    const tenant = await api.tenant({ credits: 50 });
    const id = await datasetOf(tenant, EMAILS);
    await verified(tenant, id);
    api.advance(601);
    expect(await balance(tenant)).toMatchObject({ held: 0 });
    expect((await verify(tenant, id)).body).toMatchObject({ status: "running", processed: 6 });
    expect(await balance(tenant)).toMatchObject({ held: 1 });
    await work((await look(tenant, id)).body.job_id);
    // Invalid ones are kept for three days, the others for seven.
    api.advance(3 * 86_400);
    expect((await verify(tenant, id)).body).toMatchObject({ processed: 3 });
  });

  test("of a whole domain is no excuse for an address that the lists refuse", async () => {
    const tenant = await api.tenant();
    await verified(tenant, await datasetOf(tenant, ["kim.north@takeall-studio.zz"]));
    const found = await verified(
      tenant,
      await datasetOf(tenant, ["noreply@takeall-studio.zz", "anna.berg@takeall-studio.zz"]),
    );
    expect(found.results).toMatchObject([
      { result: "invalid", cached: false },
      { result: "catch_all", cached: true },
    ]);
  });
});

describe("with too few credits for all", () => {
  test("nothing is begun, nothing is held, and what was found before is still there", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const before = await verified(tenant, id);
    api.advance(4 * 86_400);
    const reply = await verify(tenant, id);
    expect([reply.status, reply.body.detail]).toEqual([403, "INSUFFICIENT_CREDITS"]);
    expect(reply.body.message).toContain("4 credits");
    expect(await balance(tenant)).toMatchObject({ available: 1, held: 0 });
    expect((await look(tenant, id)).body).toEqual(before);
  });

  test("of two datasets at once one is verified, and the other leaves nothing held", async () => {
    const tenant = await api.tenant({ credits: 9 });
    const ids = [await datasetOf(tenant, bulk(6, "one")), await datasetOf(tenant, bulk(6, "two"))];
    const replies = await Promise.all(ids.map((id) => verify(tenant, id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 403]);
    expect(await balance(tenant)).toMatchObject({ available: 3, held: 6 });
  });
});

describe("one at a time", () => {
  test("of ten requests at once one begins, and the others are told", async () => {
    const tenant = await api.tenant({ credits: 100 });
    const id = await datasetOf(tenant, EMAILS);
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(tenant, id)));
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(9);
    expect(refused[0]!.body.detail).toBe("VERIFICATION_IN_PROGRESS");
    expect(await balance(tenant)).toMatchObject({ available: 93, held: 7 });
  });

  test("a cancellation gives back what was not asked about, and lets the next begin", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    for (let times = 0; times < 2; times++)
      expect((await tenant.call("DELETE", at(id))).body).toEqual({ success: true });
    expect(await balance(tenant)).toMatchObject({ available: 7, held: 0 });
    expect((await look(tenant, id)).body).toMatchObject({
      status: "cancelled",
      total: 7,
      processed: 0,
    });
    await work(jobId);
    expect(farm.log.entries()).toEqual([]);
    expect((await verified(tenant, id)).summary).toEqual(SUMMARY);
    expect((await tenant.call("DELETE", at(id))).status).toBe(409);
  });

  test("a cancellation while it is being prepared leaves nothing held", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const holder = await api.sql.connect();
    await holder.query("begin");
    await holder.query("lock table credit_balances in access exclusive mode");
    // Its rows are there, and their credits are about to be held.
    const begun = verify(tenant, id);
    await untilWaiting(api.sql, 1);
    const cancelled = tenant.call("DELETE", at(id));
    await untilWaiting(api.sql, 2);
    await holder.query("rollback");
    holder.release();
    expect((await begun).body).toMatchObject({ detail: "VERIFICATION_IN_PROGRESS" });
    expect((await cancelled).status).toBe(200);
    expect(await balance(tenant)).toMatchObject({ available: 7, held: 0 });
    expect((await verified(tenant, id)).summary).toEqual(SUMMARY);
  });

  test("a cancellation beside its workers charges for what they delivered, and for nothing else", async () => {
    const tenant = await api.tenant({ credits: 60 });
    const id = await datasetOf(tenant, bulk(60));
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const working = work(jobId, 3);
    while ((await look(tenant, id)).body.processed === 0);
    await tenant.call("DELETE", at(id));
    await working;
    const { credits_consumed: consumed, processed } = (await look(tenant, id)).body;
    expect(consumed).toBe(processed);
    expect(await balance(tenant)).toMatchObject({ available: 60 - consumed, held: 0 });
  });
});

describe("whatever happens beside it", () => {
  test("rows of a killed worker are done by the next, and charged once", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const now = api.deps.clock.now();
    const claim = {
      now,
      until: new Date(now.getTime() + 60_000),
      rows: 5,
      workers: 8,
      workersOfDomain: 2,
    };
    const taken = await claimVerificationRows(api.deps.db, jobId, {
      ...claim,
      token: randomUUID(),
    });
    expect(taken).toHaveLength(5);
    await work(jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "running", processed: 2 });
    api.advance(61);
    await work(jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "completed", summary: SUMMARY });
    expect(await balance(tenant)).toMatchObject({ available: 1, held: 0 });
  });

  test("lanes that were lost are found again by the full check", async () => {
    const tenant = await api.tenant();
    const id = await datasetOf(tenant, ["anna@corp.zz"]);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const { deps, noted } = withNotedQueue(api);
    const queued = () => JSON.stringify(noted);
    await verifyDataset.requeueLost(deps);
    expect(queued()).not.toContain(jobId);
    api.advance(301);
    await verifyDataset.requeueLost(deps);
    expect(queued()).toContain(jobId);
    await work(jobId);
  });

  test("a preparation that died gives its credits back", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    await api.sql.query("update dataset_verifications set status = 'pending' where id = $1", [
      jobId,
    ]);
    // A verification that is still being prepared is left alone, though a lane comes early.
    await work(jobId);
    expect(await balance(tenant)).toMatchObject({ available: 0, held: 7 });
    expect((await verify(tenant, id)).status).toBe(409);
    api.advance(301);
    await verifyDataset.requeueLost(api.deps);
    await work(jobId);
    expect(await balance(tenant)).toMatchObject({ available: 7, held: 0 });
    expect((await verified(tenant, id)).summary).toEqual(SUMMARY);
  });

  test("a row that is done before the others are given back stays done", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const id = await datasetOf(tenant, ["anna@corp.zz"]);
    const before = await verified(tenant, id);
    const rows = before.results.map(({ row_index }: { row_index: number }) => row_index);
    await dropVerificationRowsStatement(api.deps.db, before.job_id, rows);
    expect((await look(tenant, id)).body).toEqual(before);
  });

  test("a deleted lead is not asked about, a changed one by its new address", async () => {
    const tenant = await api.tenant({ credits: 3 });
    const id = await datasetOf(tenant, ["anna@corp.zz", "ulla@corp.zz", "ann@corp.zz"]);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const leads = (await tenant.call("GET", `/api/v1/datasets/${id}/leads`)).body.items;
    await tenant.call("DELETE", `/api/v1/datasets/${id}/leads/${leads[0].id}`);
    await tenant.call("PATCH", `/api/v1/datasets/${id}/leads/${leads[1].id}`, {
      email: "anna.berg@corp.zz",
    });
    await work(jobId);
    const { body } = await look(tenant, id);
    expect(body).toMatchObject({
      status: "completed",
      total: 2,
      processed: 2,
      credits_consumed: 2,
    });
    expect(body.results).toMatchObject([
      { email: "anna.berg@corp.zz", result: "valid" },
      { email: "ann@corp.zz", result: "invalid" },
    ]);
    // Nor is a verdict shown of an address that the lead has no more.
    await tenant.call("PATCH", `/api/v1/datasets/${id}/leads/${leads[2].id}`, {
      email: "someone@corp.zz",
    });
    expect((await look(tenant, id)).body.results).toHaveLength(1);
    expect(await balance(tenant)).toMatchObject({ available: 1, held: 0 });
  });

  test("a deleted dataset is not asked about, and its credits come back", async () => {
    const tenant = await api.tenant({ credits: 7 });
    const id = await datasetOf(tenant, EMAILS);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    expect((await tenant.call("DELETE", `/api/v1/datasets/${id}`)).status).toBe(200);
    await work(jobId);
    expect(farm.log.entries()).toEqual([]);
    expect(await balance(tenant)).toMatchObject({ available: 7, held: 0 });
    const { rows } = await api.sql.query(
      "select 1 from dataset_verifications where dataset_id = $1",
      [id],
    );
    expect(rows).toEqual([]);
  });

  test("a greylisted address is asked again six minutes later", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const id = await datasetOf(tenant, ["anna.berg@greylong.zz"]);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    await work(jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "running", processed: 0 });
    api.advance(361);
    await work(jobId);
    // Its host then says what it knows, though "unknown" is still kept.
    expect((await look(tenant, id)).body.results).toMatchObject([{ result: "invalid" }]);
  });

  test("an operator that rests is waited for, and others go on meanwhile", async () => {
    const tenant = await api.tenant();
    const id = await datasetOf(tenant, ["anna@corp.zz", "info@teamwork.zz"]);
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const now = api.deps.clock.now();
    await api.sql.query(
      "insert into probe_operators (operator, next_at, strikes, rests_until) values ('corp.zz', $1, '{}', $2)",
      [now, new Date(now.getTime() + 900_000)],
    );
    await work(jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "running", processed: 1 });
    api.advance(901);
    await work(jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "completed", processed: 2 });
  });
});

test("results are paged in row order, 100 at a time or up to 500", async () => {
  const tenant = await api.tenant({ credits: 0 });
  const emails = Array.from({ length: 250 }, (_, index) => `noreply+${index}@many.zz`);
  await api.sql.query(
    `insert into verified_addresses (key_hash, reason, backend, checked_at, expires_at)
     select encode(sha256(convert_to(email, 'UTF8')), 'hex'), 'hard_reject', 'prefilter', $2, $3 from unnest($1::text[]) email`,
    [emails, api.deps.clock.now(), new Date(api.deps.clock.now().getTime() + 60_000)],
  );
  const id = await datasetOf(tenant, emails);
  const first = await verify(tenant, id);
  expect([first.status, first.body.results.length]).toEqual([200, 100]);
  const found: string[] = first.body.results.map(({ email }: { email: string }) => email);
  for (let cursor = first.body.next_cursor; cursor !== null;) {
    const { body } = await look(tenant, id, `?cursor=${cursor}`);
    found.push(...body.results.map(({ email }: { email: string }) => email));
    cursor = body.next_cursor;
  }
  expect(found).toEqual(emails);
  expect((await look(tenant, id, "?limit=500")).body.results).toHaveLength(250);
  for (const query of ["?limit=501", "?limit=0", "?cursor=x", "?cursor=LTE"])
    expect((await look(tenant, id, query)).status).toBe(422);
});

test("a dataset without addresses is verified at once", async () => {
  const tenant = await api.tenant({ credits: 0 });
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "Nobody" })).body;
  expect((await look(tenant, id)).body.detail).toBe("VERIFICATION_NOT_FOUND");
  const reply = await verify(tenant, id);
  expect([reply.status, reply.body.status, reply.body.total]).toEqual([200, "completed", 0]);
});

test("results hold the rows that have an address, and no others", async () => {
  const tenant = await api.tenant({ credits: 1 });
  const { datasetId } = await insertDataset(api.sql, tenant, [
    { email: null, profileUrl: "https://www.linkedin.com/in/ada" },
    { email: "noreply@corp.zz" },
    { email: null },
  ]);
  const { total, results } = await verified(tenant, datasetId);
  expect([total, results]).toMatchObject([1, [{ row_index: 1, email: "noreply@corp.zz" }]]);
});

test("a free workspace may not, and another's dataset is not found", async () => {
  const free = await api.tenant({ plan: "free" });
  const id = await datasetOf(free, ["anna@corp.zz"]);
  for (const method of ["POST", "GET", "DELETE"]) {
    expect((await free.call(method, at(id))).body.detail).toBe("FREE_TIER_FORBIDDEN");
    expect((await (await api.tenant()).call(method, at(id))).status).toBe(404);
  }
});
