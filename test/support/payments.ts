import { randomUUID } from "node:crypto";
import { Stripe } from "stripe";
import { openOrder } from "#db/billing/payments.ts";
import { PACKS } from "#src/domain/billing/credits/packs.ts";
import { PUBLIC_BASE_URL, STRIPE, type Tenant, type TestApi } from "./api.ts";

const stripe = new Stripe(STRIPE.secretKey);

export interface StripeEvent {
  id: string;
  type: string;
  data: { object: Record<string, unknown> };
}

/** An event as Stripe would send it, of what the test says of its object. */
export const stripeEvent = (type: string, object: Record<string, unknown>): StripeEvent => ({
  id: `evt_${randomUUID().replaceAll("-", "")}`,
  type,
  data: { object },
});

/** Signs it as Stripe does and posts it; `secret` and `ageSeconds` are a forger's. */
export async function deliver(
  api: TestApi,
  event: unknown,
  { secret = STRIPE.webhookSecret, ageSeconds = 0 } = {},
): Promise<Response> {
  const payload = typeof event === "string" ? event : JSON.stringify(event);
  const timestamp = Math.floor(api.deps.clock.now().getTime() / 1000) - ageSeconds;
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return api.request("/api/v1/payments/webhook", {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body: payload,
  });
}

/** An order of the starter pack whose session Stripe has made, and its objects to make events of. */
export async function openedOrder(api: TestApi, tenant: Tenant) {
  const { deps } = api;
  const { id: packId, credits, amountCents, currency } = PACKS[0];
  const now = deps.clock.now();
  const order = await openOrder(
    deps.db,
    {
      id: deps.ids.uuid(),
      workspaceId: tenant.workspaceId,
      userId: tenant.userId,
      now,
      packId,
      credits,
      amountCents,
      currency,
      successUrl: "https://app.test/paid",
      cancelUrl: "https://app.test/",
      clickKey: randomUUID(),
      expiresAt: new Date(now.getTime() + 86_400_000),
      checkAt: new Date(now.getTime() + 900_000),
    },
    now,
  );
  const mark = randomUUID().slice(0, 8);
  const paymentId = `pi_${mark}`;
  return {
    id: order!.id,
    sessionId: `cs_${mark}`,
    paymentId,
    /** The checkout session: paid, unless it is said otherwise. */
    session: (more: Record<string, unknown> = {}) => ({
      id: `cs_${mark}`,
      object: "checkout.session",
      url: null,
      status: "complete",
      payment_status: "paid",
      client_reference_id: order!.id,
      metadata: { order_id: order!.id, pack_id: packId, workspace_id: tenant.workspaceId },
      amount_total: amountCents,
      currency,
      payment_intent: paymentId,
      ...more,
    }),
    refund: (id: string, amount: number, more: Record<string, unknown> = {}) => ({
      id: `re_${id}_${mark}`,
      object: "refund",
      amount,
      currency,
      status: "succeeded",
      payment_intent: paymentId,
      ...more,
    }),
    dispute: (id: string, amount: number, more: Record<string, unknown> = {}) => ({
      id: `dp_${id}_${mark}`,
      object: "dispute",
      amount,
      currency,
      status: "needs_response",
      payment_intent: paymentId,
      balance_transactions: [{}],
      ...more,
    }),
  };
}

export const balanceOf = async (
  tenant: Tenant,
): Promise<{ available: number; held: number; owed: number; plan: string }> =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body;

/** What the entries of the ledger say the balance must be. */
export async function ledgerOf(api: TestApi, { workspaceId }: Tenant) {
  const { rows } = await api.sql.query(
    `select coalesce(sum(available_delta), 0)::int as available, coalesce(sum(held_delta), 0)::int as held,
       coalesce(sum(owed_delta), 0)::int as owed from credit_entries where workspace_id = $1`,
    [workspaceId],
  );
  return rows[0] as { available: number; held: number; owed: number };
}

/** From now on the service is told what happens at Stripe. */
export function connectWebhook({ payments, request }: TestApi): void {
  payments.sendEventsTo({
    url: `${PUBLIC_BASE_URL}/api/v1/payments/webhook`,
    fetch: (url, init) => request(new URL(url as string).pathname, init),
  });
}

/** What a buyer, a bank or an operator does at Stripe: the buttons of its pages. */
export async function atStripe({ payments }: TestApi, path: string, body: unknown = {}) {
  const response = await fetch(`${payments.url}/api/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await payments.idle();
  return (await response.json()) as { id: string };
}

/** The charge that paid the session. */
export async function chargeOf({ payments }: TestApi, sessionId: string): Promise<string> {
  const listed = (await (await fetch(`${payments.url}/api/payments`)).json()) as {
    payments: { id: string; charges: { id: string }[] }[];
  };
  return listed.payments.find(({ id }) => id === sessionId)!.charges.at(-1)!.id;
}

export const STARTER = {
  pack_id: "starter",
  success_url: "https://app.test/paid?session={CHECKOUT_SESSION_ID}",
  cancel_url: "https://app.test/credits",
};

export const purchase = (tenant: Tenant, more: Record<string, unknown> = {}) =>
  tenant.call("POST", "/api/v1/payments/purchase-credits", { ...STARTER, ...more });
