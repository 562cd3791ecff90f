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
const sessions = () => setting.stripe.checkout.sessions;

describe("a session", () => {
  test("says what was asked for, and leads to a page", async () => {
    const session = await sessions().create(order());
    expect(session).toMatchObject({
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      amount_total: 1900,
      currency: "usd",
      client_reference_id: "order-1",
      metadata: { order_id: "order-1" },
      payment_intent: null,
      livemode: false,
      success_url: "http://shop.test/done?session={CHECKOUT_SESSION_ID}",
      url: `${setting.part.url}/pay/${session.id}`,
    });
    expect(session.expires_at - session.created).toBe(86_400);
    expect(session.lastResponse.apiVersion).toBe(Stripe.API_VERSION);
    expect(session.lastResponse.requestId).toMatch(/^req_/);
    expect(await sessions().retrieve(session.id)).toMatchObject({ id: session.id, status: "open" });
    const items = await sessions().listLineItems(session.id);
    expect(items.data).toMatchObject([{ description: "Starter", amount_total: 1900, quantity: 1 }]);
  });

  test("that is paid has an intent and a charge, which carry the intent's metadata", async () => {
    const { session, intent, charge } = await bought(setting);
    expect(await sessions().retrieve(session)).toMatchObject({
      status: "complete",
      payment_status: "paid",
      url: null,
    });
    const wanted = { amount: 1900, currency: "usd", metadata: { order_id: "order-1" } };
    const paid = await setting.stripe.paymentIntents.retrieve(intent);
    expect(paid).toMatchObject({ ...wanted, status: "succeeded", amount_received: 1900 });
    const charges = await setting.stripe.charges.list({ payment_intent: intent });
    expect(charges.data).toMatchObject([{ ...wanted, id: charge, paid: true, refunded: false }]);
    const found = await sessions().list({ payment_intent: intent });
    expect(found.data.map(({ id }) => id)).toEqual([session]);
  });

  test("is expanded along the paths that are asked for", async () => {
    const { session, charge } = await bought(setting);
    await setting.stripe.refunds.create({ charge, amount: 100 });
    const expanded = await sessions().retrieve(session, {
      expand: ["payment_intent.latest_charge.refunds", "line_items"],
    });
    expect(expanded.line_items?.data).toHaveLength(1);
    expect(expanded.payment_intent).toMatchObject({
      latest_charge: { id: charge, refunds: { data: [{ amount: 100 }] } },
    });
    const error = await refusal(sessions().retrieve(session, { expand: ["__proto__"] }));
    expect(error.message).toContain("cannot be expanded");
  });

  test("that is declined stays open, and can be paid after all", async () => {
    const { id } = await sessions().create(order());
    await setting.act(`sessions/${id}/decline`);
    const declined = await sessions().retrieve(id, { expand: ["payment_intent"] });
    expect(declined).toMatchObject({
      status: "open",
      payment_intent: {
        status: "requires_payment_method",
        last_payment_error: { code: "card_declined" },
      },
    });
    await setting.act(`sessions/${id}/pay`);
    const paid = await sessions().retrieve(id, { expand: ["payment_intent"] });
    const { id: intent } = declined.payment_intent as Stripe.PaymentIntent;
    expect(paid).toMatchObject({
      status: "complete",
      payment_intent: { id: intent, status: "succeeded" },
    });
    const { data: charges } = await setting.stripe.charges.list();
    expect(charges.map(({ status }) => status)).toEqual(["succeeded", "failed"]);
  });

  test("over nothing needs no payment", async () => {
    const free = { currency: "usd", unit_amount: 0, product_data: { name: "Gift" } };
    const { id } = await sessions().create(order({ line_items: [{ price_data: free }] }));
    await setting.act(`sessions/${id}/pay`);
    expect(await sessions().retrieve(id)).toMatchObject({
      payment_status: "no_payment_required",
      payment_intent: null,
    });
  });

  test("is expired by a call or by its time, once, and cannot be paid then", async () => {
    const first = await sessions().create(order());
    expect(await sessions().expire(first.id)).toMatchObject({ status: "expired", url: null });
    expect((await refusal(sessions().expire(first.id))).message).toContain("status of expired");
    const second = await sessions().create(
      order({ expires_at: Math.floor(Date.now() / 1000) + 1800 }),
    );
    await setting.advance(1801);
    expect(await sessions().retrieve(second.id)).toMatchObject({ status: "expired" });
    await expect(setting.act(`sessions/${second.id}/pay`)).rejects.toThrow("422");
    expect((await setting.events()).map(({ type }) => type)).toEqual([
      "checkout.session.expired",
      "checkout.session.expired",
    ]);
  });

  test("that is paid later is unpaid until the bank settles it, by itself after three days", async () => {
    const { id } = await sessions().create(order());
    await setting.act(`sessions/${id}/pay-later`);
    expect(await sessions().retrieve(id)).toMatchObject({
      status: "complete",
      payment_status: "unpaid",
    });
    await setting.advance(3 * 86_400);
    expect(await sessions().retrieve(id)).toMatchObject({ payment_status: "paid" });
    expect((await setting.events()).map(({ type }) => type)).toEqual([
      "checkout.session.completed",
      "checkout.session.async_payment_succeeded",
    ]);
  });

  test("that is paid later may be refused by the bank", async () => {
    const [told, ordered] = [await sessions().create(order()), await sessions().create(order())];
    await setting.act(`sessions/${told.id}/pay-later`);
    await setting.act(`sessions/${told.id}/settle`, { outcome: "failed" });
    await setting.act(`sessions/${ordered.id}/pay-later`);
    setting.part.faults.order("bank_refuses", 1);
    await setting.advance(3 * 86_400);
    for (const { id } of [told, ordered]) {
      expect(await sessions().retrieve(id, { expand: ["payment_intent"] })).toMatchObject({
        status: "complete",
        payment_status: "unpaid",
        payment_intent: { status: "requires_payment_method" },
      });
    }
    const types = (await setting.events()).map(({ type }) => type);
    expect(types.filter((type) => type.endsWith("payment_failed"))).toHaveLength(2);
  });
});

