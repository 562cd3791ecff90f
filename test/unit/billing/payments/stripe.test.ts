import { expect, test } from "vitest";
import { createStripePayments } from "#src/providers/payments/stripe.ts";

const settings = { secretKey: "sk_test", webhookSecret: "whsec_test", base: "https://stripe.test" };

/** Stripe as one answer to everything. */
const answering = (body: BodyInit, init: ResponseInit = {}) =>
  createStripePayments(
    settings,
    async () => new Response(body, init),
    () => new Date(),
    1_000,
  );

const session = {
  id: "cs_1",
  url: "https://pay.test/",
  status: "open",
  payment_status: "unpaid",
  client_reference_id: "018f2f1e-0000-7000-8000-000000000000",
  metadata: { pack_id: "starter" },
  amount_total: 1900,
  currency: "USD",
  payment_intent: null,
};

test("a session is read whatever else is in it, and who is expanded", async () => {
  const paid = { ...session, status: "complete", payment_status: "paid", later: { field: [1] } };
  const text = JSON.stringify({
    ...paid,
    payment_intent: { id: "pi_1", object: "payment_intent" },
  });
  expect(await answering(text).getSession("cs_1")).toEqual({
    id: "cs_1",
    url: "https://pay.test/",
    state: "paid",
    orderId: session.client_reference_id,
    packId: "starter",
    amountCents: 1900,
    currency: "usd",
    paymentId: "pi_1",
  });
});

test("a payment of another program of the account is read, however many rupiah it was", async () => {
  const other = { ...session, metadata: {}, amount_total: 2_500_000_000, currency: "IDR" };
  const read = await answering(JSON.stringify(other)).getSession("cs_1");
  expect(read).toMatchObject({ amountCents: 2_500_000_000, currency: "idr" });
});

const failed = { error: { type: "invalid_request_error" } };
const elsewhere = { status: 302, headers: { location: "https://evil.test" } };

test.each([
  ["a page of HTML", "<!doctype html>", {}, "failed"],
  ["an object of another kind", JSON.stringify({ ...session, status: "paused" }), {}, "failed"],
  [
    "amounts that are no whole numbers",
    JSON.stringify({ ...session, amount_total: 19.5 }),
    {},
    "failed",
  ],
  ["an empty answer", "", {}, "failed"],
  ["an answer without end", "[".repeat(3 * 1024 * 1024), {}, "failed"],
  ["an address elsewhere", "", elsewhere, "failed"],
  ["an unknown id", JSON.stringify(failed), { status: 404 }, "not_found"],
  ["a wrong key", JSON.stringify(failed), { status: 401 }, "refused"],
  [
    "a key in use",
    JSON.stringify({ error: { type: "idempotency_error" } }),
    { status: 409 },
    "failed",
  ],
  ["too many requests", JSON.stringify({ error: {} }), { status: 429 }, "failed"],
])("%s is a failure of its kind", async (_, body, init, kind) => {
  await expect(answering(body, init).getSession("cs_1")).rejects.toMatchObject({ kind });
});
