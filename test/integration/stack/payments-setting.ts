import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";
import { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  type Payments,
  type PaymentsOptions,
  startPayments,
} from "../../../scripts/stack/payments/payments.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export const SECRET_KEY = "sk_test_0123456789abcdefghij";
export const WEBHOOK_SECRET = "whsec_0123456789abcdefghij";

/** Stripe's own SDK, pointed at the part as the service points it. */
export function connect(part: Payments, key = SECRET_KEY): Stripe {
  const { hostname, port } = new URL(part.url);
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: "http",
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

export interface Setting {
  part: Payments;
  stripe: Stripe;
  /** The endpoint of the events. */
  receiver: Receiver;
  /** Opens a further part, closed after the test. */
  open(options?: Partial<PaymentsOptions>): Promise<Payments>;
  /** A call as the pages make it; throws on a refusal. */
  act(path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Moves the clock as the stack does: stops at everything that falls due on the way. */
  advance(seconds: number): Promise<void>;
  /** The events that arrived, as the SDK reads them; throws on a bad signature. */
  events(): Promise<Stripe.Event[]>;
}

/** A fresh part for each test of the file, and an endpoint that takes its events. */
export function paymentsSetting(): Setting {
  const opened: Payments[] = [];
  const setting = {
    async open(options: Partial<PaymentsOptions> = {}) {
      const part = await startPayments({
        secretKey: SECRET_KEY,
        webhookSecret: WEBHOOK_SECRET,
        ...options,
      });
      opened.push(part);
      return part;
    },
    async act(path, body = {}) {
      const request = { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(`${setting.part.url}/api/${path}`, request);
      const answer = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw new Error(`${response.status}: ${String(answer["error"])}`);
      return answer;
    },
    async advance(seconds) {
      const target = Date.now() + seconds * 1000;
      for (;;) {
        await setting.part.idle();
        const next = setting.part.nextDueAt()?.getTime() ?? Infinity;
        setWarpOffsetMs(warpOffsetMs() + Math.max(0, Math.min(next, target) - Date.now()));
        if (next > target) break;
      }
      await setting.part.idle();
    },
    events: () =>
      Promise.all(
        setting.receiver.received.map(({ body, headers }) =>
          setting.stripe.webhooks.constructEventAsync(
            body,
            String(headers["stripe-signature"]),
            WEBHOOK_SECRET,
            // The tests look at events of days ago; the age has tests of its own.
            Number.MAX_SAFE_INTEGER,
          ),
        ),
      ),
  } as Setting;

  beforeAll(async () => {
    setting.receiver = await startReceiver();
  });
  afterAll(() => setting.receiver.close());
  beforeEach(async () => {
    setting.receiver.reset();
    setting.part = await setting.open();
    setting.part.sendEventsTo({ url: `${setting.receiver.url}/webhook` });
    setting.stripe = connect(setting.part);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((part) => part.close()));
  });
  return setting;
}

/** A purchase as the service makes it. */
export function order(
  change: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "payment",
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: "usd",
          unit_amount: 1900,
          product_data: { name: "1000 credits" },
        },
      },
    ],
    client_reference_id: "order-1",
    metadata: { order_id: "order-1" },
    payment_intent_data: { metadata: { order_id: "order-1" } },
    success_url: "http://shop.test/done?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://shop.test/credits",
    expires_at: Math.floor(Date.now() / 1000) + 86_400,
    ...change,
  };
}

/** Creates a session and pays it; the ids of what came about. */
export async function bought({ stripe, act }: Setting, change = {}) {
  const { id: session } = await stripe.checkout.sessions.create(order(change));
  await act(`sessions/${session}/pay`);
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session);
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(String(intent));
  return { session, intent: String(intent), charge: String(charge) };
}

/** With the fetch client, `lastResponse` is the response itself. */
export function headerOf(answer: { lastResponse: unknown }, name: string): string | null {
  return (answer.lastResponse as Response).headers.get(name);
}

/** What the SDK threw. */
export async function refusal(work: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return await work.then(
    (value) => {
      throw new Error(`not refused: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as Stripe.errors.StripeError,
  );
}
