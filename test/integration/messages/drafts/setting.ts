import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { runWorker } from "#src/domain/messages/drafts/run-worker.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import { startApi, type Reply, type Tenant, type TestApi } from "../../../support/api.ts";
import { aiStep, createCampaign, launchable, type LeadRow } from "../../../support/campaigns.ts";
import { queryOf } from "../../../support/query.ts";

export const query = queryOf(() => api.sql);

export let api: TestApi;
export let model: ModelPart;

/** The API over the composer, for a file of tests. */
export function useDrafts(): void {
  beforeAll(async () => {
    model = await startModel();
    api = await startApi(model.env);
  });
  afterAll(() => Promise.all([api.close(), model.close()]));
  afterEach(() => {
    model.faults.clear();
    model.log.clear();
  });
}

export const people = (count: number): LeadRow[] =>
  Array.from({ length: count }, (_, n) => ({
    email: `lead${n + 1}-${randomUUID().slice(0, 8)}@example.zz`,
    firstName: `Ada${n + 1}`,
    custom: { hobby: `number ${n + 1} of the chess club` },
  }));

const PROFILE = {
  name: "Main",
  full_name: "Sam Field",
  job_title: "Founder",
  company: "Overture",
  value_proposition: "We send email that people answer.",
};

/** A campaign with an AI step that was never launched, and a sender to speak for. */
export async function aiCampaign(
  tenant: Tenant,
  { leads = people(3), ...more }: { leads?: LeadRow[]; [field: string]: unknown } = {},
) {
  const made = await launchable(api, tenant, leads);
  const profile = await tenant.call("POST", "/api/v1/sender-profiles/", PROFILE);
  const created = await createCampaign(tenant, { ...made.body, steps: [aiStep()], ...more });
  const path = `/api/v1/campaigns/${created.campaign_id}`;
  return { ...made, id: created.campaign_id as string, path, profileId: profile.body.id as string };
}

export const generate = (tenant: Tenant, path: string, body: object = {}): Promise<Reply> =>
  tenant.call("POST", `${path}/playground/generate`, { step_index: 1, ...body });

export async function generationIds(batchId: string): Promise<string[]> {
  const rows =
    await query`select id from generations where batch_id = ${batchId} order by lead_index`;
  return rows.map(({ id }) => id);
}

/** What the queue would do with the batch's messages: each once, so many at a time. */
export async function deliver(batchId: string, parallel = 20): Promise<string[]> {
  const ids = await generationIds(batchId);
  const outcomes: string[] = [];
  const next = async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift())
      outcomes.push(await runGeneration(api.deps, id));
  };
  await Promise.all(Array.from({ length: parallel }, next));
  return outcomes;
}

/** A batch whose drafts are written. */
export async function drafted(tenant: Tenant, path: string, body: object = {}) {
  const { body: batch } = await generate(tenant, path, body);
  await deliver(batch.batch_id);
  return batch as { batch_id: string; enqueued_lead_ids: string[]; total: number };
}

export const drafts = (tenant: Tenant, path: string, batchId: string) =>
  tenant.call("GET", `${path}/playground/drafts?batch_id=${batchId}`);

export const status = (tenant: Tenant, path: string, batchId: string) =>
  tenant.call("GET", `${path}/playground/status?batch_id=${batchId}`);

export const review = (tenant: Tenant, path: string, lead: string, verb: string, body: object) =>
  tenant.call("POST", `${path}/leads/${lead}/${verb}`, body);

export async function balance(tenant: Tenant) {
  const { body } = await tenant.call("GET", "/api/v1/payments/balance");
  return { available: body.available as number, held: body.held as number };
}

/** Credits spent, by what the ledger says. */
export async function spent(tenant: Tenant): Promise<number> {
  const rows =
    await query`select count(*)::int as n from credit_entries where workspace_id = ${tenant.workspaceId} and kind = 'capture'`;
  return rows[0].n;
}

/** Lets the workers of a run work until none has anything to do. */
export async function workRun(runId: string, lanes = 4): Promise<void> {
  for (let round = 0; round < 1_000; round++) {
    const runs = await Promise.all(Array.from({ length: lanes }, () => runWorker(api.deps, runId)));
    if (runs.every((run) => run === "over" || run === "waits" || run === "gone")) return;
  }
  throw new Error("The run never ends.");
}

export const expectError = (reply: Reply, code: number, detail: string): void =>
  expect([reply.status, reply.body.detail]).toEqual([code, detail]);
