import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimVerificationRows } from "#db/research/dataset-verification-rows.ts";
import type { Deps } from "#src/deps.ts";
import { runDatasetWorker } from "#src/domain/research/verification/dataset-worker.ts";
import { runVerificationJob } from "#src/domain/research/verification/run-job.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { startApi, type TestApi } from "../../../support/api.ts";
import { at, balance, bulk, captured, datasetOf, look, UNPACED, verify, work } from "./datasets.ts";
import { withNotedQueue } from "../../../support/noted-queue.ts";

let farm: Farm;
let api: TestApi;
beforeAll(async () => {
  farm = await startFarm();
  api = await startApi(UNPACED, { farm });
});
afterAll(() => Promise.all([api.close(), farm.close()]));
beforeEach(async () => {
  await api.sql.query("truncate verified_addresses, verified_domains, probe_operators");
});
afterEach(() => {
  farm.faults.clear();
  farm.log.clear();
});

/** Claims as lanes make them that are killed then. */
async function dieWithClaims(jobId: string, lanes: number): Promise<void> {
  const now = api.deps.clock.now();
  const until = new Date(now.getTime() + 60_000);
  const rules = { now, until, rows: 10, workers: 8, workersOfDomain: 2 };
  for (let lane = 0; lane < lanes; lane++)
    await claimVerificationRows(api.deps.db, jobId, { ...rules, token: randomUUID() });
}

describe("killed lanes", () => {
  test("are found by whoever comes next, who comes back when their claims end", async () => {
    const tenant = await api.tenant();
    const id = await datasetOf(tenant, bulk(25));
    const { job_id: jobId } = (await verify(tenant, id)).body;
    await dieWithClaims(jobId, 2);
    const { deps, noted } = withNotedQueue(api);
    const died = api.deps.clock.now().getTime();
    // Theirs are the two that may ask one domain, so five rows wait and nobody may begin them.
    for (let times = 0; times < 2; times++)
      expect(await runDatasetWorker(deps, jobId)).toBe("nothing_due");
    expect(new Set(noted.map(({ deduplicationId }) => deduplicationId)).size).toBe(1);
    const secondsLater = (noted[0]!.notBefore!.getTime() - died) / 1_000;
    expect(secondsLater).toBeGreaterThan(59);
    expect(secondsLater).toBeLessThan(76);
    api.advance(secondsLater);
    await work(api, jobId);
    expect((await look(tenant, id)).body).toMatchObject({ status: "completed", processed: 25 });
  });
});

/** Parts of a lane from which a mail host's answer about an address is withheld until it is let go. */
function frozenAt(address: string): { deps: Deps; asked: Promise<void>; thaw: () => void } {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const mailProbe = api.deps.mailProbe!;
  const probe: typeof mailProbe.probe = async (plan, signal) => {
    const run = await mailProbe.probe(plan, signal);
    if (plan.recipients[0] !== address) return run;
    asked.resolve();
    await gate.promise;
    return run;
  };
  const deps = { ...api.deps, mailProbe: { ...mailProbe, probe } };
  return { deps, asked: asked.promise, thaw: gate.resolve };
}

describe("who stood still for longer than its claim", () => {
  test("charges nothing for a row of which another says that it is unknown", async () => {
    const tenant = await api.tenant({ credits: 10 });
    const id = await datasetOf(tenant, bulk(10));
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const slow = frozenAt("lead0@bulk.zz");
    const late = runDatasetWorker(slow.deps, jobId);
    await slow.asked;
    api.advance(61);
    farm.faults.order("temporary", 1_000);
    await runDatasetWorker(api.deps, jobId);
    const ended = (await look(tenant, id)).body;
    expect(ended).toMatchObject({ status: "completed", processed: 10, summary: { unknown: 10 } });
    slow.thaw();
    await late;
    expect((await look(tenant, id)).body).toEqual(ended);
    expect(await captured(api, tenant)).toBe(0);
    expect(await balance(tenant)).toMatchObject({ available: 10, held: 0 });
    const leads = (await tenant.call("GET", `/api/v1/datasets/${id}/leads`)).body.items;
    expect(leads[0].verification.result).toBe("unknown");
  });

  test("keeps and charges the rows that nobody took over", async () => {
    const tenant = await api.tenant({ credits: 12 });
    const id = await datasetOf(tenant, bulk(12));
    const { job_id: jobId } = (await verify(tenant, id)).body;
    const slow = frozenAt("lead9@bulk.zz");
    const late = runDatasetWorker(slow.deps, jobId);
    await slow.asked;
    api.advance(61);
    // What waited longest comes first: the two that were never claimed, and eight of the other's ten.
    const soon = frozenAt("lead11@bulk.zz");
    const next = runDatasetWorker(soon.deps, jobId);
    await soon.asked;
    slow.thaw();
    await late;
    // Two are spent, and ten held for the rows of the other lane.
    expect((await look(tenant, id)).body).toMatchObject({ processed: 2, credits_consumed: 12 });
    expect(await balance(tenant)).toMatchObject({ available: 0, held: 10 });
    soon.thaw();
    await next;
    expect((await look(tenant, id)).body).toMatchObject({ status: "completed", processed: 12 });
    expect(await captured(api, tenant)).toBe(12);
    expect(await balance(tenant)).toMatchObject({ available: 0, held: 0 });
  });

  test("charges no job that ended without it", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const { job_id: jobId } = (
      await tenant.call("POST", "/api/v1/email-finder/verify", { email: "anna@corp.zz" })
    ).body;
    const slow = frozenAt("anna@corp.zz");
    const late = runVerificationJob(slow.deps, jobId);
    await slow.asked;
    api.advance(61);
    const soon = frozenAt("anna@corp.zz");
    const next = runVerificationJob(soon.deps, jobId);
    await soon.asked;
    slow.thaw();
    expect(await late).toBe("overtaken");
    expect(await balance(tenant)).toMatchObject({ available: 0, held: 1 });
    soon.thaw();
    expect(await next).toBe("completed");
    expect(await captured(api, tenant)).toBe(1);
  });
});

describe("beside another tenant's 10,000 rows at one operator", () => {
  test("ten rows there and ten elsewhere, and single addresses at both, have their answers", async () => {
    const large = await api.tenant({ credits: 10_000 });
    const largeId = await datasetOf(large, bulk(10_000));
    const { job_id: largeJob } = (await verify(large, largeId)).body;
    const small = await api.tenant({ credits: 100 });
    const ids = [
      await datasetOf(small, bulk(10, "lead00")),
      await datasetOf(small, bulk(10, "anna", "corp.zz")),
    ];
    const working = work(api, largeJob, 8);
    const ends = ids.map(async (id) => {
      await work(api, (await verify(small, id)).body.job_id, 1);
      return (await look(small, id)).body;
    });
    const singles = ["lead000123@bulk.zz", "info@teamwork.zz"].map(async (email) => {
      const path = "/api/v1/email-finder/verify";
      const { job_id: jobId } = (await small.call("POST", path, { email })).body;
      return runVerificationJob(api.deps, jobId);
    });
    // Without the clock being moved: none of them was put back because it was never its turn.
    expect(await Promise.all(singles)).toEqual(["completed", "completed"]);
    for (const end of await Promise.all(ends))
      expect(end).toMatchObject({ status: "completed", processed: 10, summary: { unknown: 0 } });
    const beside = (await look(large, largeId)).body;
    expect(beside.status).toBe("running");
    expect(beside.processed).toBeLessThan(1_000);
    await large.call("DELETE", at(largeId));
    await working;
  });
});
