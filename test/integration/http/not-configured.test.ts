/** What a deployment has left out is said by the operations that need it. */
import { expect, test } from "vitest";
import { postMail, rawMail } from "../../support/incoming.ts";
import { deliver, purchase } from "../../support/payments.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

const NOT = undefined as unknown as string;
useApi({ env: { STRIPE_SECRET_KEY: NOT, STRIPE_WEBHOOK_SECRET: NOT, INBOUND_SECRET: NOT } });

test("without Stripe a purchase and its webhook are 503 PAYMENTS_NOT_CONFIGURED; what was bought is read", async () => {
  const bought = await purchase(tenant);
  expect([bought.status, bought.body.detail]).toEqual([503, "PAYMENTS_NOT_CONFIGURED"]);
  const told = await deliver(api, { id: "evt_1", type: "refund.created", data: { object: {} } });
  expect(await told.json()).toMatchObject({ detail: "PAYMENTS_NOT_CONFIGURED" });
  expect(told.status).toBe(503);
  expect((await tenant.call("GET", "/api/v1/payments/balance")).status).toBe(200);
});

test("without a secret for routed mail it is 503 INBOUND_NOT_CONFIGURED, however it is signed", async () => {
  const raw = rawMail({ from: "a@example.zz", to: "b@example.zz", body: "x" });
  const { status, body } = await postMail(api, raw, "b@example.zz");
  expect([status, body.detail]).toEqual([503, "INBOUND_NOT_CONFIGURED"]);
});

test("without an app at Google its figures are 503 POSTMASTER_NOT_CONFIGURED, and those that were read are shown", async () => {
  const made = await tenant.call("POST", "/api/v1/mailer/domains", { domain: "no-app.zz" });
  const path = `/api/v1/mailer/domains/${made.body.id}/postmaster`;
  const { status, body } = await tenant.call("POST", path, {});
  expect([status, body.detail]).toEqual([503, "POSTMASTER_NOT_CONFIGURED"]);
  expect((await tenant.call("GET", path)).body).toMatchObject({
    status: "not_connected",
    days: [],
  });
});
