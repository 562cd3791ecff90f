import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { commit } from "#db/base/client.ts";
import { hold, settle } from "#src/domain/billing/credits/charge.ts";
import { STRIPE, type Tenant } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { untilWaiting } from "../../../support/locks.ts";
import {
  balanceOf,
  deliver,
  ledgerOf,
  openedOrder,
  type StripeEvent,
  stripeEvent,
} from "../../../support/payments.ts";

useApi();

const freeTenant = () => api.tenant({ plan: "free", credits: 0 });
const statusOf = async (id: string) =>
  (await api.sql.query("select status from payment_orders where id = $1", [id])).rows[0].status;

async function taken(...events: unknown[]): Promise<void> {
  for (const event of events) expect((await deliver(api, event)).status).toBe(200);
}

const completed = (session: Record<string, unknown>) =>
  stripeEvent("checkout.session.completed", session);

/** A workspace that has bought the starter pack, and its order. */
async function buyer(): Promise<{
  tenant: Tenant;
  order: Awaited<ReturnType<typeof openedOrder>>;
}> {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  await taken(completed(order.session()));
  expect(await balanceOf(tenant)).toEqual({ available: 1000, held: 0, owed: 0, plan: "paid" });
  return { tenant, order };
}

test("an event without our signature, with another's, or too old is 400 and changes nothing", async () => {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  const event = completed(order.session());
  expect((await deliver(api, event, { secret: "whsec_of_somebody_else" })).status).toBe(400);
  expect((await deliver(api, event, { ageSeconds: 301 })).status).toBe(400);
  for (const signature of ["", "t=1", "v1=00", "t=x,v1=y", "t=1,v1=".padEnd(100_000, "0")]) {
    const reply = await api.request("/api/v1/payments/webhook", {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: JSON.stringify(event),
    });
    expect([reply.status, ((await reply.json()) as { detail: string }).detail]).toEqual([
      400,
      "SIGNATURE_INVALID",
    ]);
  }
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
  expect(await statusOf(order.id)).toBe("open");
});

test("a body that is changed after it was signed is refused", async () => {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  const text = JSON.stringify(completed(order.session({ payment_status: "unpaid" })));
  const signed = await deliver(api, text);
  expect(signed.status).toBe(200);
  const header = new Stripe("sk_test").webhooks.generateTestHeaderString({
    payload: text,
    secret: STRIPE.webhookSecret,
    timestamp: Math.floor(api.deps.clock.now().getTime() / 1000),
  });
  const changed = await api.request("/api/v1/payments/webhook", {
    method: "POST",
    headers: { "stripe-signature": header },
    body: text.replace("unpaid", "paid"),
  });
  expect(changed.status).toBe(400);
  expect((await balanceOf(tenant)).available).toBe(0);
});

test("a body above a megabyte is 413, and one that is not text is 400", async () => {
  const post = (body: BodyInit) =>
    api.request("/api/v1/payments/webhook", { method: "POST", body });
  expect((await post("x".repeat(1024 * 1024 + 1))).status).toBe(413);
  expect((await post(new Uint8Array([0xff, 0xfe, 0x00]))).status).toBe(400);
});

test("types and sessions that are none of ours are taken, and change nothing", async () => {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  await taken(
    stripeEvent("customer.created", { id: "cus_1" }),
    stripeEvent("constructor", {}),
    completed(order.session({ client_reference_id: "018f2f1e-0000-7000-8000-000000000000" })),
    completed(order.session({ client_reference_id: "a shop's own number" })),
    completed(order.session({ client_reference_id: null })),
  );
  expect(await statusOf(order.id)).toBe("open");
});

test("an event of ours in a shape that is unknown here is refused aloud, and comes again", async () => {
  expect((await deliver(api, stripeEvent("checkout.session.completed", { id: 7 }))).status).toBe(
    400,
  );
  expect((await deliver(api, "[1, 2")).status).toBe(400);
  expect((await deliver(api, `${"[".repeat(50_000)}${"]".repeat(50_000)}`)).status).toBe(400);
});

