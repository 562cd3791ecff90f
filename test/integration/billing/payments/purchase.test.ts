import { afterEach, beforeEach, expect, test } from "vitest";
import { purchaseCredits } from "#src/domain/billing/payments/purchase.ts";
import { createStripePayments } from "#src/providers/payments/stripe.ts";
import { api, tenant, useApi } from "../../../support/use-api.ts";
import { STRIPE } from "../../../support/api.ts";
import {
  atStripe,
  balanceOf,
  chargeOf,
  connectWebhook,
  purchase,
  STARTER,
} from "../../../support/payments.ts";

useApi({ of: { plan: "free", credits: 0 }, eachTest: true });
beforeEach(() => {
  connectWebhook(api);
});
afterEach(() => api.payments.faults.clear());

interface Listed {
  id: string;
  client_reference_id: string;
  status: string;
}

/** What Stripe knows of the tenant's orders. */
async function sessionsAtStripe(): Promise<Listed[]> {
  const reply = await fetch(`${api.payments.url}/api/payments`);
  const { payments } = (await reply.json()) as { payments: Listed[] };
  const ids = (await orders()).map(({ id }) => id);
  return payments.filter((each) => ids.includes(each.client_reference_id));
}

const orders = async (): Promise<{ id: string; status: string; session_id: string | null }[]> =>
  (
    await api.sql.query(
      "select id, status, session_id from payment_orders where workspace_id = $1 order by id",
      [tenant.workspaceId],
    )
  ).rows;

test("credits are bought on the hosted page, seen in the balance, and gone after a refund", async () => {
  const { status, body } = await purchase(tenant);
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    checkout_url: `${api.payments.url}/pay/${body.session_id}`,
    session_id: expect.stringMatching(/^cs_/),
    pack_id: "starter",
    credits: 1000,
    amount_cents: 1900,
    currency: "usd",
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  const paid = await atStripe(api, `sessions/${body.session_id}/pay`);
  expect(paid).toEqual({ redirect_url: `https://app.test/paid?session=${body.session_id}` });
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });

  const charge = await chargeOf(api, body.session_id);
  await atStripe(api, `charges/${charge}/refund`, { amount: 950 });
  expect(await balanceOf(tenant)).toMatchObject({ available: 500, plan: "paid" });
  await atStripe(api, `charges/${charge}/refund`);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
  // The key outlives the plan.
  const { body: ledger } = await tenant.call("GET", "/api/v1/payments/ledger");
  expect(ledger.items.map((entry: { kind: string }) => entry.kind)).toEqual([
    "refund",
    "refund",
    "grant",
  ]);
});

