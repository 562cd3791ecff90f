import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import {
  bought,
  connect,
  headerOf,
  order,
  paymentsSetting,
  refusal,
  SECRET_KEY,
} from "./payments-setting.ts";

const setting = paymentsSetting();
const create = (change = {}, options = {}) =>
  setting.stripe.checkout.sessions.create(order(change), options);
const count = async () => {
  const listed = await fetch(`${setting.part.url}/api/payments`);
  return ((await listed.json()) as { total: number }).total;
};

/** A request as a program other than the SDK might make it. */
const raw = (method: string, at: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(`${setting.part.url}/v1/${at}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });

const price = (change: object) => ({
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: "usd",
        unit_amount: 1900,
        product_data: { name: "X" },
        ...change,
      },
    },
  ],
});
const inSeconds = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1000) + seconds });

const PRICE = "line_items[0][price_data]";

describe("what the stack does not know of Stripe", () => {
  test.each([
    ["unknown", { succes_url: "http://x.test" }, "succes_url"],
    ["of Stripe's, and not sent here", { locale: "en" }, "locale"],
    ["unknown within", price({ amount: 1 }), `${PRICE}[amount]`],
    ["missing", { success_url: undefined }, "success_url"],
    ["empty", { client_reference_id: "" }, "client_reference_id"],
    ["no URL", { cancel_url: "javascript:alert(1)" }, "cancel_url"],
    ["no integer", price({ unit_amount: 19.5 }), `${PRICE}[unit_amount]`],
    ["too little", price({ unit_amount: 49 }), `${PRICE}[unit_amount]`],
    ["of another mode", { mode: "subscription" }, "mode"],
    ["too soon", inSeconds(600), "expires_at"],
    ["too late", inSeconds(90_000), "expires_at"],
  ])("a parameter that is %s is refused by name", async (_, change, param) => {
    const error = await refusal(create(change));
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect([error.statusCode, error.param]).toEqual([400, param]);
    expect(error.requestId).toMatch(/^req_/);
    expect(await count()).toBe(0);
  });

  test("a parameter whose name is hostile means nothing more than itself", async () => {
    const form = "__proto__[polluted]=1&constructor[prototype][polluted]=1&mode=payment";
    for (const body of [form, "mode=payment&mode[a]=1"])
      expect((await raw("POST", "checkout/sessions", {}, body)).status).toBe(400);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a call, another version and another key are told so", async () => {
    const told = async (reply: Response) => [reply.status, await reply.text()];
    expect(await told(await raw("GET", "customers"))).toEqual([
      404,
      expect.stringContaining("GET: /v1/customers"),
    ]);
    expect(await told(await raw("GET", "refunds", { "stripe-version": "2020-08-27" }))).toEqual([
      400,
      expect.stringContaining("2020-08-27"),
    ]);
    const wrong = await refusal(connect(setting.part, "sk_test_of_another").refunds.list());
    expect(wrong).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });
});

describe("an idempotency key", () => {
  const key = { idempotencyKey: "order-1" };

  test("used for something else is refused, and forgotten after a day", async () => {
    const first = await create({}, key);
    const other = await refusal(create({ client_reference_id: "2" }, key));
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    const elsewhere = setting.stripe.checkout.sessions.expire(first.id, {}, key);
    expect((await refusal(elsewhere)).message).toContain("same endpoint");
    expect(await count()).toBe(1);
    await setting.advance(86_400);
    expect((await create({}, key)).id).not.toBe(first.id);
  });

  test("keeps an error that came of the work, and not one of the parameters", async () => {
    const refund = () =>
      refusal(
        setting.stripe.refunds.create({ payment_intent: "pi_none", metadata: { a: "b" } }, key),
      );
    expect((await refund()).statusCode).toBe(404);
    expect((await refund()).headers?.["idempotent-replayed"]).toBe("true");
    await refusal(create({ success_url: "" }, { idempotencyKey: "order-2" }));
    expect((await create({}, { idempotencyKey: "order-2" })).status).toBe("open");
  });

  test("whose answer is on its way is in use, until the caller gives up", async () => {
    setting.part.faults.order("slow", 1);
    const patience = new AbortController();
    const waiting = fetch(`${setting.part.url}/v1/checkout/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${SECRET_KEY}`, "idempotency-key": "order-1" },
      body: "mode=payment",
      signal: patience.signal,
    }).catch(() => "given up");
    await expect.poll(() => setting.part.log.entries().length).toBe(1);
    expect(await refusal(create({}, key))).toMatchObject({
      statusCode: 409,
      code: "idempotency_key_in_use",
    });
    patience.abort();
    expect(await waiting).toBe("given up");
    await expect
      .poll(() =>
        create({}, key).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe("open");
  });
});

test("what cannot be refunded, disputed, closed or expired is refused in words", async () => {
  const { session, charge } = await bought(setting);
  await expect(setting.act(`charges/${charge}/refund`, { amount: 1901 })).rejects.toThrow(
    "greater",
  );
  await setting.act(`charges/${charge}/dispute`);
  await expect(setting.act(`charges/${charge}/refund`)).rejects.toThrow("charged back");
  await expect(setting.act(`charges/${charge}/dispute`)).rejects.toThrow("disputed already");
  const [{ id } = expect.unreachable()] = (await setting.stripe.disputes.list()).data;
  await setting.act(`disputes/${id}/close`, { status: "won" });
  await expect(setting.act(`disputes/${id}/close`, { status: "lost" })).rejects.toThrow("is won");
  const refund = String((await setting.act(`charges/${charge}/refund`))["id"]);
  await expect(setting.act(`charges/${charge}/refund`)).rejects.toThrow("already been refunded");
  await setting.act(`refunds/${refund}/fail`);
  await expect(setting.act(`refunds/${refund}/fail`)).rejects.toThrow("failed already");
  const expired = setting.stripe.checkout.sessions.expire(session);
  expect((await refusal(expired)).message).toContain("status of complete");
});

test("a list comes newest first, in pages", async () => {
  const { charge, intent } = await bought(setting);
  const made: string[] = [];
  for (const amount of [100, 200, 300])
    made.unshift(String((await setting.act(`charges/${charge}/refund`, { amount }))["id"]));
  await setting.act(`charges/${(await bought(setting)).charge}/refund`);
  const query = { payment_intent: intent, limit: 2 };
  const all = await setting.stripe.refunds.list(query).autoPagingToArray({ limit: 100 });
  expect(all.map(({ id }) => id)).toEqual(made);
});

test("what is kept outlives the process: sessions, keys, and events that did not go out yet", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-payments-"));
  const stateFile = path.join(folder, "payments.jsonl");
  const before = await setting.open({ stateFile });
  const asked = order();
  const { id } = await connect(before).checkout.sessions.create(asked, { idempotencyKey: "k" });
  await fetch(`${before.url}/api/sessions/${id}/pay`, { method: "POST" });
  await before.close();
  const after = await setting.open({ stateFile });
  const again = await connect(after).checkout.sessions.create(asked, { idempotencyKey: "k" });
  expect(again.id).toBe(id);
  expect(headerOf(again, "idempotent-replayed")).toBe("true");
  after.sendEventsTo({ url: setting.receiver.url });
  await after.idle();
  expect(await setting.events()).toMatchObject([
    { type: "checkout.session.completed", data: { object: { id, payment_status: "paid" } } },
  ]);
  fs.rmSync(folder, { recursive: true });
});
