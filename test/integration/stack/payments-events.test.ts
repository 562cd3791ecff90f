import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Stripe } from "stripe";
import { expect, test } from "vitest";
import { bought, order, paymentsSetting } from "./payments-setting.ts";

const setting = paymentsSetting();
const MINUTE = 60;
const HOUR = 3600;

const statuses = () =>
  setting.part.log
    .entries()
    .map(({ summary }) => /^deliver .* -> (.*)$/.exec(summary)?.[1])
    .filter((status) => status !== undefined);
const arrivals = () => setting.receiver.received.length;

test("an event is of the SDK's version; one that is not taken comes again, later each time, for three days", async () => {
  setting.receiver.always = { status: 500 };
  setting.receiver.next = [{ status: 302, headers: { location: setting.receiver.url } }];
  const { session } = await bought(setting);
  await setting.advance(7 * 24 * HOUR);
  const times = setting.receiver.received.map(({ at }) => at.getTime());
  const gaps = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000));
  expect(gaps.slice(0, 3)).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE]);
  const hours = gaps.reduce((sum, gap) => sum + gap, 0) / HOUR;
  expect(hours).toBeGreaterThan(60);
  expect(hours).toBeLessThanOrEqual(72);
  expect(setting.part.nextDueAt()).toBeNull();
  expect(statuses().slice(0, 2)).toEqual(["302", "500"]);
  const [event, ...again] = await setting.events();
  expect(event).toMatchObject({
    object: "event",
    api_version: Stripe.API_VERSION,
    data: { object: { id: session, object: "checkout.session" } },
  });
  expect(new Set(again.map(({ id }) => id))).toEqual(new Set([event!.id]));
});

test("an endpoint that hangs is given half a minute of stack time", async () => {
  setting.receiver.next = ["hang"];
  const { id } = await setting.stripe.checkout.sessions.create(order());
  const paid = setting.act(`sessions/${id}/pay`);
  await expect.poll(arrivals).toBe(1);
  expect(setting.part.busy()).toBe(true);
  setWarpOffsetMs(warpOffsetMs() + 30_000);
  await paid;
  await setting.advance(MINUTE);
  expect(statuses()).toEqual(["Error: no answer within 30 s", "200"]);
});

test("swapped with none to follow, it arrives after a day", async () => {
  setting.part.faults.order("events_swapped", 1);
  await bought(setting);
  await setting.advance(23 * HOUR);
  expect(arrivals()).toBe(0);
  await setting.advance(HOUR);
  expect(arrivals()).toBe(1);
});

test("an event can be delivered again by hand, whatever became of it", async () => {
  setting.part.faults.order("event_lost", 1);
  await bought(setting);
  await setting.part.idle();
  const listed = await fetch(`${setting.part.url}/api/payments`);
  const { payments } = (await listed.json()) as { payments: { events: { id: string }[] }[] };
  const { id } = payments[0]!.events[0]!;
  const again = () => setting.act(`events/${id}/deliver`);
  expect(await again()).toMatchObject({ outcome: "delivered", attempts: 1, last: "200" });
  expect(await again()).toMatchObject({ outcome: "delivered", attempts: 2 });
  expect((await setting.events()).map((event) => event.id)).toEqual([id, id]);
});

test("an unsettled payment is settled by the bank after three days", async () => {
  const { id } = await setting.stripe.checkout.sessions.create(order());
  await setting.act(`sessions/${id}/pay-later`);
  await setting.advance(3 * 24 * HOUR);
  expect((await setting.events()).map(({ type }) => type)).toEqual([
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
  ]);
});