test("paid by bank: nothing until the bank settles it, and nothing when it refuses", async () => {
  const first = (await purchase(tenant)).body.session_id;
  await atStripe(api, `sessions/${first}/pay-later`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  // The page that was used up is not handed out again.
  const second = (await purchase(tenant)).body.session_id;
  expect(second).not.toBe(first);
  await atStripe(api, `sessions/${first}/settle`, { outcome: "succeeded" });
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
  await atStripe(api, `sessions/${second}/pay-later`);
  await atStripe(api, `sessions/${second}/settle`, { outcome: "failed" });
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
  expect((await orders()).map(({ status }) => status)).toEqual(["paid", "failed"]);
});

test("a dispute takes the credits and the plan, and winning it brings both back", async () => {
  const { session_id: session } = (await purchase(tenant)).body;
  await atStripe(api, `sessions/${session}/pay`);
  const { id } = await atStripe(api, `charges/${await chargeOf(api, session)}/dispute`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  await atStripe(api, `disputes/${id}/close`, { status: "won" });
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

test("a refund that the bank sends back gives back what it took, and a second one takes it again", async () => {
  const { session_id: session } = (await purchase(tenant)).body;
  await atStripe(api, `sessions/${session}/pay`);
  const charge = await chargeOf(api, session);
  const { id } = await atStripe(api, `charges/${charge}/refund`);
  await atStripe(api, `refunds/${id}/fail`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
  await atStripe(api, `charges/${charge}/refund`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, owed: 0, plan: "free" });
});

test("clicked ten times at once it is one order and one page", async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => purchase(tenant)));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(new Set(replies.map(({ body }) => body.checkout_url)).size).toBe(1);
  expect(await sessionsAtStripe()).toHaveLength(1);
  expect((await purchase(tenant)).body).toEqual(replies[0]!.body);
});

test("another pack, another way back, another workspace, or a page about to end: another page", async () => {
  const first = (await purchase(tenant)).body.session_id;
  const others = [
    await purchase(tenant, { pack_id: "growth" }),
    await purchase(tenant, { cancel_url: "https://app.test/elsewhere" }),
    await purchase(await api.tenant()),
  ];
  api.advance(22.5 * 3600);
  others.push(await purchase(tenant));
  const sessions = [first, ...others.map(({ body }) => body.session_id)];
  expect(new Set(sessions).size).toBe(5);
});

test("an order whose worker died before Stripe heard of it gets its page by the next click", async () => {
  api.payments.faults.order("down", 2);
  expect((await purchase(tenant)).status).toBe(502);
  const [order] = await orders();
  expect(order).toMatchObject({ status: "open", session_id: null });
  const { body } = await purchase(tenant);
  expect(await orders()).toEqual([{ ...order, session_id: body.session_id }]);
});

test("an answer that was lost is asked for again: the session that Stripe made is the one that is given out", async () => {
  api.payments.faults.order("lost_answer", 2);
  const lost = await purchase(tenant);
  expect(lost).toMatchObject({ status: 502, body: { detail: "UPSTREAM_ERROR" } });
  expect(await sessionsAtStripe()).toHaveLength(1);
  const { body } = await purchase(tenant);
  expect((await sessionsAtStripe()).map(({ id }) => id)).toEqual([body.session_id]);
});

test.each([
  ["an error that Stripe keeps under the key", "server_error_kept", 1],
  ["a refusal for now", "rate_limited", 1],
  ["nonsense", "garbage", 1],
  ["a session over another amount", "wrong_session", 1],
])(
  "after %s the answer is 502, nothing is owed, and the next click works",
  async (_, fault, times) => {
    api.payments.faults.order(fault, times);
    expect(await purchase(tenant)).toMatchObject({
      status: 502,
      body: { detail: "UPSTREAM_ERROR" },
    });
    const { status, body } = await purchase(tenant);
    expect(status).toBe(200);
    await atStripe(api, `sessions/${body.session_id}/pay`);
    expect(await balanceOf(tenant)).toMatchObject({ available: 1000, owed: 0 });
  },
);

test.each(["wrong_amount", "wrong_currency"])(
  "what is paid with %s grants nothing",
  async (fault) => {
    const { session_id: session } = (await purchase(tenant)).body;
    api.payments.faults.order(fault, 1);
    await atStripe(api, `sessions/${session}/pay`);
    expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
    expect(await orders()).toMatchObject([{ status: "mismatch" }]);
  },
);

test("a Stripe that does not answer in time is 504, and the page comes with the next click", async () => {
  const impatient = createStripePayments(
    { ...STRIPE, base: api.payments.url },
    fetch,
    api.deps.clock.now,
    50,
  );
  const { workspaceId, userId } = tenant;
  const principal = {
    workspaceId,
    userId,
    plan: "free",
    role: "owner",
    via: "key",
    actor: "key:of a test",
    scopes: null,
    confirm: "human",
  } as const;
  const { success_url: successUrl, cancel_url: cancelUrl } = STARTER;
  api.payments.faults.order("slow", 2);
  await expect(
    purchaseCredits({ ...api.deps, payments: impatient }, principal, {
      packId: "starter",
      successUrl,
      cancelUrl,
    }),
  ).rejects.toMatchObject({ kind: "upstream_timeout", code: "UPSTREAM_TIMEOUT" });
  const { body } = await purchase(tenant);
  expect((await sessionsAtStripe()).map(({ id }) => id)).toEqual([body.session_id]);
});

test("a click after a payment of which nobody told grants that payment, and opens a new page", async () => {
  const first = (await purchase(tenant)).body.session_id;
  api.payments.sendEventsTo(null);
  await fetch(`${api.payments.url}/api/sessions/${first}/pay`, { method: "POST" });
  expect(await balanceOf(tenant)).toMatchObject({ available: 0 });
  expect((await purchase(tenant)).body.session_id).not.toBe(first);
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

test("an unknown pack and addresses that are not http are 422 of the request, whatever is configured", async () => {
  for (const wrong of [
    { pack_id: "free-lunch" },
    { pack_id: "Starter" },
    { success_url: "javascript:alert(1)" },
    { success_url: "//app.test/paid" },
    { cancel_url: "ftp://app.test/" },
    { cancel_url: "https://app.test/\ud800" },
    { cancel_url: "https://app.test/a b" },
    { success_url: `https://app.test/${"a".repeat(2000)}` },
    { success_url: undefined },
    { pack_id: ["starter"] },
  ]) {
    const { status, body } = await purchase(tenant, wrong);
    expect([wrong, status, body.error]).toEqual([wrong, 422, "Validation Error"]);
  }
  expect(await orders()).toEqual([]);
});

test("where the deployment names its hosts, customers are sent back to no other", async () => {
  const { workspaceId, userId } = tenant;
  const settings = { ...api.deps.settings, purchaseReturnHosts: ["app.test"] };
  const buy = (cancelUrl: string) =>
    purchaseCredits(
      { ...api.deps, settings },
      {
        workspaceId,
        userId,
        plan: "free",
        role: "owner",
        via: "key",
        actor: "key:of a test",
        scopes: null,
        confirm: "human",
      },
      { packId: "starter", successUrl: "https://app.test/paid", cancelUrl },
    );
  expect((await buy("http://APP.test:8080/credits")).sessionId).toMatch(/^cs_/);
  for (const url of [
    "https://evil.test/",
    "https://app.test.evil.test/",
    "https://app.test@evil.test/",
  ])
    await expect(buy(url)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
