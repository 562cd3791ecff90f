import { afterEach, beforeEach, expect, test } from "vitest";
import { api, tenant, useApi } from "../../../support/use-api.ts";
import {
  atStripe,
  balanceOf,
  chargeOf,
  connectWebhook,
  ledgerOf,
  purchase,
} from "../../../support/payments.ts";

let session: string;
useApi({ of: { plan: "free", credits: 0 }, eachTest: true });
beforeEach(async () => {
  connectWebhook(api);
  session = (await purchase(tenant)).body.session_id;
});
afterEach(() => {
  api.payments.faults.clear();
  api.neon.faults.clear();
});

/** Lets Stripe's retries come. */
async function days(count: number): Promise<void> {
  for (let hours = 0; hours < 24 * count; hours += 6) {
    api.advance(6 * 3600);
    await api.payments.idle();
  }
}

const half = async () =>
  atStripe(api, `charges/${await chargeOf(api, session)}/refund`, { amount: 950 });
const BOUGHT = { available: 1000, held: 0, owed: 0, plan: "paid" };
const HALF = { ...BOUGHT, available: 500 };

test.each(["event_late", "event_stale", "event_forged"])(
  "%s: nothing until it comes as it should, then all of it",
  async (fault) => {
    api.payments.faults.order(fault, 1);
    await atStripe(api, `sessions/${session}/pay`);
    expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
    await days(1);
    expect(await balanceOf(tenant)).toEqual(BOUGHT);
  },
);

test("every event delivered twice changes nothing the second time", async () => {
  api.payments.faults.order("event_twice", 10);
  await atStripe(api, `sessions/${session}/pay`);
  await half();
  expect(await balanceOf(tenant)).toEqual(HALF);
});

test("the refund is heard of before the purchase", async () => {
  api.payments.faults.order("events_swapped", 1);
  await atStripe(api, `sessions/${session}/pay`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, plan: "free" });
  await half();
  await days(2);
  expect(await balanceOf(tenant)).toEqual(HALF);
});

test("a refund and a dispute, both heard of before the purchase", async () => {
  api.payments.faults.order("event_late", 1);
  await atStripe(api, `sessions/${session}/pay`);
  await half();
  const { id } = await atStripe(api, `charges/${await chargeOf(api, session)}/dispute`);
  expect(await balanceOf(tenant)).toMatchObject({ available: 0, owed: 0, plan: "free" });
  await days(1);
  expect(await balanceOf(tenant)).toEqual({ available: 0, held: 0, owed: 0, plan: "free" });
  await atStripe(api, `disputes/${id}/close`, { status: "won" });
  expect(await balanceOf(tenant)).toEqual(HALF);
});

test("a database that is gone while the event comes: Stripe sends it again", async () => {
  api.neon.faults.order("refuse", 1);
  await atStripe(api, `sessions/${session}/pay`);
  api.neon.faults.clear();
  await days(1);
  expect(await balanceOf(tenant)).toEqual(BOUGHT);
  expect(await ledgerOf(api, tenant)).toEqual({ available: 1000, held: 0, owed: 0 });
});
