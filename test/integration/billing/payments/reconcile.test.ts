import { afterEach, beforeEach, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { reconcilePayments } from "#src/domain/billing/payments/reconcile.ts";
import { api, tenant, useApi } from "../../../support/use-api.ts";
import {
  atStripe,
  balanceOf,
  chargeOf,
  connectWebhook,
  purchase,
} from "../../../support/payments.ts";

useApi({ of: { plan: "free", credits: 0 }, eachTest: true });
beforeEach(async () => {
  api.payments.sendEventsTo(null);
  await api.sql.query("update payment_orders set check_at = null");
});
afterEach(() => api.payments.faults.clear());

const QUARTER = 15 * 60;
const calls = () =>
  api.payments.log.entries().filter(({ summary }) => summary.includes(" /v1/")).length;

async function bought(): Promise<string> {
  const { session_id: session } = (await purchase(tenant)).body;
  await atDeafStripe(`sessions/${session}/pay`);
  return session;
}

/** Something happens at Stripe, and nobody is told. */
async function atDeafStripe(path: string, body: unknown = {}): Promise<{ id: string }> {
  const reply = await fetch(`${api.payments.url}/api/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return (await reply.json()) as { id: string };
}

test("a payment whose webhook never came is granted after a quarter of an hour, once", async () => {
  await bought();
  await reconcilePayments(api.deps);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  api.advance(QUARTER);
  await Promise.all([1, 2, 3].map(() => reconcilePayments(api.deps)));
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
  // Then the webhook comes after all.
  connectWebhook(api);
  await api.payments.idle();
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

/** The quarters of an hour, out of so many, in which Stripe was asked. */
async function askedIn(quarters: number): Promise<number[]> {
  const asked: number[] = [];
  for (let quarter = 1; quarter <= quarters; quarter++) {
    api.advance(QUARTER);
    const before = calls();
    await reconcilePayments(api.deps);
    if (calls() > before) asked.push(quarter);
  }
  return asked;
}
const longest = (asked: number[]) =>
  Math.max(...asked.slice(1).map((quarter, index) => quarter - asked[index]!));

test("an order that can be paid is asked about each hour, and no more once it has ended", async () => {
  const { session_id: session } = (await purchase(tenant)).body;
  const asked = await askedIn(40);
  expect([asked[0], longest(asked)]).toEqual([1, 4]);
  await atDeafStripe(`sessions/${session}/decline`);
  api.advance(24 * 3600);
  await reconcilePayments(api.deps);
  const { rows } = await api.sql.query(
    "select status, check_at from payment_orders where session_id = $1",
    [session],
  );
  expect(rows).toEqual([{ status: "expired", check_at: null }]);
});

test("a payment eight hours after its order, of which nobody tells, counts within the hour", async () => {
  const { session_id: session } = (await purchase(tenant)).body;
  await askedIn(33);
  await atDeafStripe(`sessions/${session}/pay`);
  await askedIn(4);
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

test("a paid order is asked about less and less often", async () => {
  await bought();
  const asked = await askedIn(40);
  const gaps = asked.slice(1).map((quarter, index) => quarter - asked[index]!);
  expect(gaps).toEqual(gaps.toSorted((a, b) => a - b));
  expect(asked.length).toBeOneOf([5, 6]);
});

test("refunds and disputes of which nobody told are found", async () => {
  const session = await bought();
  api.advance(QUARTER);
  await reconcilePayments(api.deps);
  const charge = await chargeOf(api, session);
  const { id: refund } = await atDeafStripe(`charges/${charge}/refund`, { amount: 950 });
  api.advance(2 * QUARTER);
  await reconcilePayments(api.deps);
  expect(await balanceOf(tenant)).toMatchObject({ available: 500, plan: "paid" });
  await atDeafStripe(`refunds/${refund}/fail`);
  const { id: dispute } = await atDeafStripe(`charges/${charge}/dispute`);
  api.advance(4 * QUARTER);
  await reconcilePayments(api.deps);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  await atDeafStripe(`disputes/${dispute}/close`, { status: "won" });
  api.advance(8 * QUARTER);
  await reconcilePayments(api.deps);
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

test("a payment and its refund, both unheard of, are found together", async () => {
  const session = await bought();
  await atDeafStripe(`charges/${await chargeOf(api, session)}/refund`);
  api.advance(QUARTER);
  await reconcilePayments(api.deps);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
});

test("a bank's refusal of which nobody told ends the order", async () => {
  const { session_id: session } = (await purchase(tenant)).body;
  await atDeafStripe(`sessions/${session}/pay-later`);
  await atDeafStripe(`sessions/${session}/settle`, { outcome: "failed" });
  api.advance(QUARTER);
  await reconcilePayments(api.deps);
  const { rows } = await api.sql.query("select status from payment_orders where session_id = $1", [
    session,
  ]);
  expect(rows).toEqual([{ status: "failed" }]);
});

test("an order that never got a session ends when its page would have", async () => {
  api.payments.faults.order("down", 2);
  await purchase(tenant);
  const status = async () =>
    (
      await api.sql.query("select status from payment_orders where workspace_id = $1", [
        tenant.workspaceId,
      ])
    ).rows[0].status;
  api.advance(QUARTER);
  await reconcilePayments(api.deps);
  expect(await status()).toBe("open");
  api.advance(24 * 3600);
  const before = calls();
  await reconcilePayments(api.deps);
  expect([await status(), calls() - before]).toEqual(["expired", 0]);
});

test("a run asks about a bounded number of orders, and stops at the first that fails", async () => {
  for (let index = 0; index < 23; index++)
    await purchase(tenant, { cancel_url: `https://app.test/${index}` });
  api.advance(QUARTER);
  let before = calls();
  api.payments.faults.order("down", 2);
  await reconcilePayments(api.deps);
  expect(calls() - before).toBe(0);
  api.advance(2 * QUARTER);
  before = calls();
  await reconcilePayments(api.deps);
  expect(calls() - before).toBe(20);
  await reconcilePayments(api.deps);
  expect(calls() - before).toBe(23);
});

test("a workspace that orders without end keeps no other from being asked about", async () => {
  for (let index = 0; index < 100; index++) {
    await purchase(tenant, { cancel_url: `https://app.test/${index}` });
    if (index % 50 === 0) api.forgetQuotas();
  }
  const other = await api.tenant({ plan: "free", credits: 0 });
  await atDeafStripe(`sessions/${(await purchase(other)).body.session_id}/pay`);
  api.advance(QUARTER);
  const before = calls();
  await reconcilePayments(api.deps);
  expect(await balanceOf(other)).toMatchObject({ available: 1000 });
  // The others' turns are not lost to those who wait.
  expect(calls() - before).toBeGreaterThanOrEqual(20);
});

test("the regular check asks", async () => {
  await bought();
  api.advance(QUARTER);
  await fullCheck(api.deps);
  await api.settled();
  expect(await balanceOf(tenant)).toMatchObject({ available: 1000, plan: "paid" });
});

test("one that Stripe does not know any more keeps no other from being asked about", async () => {
  const { session_id: gone } = (await purchase(tenant)).body;
  await api.sql.query(
    "update payment_orders set session_id = 'cs_gone', check_at = check_at - interval '1 minute' where session_id = $1",
    [gone],
  );
  const other = await api.tenant({ plan: "free", credits: 0 });
  const { session_id: session } = (await purchase(other)).body;
  await atDeafStripe(`sessions/${session}/pay`);
  api.advance(QUARTER);
  await reconcilePayments(api.deps);
  expect(await balanceOf(other)).toMatchObject({ available: 1000 });
});

test("with Stripe gone a webhook that needs it is refused, and taken when it comes again", async () => {
  connectWebhook(api);
  await api.payments.idle();
  api.payments.sendEventsTo(null);
  const session = await bought();
  // The refund is heard of first, while no order knows its payment.
  await atDeafStripe(`charges/${await chargeOf(api, session)}/refund`, { amount: 950 });
  api.payments.faults.order("event_lost", 1);
  api.payments.faults.order("down", 4);
  connectWebhook(api);
  await api.payments.idle();
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, owed: 0 });
  await atStripe(api, `events/${await eventOf("checkout.session.completed")}/deliver`);
  api.advance(60);
  await api.payments.idle();
  expect(await balanceOf(tenant)).toMatchObject({ available: 500, owed: 0, plan: "paid" });
});

async function eventOf(type: string): Promise<string> {
  const reply = await fetch(`${api.payments.url}/api/payments`);
  const { payments } = (await reply.json()) as {
    payments: { events: { id: string; type: string }[] }[];
  };
  return payments[0]!.events.find((event) => event.type === type)!.id;
}
