import { expect } from "vitest";
import { runDatasetWorker } from "#src/domain/research/verification/dataset-worker.ts";
import type { Tenant, TestApi } from "../../../support/api.ts";

/** The farm's hosts are ours: as many may be asked at once as a test wants. */
export const UNPACED = { PROBE_INTERVAL_MS: "0", PROBE_RECIPIENTS_PER_MINUTE: "0" };

export const at = (id: string) => `/api/v1/email-verification/dataset/${id}`;
export const verify = (tenant: Tenant, id: string) => tenant.call("POST", at(id));
export const look = (tenant: Tenant, id: string, query = "") =>
  tenant.call("GET", `${at(id)}${query}`);
export const balance = async (tenant: Tenant) =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body;

export const bulk = (count: number, name = "lead", domain = "bulk.zz") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@${domain}`);

export async function datasetOf(tenant: Tenant, emails: readonly string[]): Promise<string> {
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body;
  const rows = emails.map((email) => ({ email }));
  const reply = await tenant.call("POST", `/api/v1/datasets/${id}/import`, { rows });
  expect(reply.body.created).toBe(emails.length);
  return id;
}

/** Credits that the workspace has paid, by the ledger. */
export async function captured({ sql }: TestApi, tenant: Tenant): Promise<number> {
  const { rows } = await sql.query(
    "select count(*) from credit_entries where workspace_id = $1 and kind = 'capture'",
    [tenant.workspaceId],
  );
  return Number(rows[0].count);
}

/** What the queue would do with so many callbacks at once, until nothing waits that is due. */
export async function work(api: TestApi, jobId: string, lanes = 2): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const runs = await Promise.all(
      Array.from({ length: lanes }, () => runDatasetWorker(api.deps, jobId)),
    );
    await api.settled();
    if (runs.every((run) => run !== "worked")) return;
  }
  throw new Error("It never ends.");
}
