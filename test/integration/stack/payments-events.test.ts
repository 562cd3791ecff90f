import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { signatureOf } from "../../../scripts/stack/payments/signature.ts";
import { bought, order, paymentsSetting, refusal, WEBHOOK_SECRET } from "./payments-setting.ts";

const setting = paymentsSetting();
const MINUTE = 60;
const HOUR = 3600;

/** What the service does with the delivery of that number: the SDK's check, with its usual tolerance. */
function check(index: number, secret = WEBHOOK_SECRET) {
  const delivery = setting.receiver.received[index];
  const signature = String(delivery?.headers["stripe-signature"]);
  return setting.stripe.webhooks.constructEventAsync(delivery?.body ?? "", signature, secret);
}
const statuses = () =>
  setting.part.log
    .entries()
    .map(({ summary }) => /^deliver .* -> (.*)$/.exec(summary)?.[1])
    .filter((status) => status !== undefined);
const arrivals = () => setting.receiver.received.length;

describe("an event", () => {
  test("is of Stripe's shape, and its signature is the SDK's", async () => {
    const { session } = await bought(setting);
    await setting.part.idle();
    const event = await check(0);
    expect(event).toMatchObject({
      object: "event",
      type: "checkout.session.completed",
      api_version: Stripe.API_VERSION,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: { id: session, object: "checkout.session", payment_status: "paid" } },
    });
    expect(event.id).toMatch(/^evt_/);
    await expect(check(0, "whsec_of_somebody_else")).rejects.toThrow("No signatures found");
    const at = Math.floor(Date.now() / 1000);
    expect(signatureOf("{}", WEBHOOK_SECRET, at)).toBe(
      await setting.stripe.webhooks.generateTestHeaderStringAsync({
        payload: "{}",
        secret: WEBHOOK_SECRET,
        timestamp: at,
      }),
    );
  });

  test("stands in the list as it was then, delivered or not", async () => {
    const { session } = await bought(setting);
    await setting.part.idle();
    const { data } = await setting.stripe.events.list();
    expect(data.map(({ type }) => type)).toEqual([
      "checkout.session.completed",
      "payment_intent.succeeded",
      "charge.succeeded",
    ]);
    const wanted = await setting.stripe.events.list({ types: ["checkout.session.completed"] });
    expect(wanted.data).toMatchObject([{ pending_webhooks: 0, data: { object: { id: session } } }]);
    expect((await setting.stripe.events.list({ delivery_success: false })).data).toHaveLength(2);
    expect(await setting.stripe.events.retrieve(data[0]?.id ?? "")).toEqual(data[0]);
    expect((await refusal(setting.stripe.events.retrieve("evt_none"))).statusCode).toBe(404);
  });

  test("waits while there is no endpoint", async () => {
    setting.part.sendEventsTo(null);
    await bought(setting);
    await setting.advance(HOUR);
    expect(arrivals()).toBe(0);
    setting.part.sendEventsTo({ url: setting.receiver.url });
    await setting.part.idle();
    expect(arrivals()).toBe(1);
  });

  test("is not led astray by a redirect", async () => {
    setting.receiver.next = [{ status: 302, headers: { location: setting.receiver.url } }];
    await bought(setting);
    await setting.part.idle();
    expect([arrivals(), statuses()]).toEqual([1, ["302"]]);
  });
});

describe("an event that is not taken", () => {
  test("comes again with the same id and a fresh signature, later each time, until it is taken", async () => {
    setting.receiver.next = [{ status: 500 }, { status: 404 }, { status: 400 }];
    await bought(setting);
    await setting.advance(HOUR);
    const times = setting.receiver.received.map(({ at }) => at.getTime());
    const gaps = times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000));
    expect(gaps).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE]);
    expect(statuses()).toEqual(["500", "404", "400", "200"]);
    const ids = (await setting.events()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    const signatures = setting.receiver.received.map(({ headers }) => headers["stripe-signature"]);
    expect(new Set(signatures).size).toBe(4);
  });

  test("is given up after three days, and still listed", async () => {
    setting.receiver.always = { status: 500 };
    const { session } = await bought(setting);
    await setting.advance(7 * 24 * HOUR);
    const [first, last] = [setting.receiver.received[0], setting.receiver.received.at(-1)];
    const hours = ((last?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)) / 3_600_000;
    expect(hours).toBeGreaterThan(60);
    expect(hours).toBeLessThanOrEqual(72);
    expect(setting.part.nextDueAt()).toBeNull();
    const { data } = await setting.stripe.events.list({ type: "checkout.session.completed" });
    expect(data).toMatchObject([{ data: { object: { id: session } } }]);
  });

  test("because nobody answers is tried again", async () => {
    const { url } = setting.receiver;
    setting.part.sendEventsTo({ url: "http://127.0.0.1:1/" });
    await bought(setting);
    await setting.part.idle();
    setting.part.sendEventsTo({ url });
    await setting.advance(MINUTE);
    expect(statuses()).toHaveLength(2);
    expect(statuses()[1]).toBe("200");
  });

  test("because the endpoint hangs is given half a minute of stack time", async () => {
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
});

describe("a fault", () => {
  test("event_twice: it arrives twice, with one id", async () => {
    setting.part.faults.order("event_twice", 1);
    await bought(setting);
    await setting.part.idle();
    const ids = (await setting.events()).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  test("events_swapped: with none to follow, it arrives after a day", async () => {
    setting.part.faults.order("events_swapped", 1);
    await bought(setting);
    await setting.advance(23 * HOUR);
    expect(arrivals()).toBe(0);
    await setting.advance(HOUR);
    expect(arrivals()).toBe(1);
  });
});

test("an event can be delivered again by hand, whatever became of it", async () => {
  setting.part.faults.order("event_lost", 1);
  await bought(setting);
  await setting.part.idle();
  const { data } = await setting.stripe.events.list({ type: "checkout.session.completed" });
  const again = () => setting.act(`events/${data[0]?.id}/deliver`);
  expect(await again()).toMatchObject({ outcome: "delivered", attempts: 1, last: "200" });
  expect(await again()).toMatchObject({ outcome: "delivered", attempts: 2 });
  expect((await setting.events()).map(({ id }) => id)).toEqual([data[0]?.id, data[0]?.id]);
});

test("a buyer is led back when the endpoint has heard of the payment", async () => {
  const { id } = await setting.stripe.checkout.sessions.create(order());
  expect(await setting.act(`sessions/${id}/pay`)).toEqual({
    redirect_url: `http://shop.test/done?session=${id}`,
  });
  expect(statuses()).toEqual(["200"]);
});