test("a payment is granted once, however many of its events come at once", async () => {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  const same = completed(order.session());
  const events = [
    ...Array.from({ length: 6 }, () => same),
    completed(order.session()),
    stripeEvent("checkout.session.async_payment_succeeded", order.session()),
  ];
  const replies = await Promise.all(events.map((event) => deliver(api, event)));
  expect(replies.map(({ status }) => status)).toEqual(events.map(() => 200));
  expect(await balanceOf(tenant)).toEqual({ available: 1000, held: 0, owed: 0, plan: "paid" });
  expect(await ledgerOf(api, tenant)).toEqual({ available: 1000, held: 0, owed: 0 });
});

test.each([
  ["amount", { amount_total: 100 }],
  ["amount of nothing", { amount_total: 0, payment_status: "no_payment_required" }],
  ["currency", { currency: "jpy" }],
  ["pack", { metadata: { pack_id: "scale" } }],
  ["pack left out", { metadata: {} }],
])("another %s than was ordered grants nothing, and the order says so", async (_, more) => {
  const tenant = await freeTenant();
  const order = await openedOrder(api, tenant);
  await taken(completed(order.session(more)));
  expect(await statusOf(order.id)).toBe("mismatch");
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
});

test("a refund of spent credits is owed, and a refund that failed gives back what it took", async () => {
  const { tenant, order } = await buyer();
  const refs = Array.from({ length: 300 }, (_, index) => `spent ${index}`);
  const charge = { ...tenant, refType: "email_verification" as const, refIds: refs };
  await commit(api.deps.db, [hold(api.deps, charge)]);
  const [spent, ...none] = settle(api.deps, charge, () => true);
  await commit(api.deps.db, [spent!, ...none]);
  await taken(stripeEvent("refund.created", order.refund("a", 1900, { status: "pending" })));
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 300, plan: "free" });
  await taken(
    stripeEvent("refund.failed", order.refund("a", 1900, { status: "failed" })),
    // Late: the refund's first event after its last.
    stripeEvent("refund.updated", order.refund("a", 1900, { status: "pending" })),
  );
  expect(await balanceOf(tenant)).toEqual({ available: 700, held: 0, owed: 0, plan: "paid" });
  const { available, held, owed } = await balanceOf(tenant);
  expect(await ledgerOf(api, tenant)).toEqual({ available, held, owed });
});

test("everything of an order at once: nothing is lost, and nothing is taken twice", async () => {
  for (let round = 0; round < 8; round++) {
    const tenant = await freeTenant();
    const order = await openedOrder(api, tenant);
    const whole = [
      stripeEvent("refund.created", order.refund("a", 1900)),
      stripeEvent("charge.dispute.funds_withdrawn", order.dispute("a", 1900)),
    ];
    // So that what comes before the purchase finds its order.
    await taken(completed(order.session({ payment_status: "unpaid" })));
    const replies = await Promise.all(
      [completed(order.session()), ...whole].map((event) => deliver(api, event)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
  }
});

test("one of two purchases refunded: the plan stays; both at once: it goes", async () => {
  const tenant = await freeTenant();
  const orders = [await openedOrder(api, tenant), await openedOrder(api, tenant)];
  await taken(...orders.map((order) => completed(order.session())));
  const [first, second] = orders.map((order) =>
    stripeEvent("refund.created", order.refund("a", 1900)),
  ) as [StripeEvent, StripeEvent];
  await taken(first);
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
  await taken(second);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });

  // Both are kept from the balance until both are there.
  const other = await freeTenant();
  const both = [await openedOrder(api, other), await openedOrder(api, other)];
  await taken(...both.map((order) => completed(order.session())));
  const holder = await api.sql.connect();
  const work: Promise<Response>[] = [];
  try {
    await holder.query("begin");
    await holder.query("select 1 from credit_balances where workspace_id = $1 for update", [
      other.workspaceId,
    ]);
    for (const order of both) {
      work.push(deliver(api, stripeEvent("refund.created", order.refund("a", 1900))));
      await untilWaiting(api.sql, work.length);
    }
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  await Promise.all(work);
  expect(await balanceOf(other)).toMatchObject({ available: 0, owed: 0, plan: "free" });
});

test("an event of an order that changes no money leaves a plan that was given by hand", async () => {
  const tenant = await api.tenant({ plan: "paid", credits: 0 });
  const order = await openedOrder(api, tenant);
  await taken(
    stripeEvent(
      "checkout.session.expired",
      order.session({ status: "expired", payment_status: "unpaid" }),
    ),
  );
  expect(await balanceOf(tenant)).toMatchObject({ plan: "paid" });
});
