import { Stripe } from "stripe";
import type * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import { type Checkout, type Payments, PaymentsFailure } from "./index.ts";
import * as objects from "./stripe-objects.ts";

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Where the API is, without a trailing slash. */
  base: string;
}

/** Of one attempt; a caller waits for two of them at most. */
const ATTEMPT_MS = 8_000;
const RETRIES = 1;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** How old a signature may be: what Stripe's own libraries take. */
const TOLERANCE_SECONDS = 300;
/** Of one payment; no pack is refunded in more parts. */
const MOST_REVERSALS = 1_000;

/** Stripe by its own SDK, whose pinned API version is the one that the webhook has to be registered with. */
export function createStripePayments(
  settings: StripeSettings,
  fetch: typeof globalThis.fetch,
  now: () => Date,
  attemptMs = ATTEMPT_MS,
): Payments {
  const { protocol, hostname, port } = new URL(settings.base);
  const stripe = new Stripe(settings.secretKey, {
    httpClient: Stripe.createFetchHttpClient(boundedFetch(fetch)),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port === "" ? {} : { port: Number(port) }),
    timeout: attemptMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
  return {
    createSession: (checkout) =>
      read(objects.session, () =>
        stripe.checkout.sessions.create(sessionOf(checkout), { idempotencyKey: checkout.orderId }),
      ),
    async getSession(id) {
      const session = await read(objects.session, () => stripe.checkout.sessions.retrieve(id));
      if (session.state !== "processing" || session.paymentId === null) return session;
      const { paymentId } = session;
      const { status } = await read(objects.paymentIntent, () =>
        stripe.paymentIntents.retrieve(paymentId),
      );
      return FAILED.has(status) ? { ...session, state: "failed" } : session;
    },
    expireSession: (id) => read(objects.session, () => stripe.checkout.sessions.expire(id)),
    refund: ({ orderId, paymentId }) =>
      read(objects.refund, () =>
        stripe.refunds.create(
          { payment_intent: paymentId, metadata: { order_id: orderId } },
          { idempotencyKey: `refund-${orderId}` },
        ),
      ),
    async listReversals(paymentId) {
      const query = { payment_intent: paymentId, limit: 100 };
      const [refunds, disputes] = await Promise.all([
        read(objects.refund.array(), () =>
          stripe.refunds.list(query).autoPagingToArray({ limit: MOST_REVERSALS }),
        ),
        read(objects.dispute.array(), () =>
          stripe.disputes.list(query).autoPagingToArray({ limit: MOST_REVERSALS }),
        ),
      ]);
      return [...refunds, ...disputes.filter((dispute) => dispute !== null)];
    },
    async orderOf(paymentId) {
      const { metadata } = await read(objects.paymentIntent, () =>
        stripe.paymentIntents.retrieve(paymentId),
      );
      return objects.orderId.parse(metadata?.["order_id"]);
    },
    async readEvent(body, signature) {
      const { webhookSecret: secret } = settings;
      const signed = await stripe.webhooks
        .constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, undefined, now().getTime())
        .catch(() => null);
      if (signed === null) return "forged";
      const event = objects.event.safeParse(signed);
      if (!event.success) return "unreadable";
      const { id, type, data } = event.data;
      const tell = Object.hasOwn(objects.TOLD, type) ? objects.TOLD[type] : undefined;
      try {
        return { id, type, ...(tell?.(data.object) ?? { about: "nothing" }) };
      } catch {
        return "unreadable";
      }
    },
  };
}

/** States of a payment whose customer has done their part: the bank refused, and the session cannot be paid any more. */
const FAILED = new Set(["requires_payment_method", "canceled"]);

function sessionOf(checkout: Checkout): Stripe.Checkout.SessionCreateParams {
  // Refunds and disputes come with the payment, which does not inherit the session's metadata.
  const metadata = {
    order_id: checkout.orderId,
    workspace_id: checkout.workspaceId,
    pack_id: checkout.packId,
  };
  return {
    mode: "payment",
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: checkout.currency,
          unit_amount: checkout.amountCents,
          product_data: { name: `${checkout.credits} credits` },
        },
      },
    ],
    client_reference_id: checkout.orderId,
    metadata,
    payment_intent_data: { metadata },
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    expires_at: Math.floor(checkout.expiresAt.getTime() / 1000),
  };
}

/** No redirect is followed, and an answer has a greatest length; the SDK's own deadline covers the body as well. */
const boundedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (url, init) => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    const text = await readBoundedText(response, MAX_ANSWER_BYTES);
    if (text === null) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    const { status, headers } = response;
    return new Response(text === "" ? null : text, { status, headers });
  };

/** Calls Stripe and parses what it answered; everything that can go wrong is a `PaymentsFailure`. */
async function read<Schema extends z.ZodType>(
  schema: Schema,
  call: () => Promise<unknown>,
): Promise<z.output<Schema>> {
  const answer = await call().catch((error: unknown) => {
    throw failureOf(error);
  });
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PaymentsFailure("failed", "Stripe answered something else", parsed.error);
}

const REFUSED = new Set([400, 401, 402, 403]);

function failureOf(error: unknown): PaymentsFailure {
  if (!(error instanceof Stripe.errors.StripeError))
    return new PaymentsFailure("failed", "Stripe could not be asked", error);
  const { statusCode, type, code } = error;
  const told = `Stripe: ${statusCode ?? "no answer"} ${type} ${code ?? ""}`.trim();
  if (statusCode === 404) return new PaymentsFailure("not_found", told, error);
  if (statusCode !== undefined && REFUSED.has(statusCode))
    return new PaymentsFailure("refused", told, error);
  if (statusCode !== undefined && statusCode >= 500)
    return new PaymentsFailure("broken", told, error);
  const isTimeout = (error.detail as { code?: unknown } | undefined)?.code === "ETIMEDOUT";
  return new PaymentsFailure(isTimeout ? "timeout" : "failed", told, error);
}
