import { Stripe } from "stripe";
import { describe, expect, test } from "vitest";
import { headerOf, order, paymentsSetting, refusal, SECRET_KEY } from "./payments-setting.ts";

const setting = paymentsSetting();
const create = (change = {}, options = {}) =>
  setting.stripe.checkout.sessions.create(order(change), options);
const count = async () => (await setting.stripe.checkout.sessions.list()).data.length;

/** A request as a program other than the SDK might make it. */
function raw(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
) {
  return fetch(`${setting.part.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    signal,
    ...(body === undefined ? {} : { body }),
  });
}

const price = (change: object) => ({
  line_items: [
    { price_data: { currency: "usd", unit_amount: 1900, product_data: { name: "X" }, ...change } },
  ],
});
const inSeconds = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1000) + seconds });

const PRICE = "line_items[0][price_data]";

describe("a parameter", () => {
  test.each([
    ["unknown", { succes_url: "http://x.test" }, "parameter_unknown", "succes_url"],
    ["unknown within", price({ amount: 1 }), "parameter_unknown", `${PRICE}[amount]`],
    ["missing", { success_url: undefined }, "parameter_missing", "success_url"],
    ["missing items", { line_items: undefined }, "parameter_missing", "line_items"],
    ["missing within", price({ product_data: {} }), "parameter_missing", `${PRICE}[product_data]`],
    ["empty", { client_reference_id: "" }, "parameter_invalid_empty", "client_reference_id"],
    ["no URL", { success_url: "not a url" }, "url_invalid", "success_url"],
    ["of another scheme", { cancel_url: "javascript:alert(1)" }, "url_invalid", "cancel_url"],
    [
      "no integer",
      price({ unit_amount: 19.5 }),
      "parameter_invalid_integer",
      `${PRICE}[unit_amount]`,
    ],
    ["negative", price({ unit_amount: -1 }), "parameter_invalid_integer", `${PRICE}[unit_amount]`],
    ["too little", price({ unit_amount: 49 }), "amount_too_small", undefined],
    ["of another currency", price({ currency: "xxx" }), undefined, `${PRICE}[currency]`],
    ["of another mode", { mode: "subscription" }, undefined, "mode"],
    ["too soon", inSeconds(600), undefined, "expires_at"],
    ["too late", inSeconds(90_000), undefined, "expires_at"],
    ["too long", { metadata: { key: "x".repeat(501) } }, undefined, "metadata[key]"],
  ])("that is %s is refused by name", async (_, change, code, param) => {
    const error = await refusal(create(change));
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
    expect([error.statusCode, error.code, error.param]).toEqual([400, code, param]);
    expect(error.requestId).toMatch(/^req_/);
    expect(await count()).toBe(0);
  });

  test("whose name is hostile means nothing more than itself", async () => {
    const form = "__proto__[polluted]=1&constructor[prototype][polluted]=1&mode=payment";
    expect((await raw("POST", "/v1/checkout/sessions", form)).status).toBe(400);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const nested = `a${"[b]".repeat(5000)}=1`;
    expect((await raw("POST", "/v1/checkout/sessions", nested)).status).toBe(400);
    const many = Array.from({ length: 5000 }, (_, index) => `k${index}=1`).join("&");
    const refused = await raw("POST", "/v1/checkout/sessions", many);
    expect(await refused.text()).toContain("too many parameters");
    expect((await raw("POST", "/v1/checkout/sessions", "mode=payment&mode[a]=1")).status).toBe(400);
    expect((await raw("POST", "/v1/checkout/sessions", "x".repeat(2_000_000))).status).toBe(413);
  });

  test("of an address that is not there, or in another version's shape, is not guessed at", async () => {
    expect((await raw("GET", "/v1/customers")).status).toBe(404);
    expect((await raw("DELETE", "/v1/balance")).status).toBe(404);
    const old = await raw("GET", "/v1/balance", undefined, { "stripe-version": "2020-08-27" });
    expect([old.status, await old.text()]).toEqual([400, expect.stringContaining("2020-08-27")]);
  });
});

describe("an idempotency key", () => {
  test("gives the same answer again, and makes one session", async () => {
    const first = await create({}, { idempotencyKey: "order-1" });
    expect(headerOf(first, "idempotent-replayed")).toBeNull();
    const again = await create({}, { idempotencyKey: "order-1" });
    expect(again).toEqual(first);
    expect(headerOf(again, "idempotent-replayed")).toBe("true");
    expect(await count()).toBe(1);
  });

  test("used for something else is refused", async () => {
    await create({}, { idempotencyKey: "order-1" });
    const other = await refusal(
      create({ client_reference_id: "2" }, { idempotencyKey: "order-1" }),
    );
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(other.message).toContain("same parameters");
    const elsewhere = setting.stripe.refunds.create({ charge: "c" }, { idempotencyKey: "order-1" });
    expect((await refusal(elsewhere)).message).toContain("same endpoint");
    expect(await count()).toBe(1);
  });

  test("keeps an error that came of the work, and not one of the parameters", async () => {
    const nobody = { charge: "ch_none" };
    const first = await refusal(setting.stripe.refunds.create(nobody, { idempotencyKey: "r" }));
    const again = await refusal(setting.stripe.refunds.create(nobody, { idempotencyKey: "r" }));
    expect([first.statusCode, again.statusCode]).toEqual([404, 404]);
    expect(again.headers?.["idempotent-replayed"]).toBe("true");
    await refusal(create({ success_url: "" }, { idempotencyKey: "order-1" }));
    expect((await create({}, { idempotencyKey: "order-1" })).status).toBe("open");
  });

  test("is forgotten after a day", async () => {
    const first = await create({}, { idempotencyKey: "order-1" });
    await setting.advance(86_400);
    expect((await create({}, { idempotencyKey: "order-1" })).id).not.toBe(first.id);
  });

  test("whose answer is on its way is in use, until the caller has it or gives up", async () => {
    const form = [
      "mode=payment&success_url=http://x.test/&line_items[0][price_data][currency]=usd",
      "line_items[0][price_data][unit_amount]=1900",
      "line_items[0][price_data][product_data][name]=X",
    ].join("&");
    const patience = new AbortController();
    const send = (signal?: AbortSignal) =>
      raw("POST", "/v1/checkout/sessions", form, { "idempotency-key": "order-1" }, signal);
    setting.part.faults.order("slow", 1);
    const waiting = send(patience.signal).catch(() => "given up");
    await expect.poll(() => setting.part.log.entries().length).toBe(1);
    const refused = await send();
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: "idempotency_key_in_use" } });
    patience.abort();
    expect(await waiting).toBe("given up");
    await expect.poll(async () => (await send()).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test("used by twenty at once makes one session", async () => {
    const all = Array.from({ length: 20 }, () => create({}, { idempotencyKey: "order-1" }));
    const ids = (await Promise.all(all)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(await count()).toBe(1);
  });
});

describe("a fault", () => {
  const order1 = { idempotencyKey: "order-1" };

  test.each(["down", "server_error", "rate_limited"])(
    "%s: nothing is done, and the next try is right",
    async (fault) => {
      setting.part.faults.order(fault, 1);
      await refusal(create({}, order1));
      expect(await count()).toBe(0);
      expect(headerOf(await create({}, order1), "idempotent-replayed")).toBeNull();
    },
  );

  test.each(["lost_answer", "garbage"])(
    "%s: it is done, and the next try finds it",
    async (fault) => {
      setting.part.faults.order(fault, 1);
      await refusal(create({}, order1));
      expect(await count()).toBe(1);
      expect(headerOf(await create({}, order1), "idempotent-replayed")).toBe("true");
      expect(await count()).toBe(1);
    },
  );

  test("server_error_kept: the key is spent, and another one works", async () => {
    setting.part.faults.order("server_error_kept", 1);
    expect((await refusal(create({}, order1))).statusCode).toBe(500);
    expect((await refusal(create({}, order1))).statusCode).toBe(500);
    expect((await create({}, { idempotencyKey: "order-2" })).status).toBe("open");
    expect(await count()).toBe(1);
  });
});