describe("lists", () => {
  test("come newest first, in pages, by time", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift((await sessions().create(order())).id);
    const first = await sessions().list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const rest = await sessions().list({ limit: 3, starting_after: ids[1] ?? "" });
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(rest.has_more).toBe(false);
    const before = await sessions().list({ limit: 2, ending_before: ids[3] ?? "" });
    expect(before.data.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    const all = await sessions().list({ limit: 2 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(ids);
    const later = Math.floor(Date.now() / 1000) + 10;
    expect((await sessions().list({ created: { gte: later } })).data).toEqual([]);
    expect((await sessions().list({ created: { lt: later } })).data).toHaveLength(5);
    const error = await refusal(sessions().list({ starting_after: "cs_none" }));
    expect(error).toMatchObject({ code: "resource_missing", param: "starting_after" });
  });
});

describe("what is kept", () => {
  test("outlives the process: sessions, keys, and events that did not go out yet", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-payments-"));
    const stateFile = path.join(folder, "payments.jsonl");
    const before = await setting.open({ stateFile });
    const { id } = await connect(before).checkout.sessions.create(order(), { idempotencyKey: "k" });
    await fetch(`${before.url}/api/sessions/${id}/pay`, { method: "POST" });
    await before.close();
    const after = await setting.open({ stateFile });
    const again = await connect(after).checkout.sessions.create(order(), { idempotencyKey: "k" });
    expect(again.id).toBe(id);
    expect(headerOf(again, "idempotent-replayed")).toBe("true");
    after.sendEventsTo({ url: setting.receiver.url });
    await after.idle();
    expect(await setting.events()).toMatchObject([
      { type: "checkout.session.completed", data: { object: { id, payment_status: "paid" } } },
    ]);
    fs.rmSync(folder, { recursive: true });
  });
});

test("the balance is what was paid less what went back", async () => {
  const { charge } = await bought(setting);
  await setting.stripe.refunds.create({ charge, amount: 400 });
  expect((await setting.stripe.balance.retrieve()).available).toEqual([
    { amount: 1500, currency: "usd" },
  ]);
});

test("the key is asked for, as a bearer's or as a user's name", async () => {
  const wrong = await refusal(connect(setting.part, "sk_test_of_somebody_else").balance.retrieve());
  expect(wrong).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  const at = `${setting.part.url}/v1/balance`;
  expect((await fetch(at)).status).toBe(401);
  const authorization = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString("base64")}`;
  expect((await fetch(at, { headers: { authorization } })).status).toBe(200);
});
