import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { auditLedger } from "#src/domain/billing/credits/audit.ts";
import { checkStatus } from "#src/domain/workspace/health/check.ts";
import { systemRandomBytes } from "#src/platform/system.ts";
import { createVault } from "#src/platform/vault.ts";
import { type Tenant } from "../../../support/api.ts";
import { owe } from "../../../support/notices.ts";
import { api, query, useApi } from "../../../support/use-api.ts";

useApi();

test("what a deployment did not configure names the variables that it lacks, and counts for nothing", async () => {
  const { components } = await checkStatus({
    ...api.deps,
    facilitator: null,
    model: null,
    network: null,
    mailProbe: null,
    messaging: null,
    settings: { ...api.deps.settings, systemMail: null },
  });
  const open = Object.entries(components).filter(([, { status }]) => status === "not_configured");
  expect(Object.fromEntries(open.map(([name, { detail }]) => [name, detail]))).toEqual({
    facilitator: expect.stringMatching(/^X402_FACILITATOR_URL and X402_MERCHANT_ADDRESS are not/),
    model: "MODEL_BASE_URL is not set.",
    network: "UNIPILE_API_URL is not set.",
    outbox: expect.stringMatching(/^SYSTEM_MAIL_FROM and SYSTEM_MAIL_URL are not set/),
    verifier: "VERIFIER_EGRESS is not set.",
  });
});

/** Whatever can go wrong of a tenant's own, at once. */
async function failingTenant(mark: string): Promise<Tenant & { told: string[] }> {
  const tenant = await api.tenant({ credits: 10 });
  await tenant.call("PATCH", "/api/v1/workspace", { name: `Workspace ${mark}` });
  const alias = await tenant.call("POST", "/api/v1/mailer/aliases", {
    email: `sender@${mark}.zz`,
    display_name: `Sender ${mark}`,
    transport: {
      kind: "smtp",
      host: `relay.${mark}.zz`,
      port: 587,
      security: "starttls",
      username: `user-${mark}`,
      password: `password-${mark}`,
    },
  });
  const campaignId = await owe(api, tenant);
  const deliveryId = randomUUID();
  await api.sql.query(
    `insert into notice_deliveries (id, workspace_id, notice_id, channel, state, due_at, attempts, error, created_at, updated_at)
     values ($1, $2, $3, 'email', 'dead', $4, 9, $5, $4, $4)`,
    [deliveryId, tenant.workspaceId, randomUUID(), api.deps.clock.now(), `550 ${mark}@${mark}.zz`],
  );
  await query`update credit_balances set available = 11 where workspace_id = ${tenant.workspaceId}`;
  const ids = [tenant.workspaceId, tenant.userId, alias.body.id, campaignId, deliveryId];
  return { ...tenant, told: [mark, ...ids] };
}

test("whatever fails of tenants is counted, and nobody can read who they are", async () => {
  const mark = `mark${randomUUID().slice(0, 8)}`;
  const tenant = await failingTenant(mark);
  api.advance(3_600);
  await auditLedger(api.deps);
  const vault = createVault(systemRandomBytes(32), systemRandomBytes);
  const found = await checkStatus({ ...api.deps, vault });
  const conditions = ["vault", "ledger", "outbox"].map((name) => found.components[name]!.status);
  expect(conditions).toEqual(["degraded", "degraded", "degraded"]);
  expect(found.components["ledger"]!.detail).toContain("1 workspace's balance");
  expect(found.components["outbox"]!.detail).toContain("1 given up");
  const page = await (await api.request("/api/v1/status")).text();
  for (const said of [page, JSON.stringify(found)])
    for (const secret of tenant.told) expect(said).not.toContain(secret);
});
