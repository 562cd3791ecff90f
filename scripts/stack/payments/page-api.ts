import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { pageFile } from "../mailbox/page-api.ts";
import {
  type Answer,
  type HttpRequest,
  json,
  notFound,
  type Route,
  route,
} from "../mailbox/routes.ts";
import type { State } from "./books.ts";
import { money } from "./currencies.ts";
import { closeDispute, DISPUTE_REASONS, openDispute } from "./disputes.ts";
import { StripeRefusal } from "./errors.ts";
import type { Deliveries } from "./deliveries.ts";
import { type Checkout, nobody } from "./model.ts";
import { disputesOf, refundedOf } from "./objects/charge.ts";
import { decline, pay, payLater, settle } from "./paying.ts";
import { failRefund, refundCharge } from "./refunds.ts";

/** Stripe's page waits this long for the endpoint to take the news before it leads back; real time. */
const WAIT_FOR_ENDPOINT_MS = 10_000;
/** How many of the newest payments the page lists. */
const LISTED = 200;

const file = (path: string, name: string, type: string) =>
  pageFile(path, new URL(`./page/${name}`, import.meta.url), type);

/** The hosted page, the page of payments, and what a buyer, a bank or an operator does, as calls. */
export function pageApi(state: State, deliveries: Deliveries): Route[] {
  const { books } = state;

  /** Answers for the record that the path names; 404 without it, 422 for what cannot be. */
  const on =
    <Row>(
      table: { get(id: string): Row | undefined },
      act: (row: Row, request: HttpRequest) => unknown,
    ) =>
    async (request: HttpRequest): Promise<Answer> => {
      const row = table.get(request.captured[0] ?? "");
      if (row === undefined) return notFound();
      try {
        return json(await act(row, request));
      } catch (error) {
        if (!(error instanceof StripeRefusal || error instanceof z.ZodError)) throw error;
        const words = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
        return json({ error: words }, 422);
      }
    };

  /** Leads back when the endpoint has heard of it, as far as it is there. */
  const leadBack = async (eventId: string, { id, asked }: Checkout) => {
    await Promise.race([deliveries.attempted(eventId), delay(WAIT_FOR_ENDPOINT_MS)]);
    return { redirect_url: asked.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id) };
  };

  return [
    file("/", "payments.html", "text/html; charset=utf-8"),
    file("/pay/[A-Za-z0-9_]+", "pay.html", "text/html; charset=utf-8"),
    file("/style.css", "style.css", "text/css; charset=utf-8"),
    file("/pay.js", "pay.js", "text/javascript; charset=utf-8"),
    file("/payments.js", "payments.js", "text/javascript; charset=utf-8"),
    file("/dom.js", "../../mailbox/page/dom.js", "text/javascript; charset=utf-8"),
    route("GET", "/api/payments", () => json(listed(state))),
    route(
      "GET",
      "/api/sessions/([^/]+)",
      on(books.checkouts, (row) => shown(state, row)),
    ),
    route(
      "POST",
      "/api/sessions/([^/]+)/pay",
      on(books.checkouts, (row) => leadBack(pay(state, row.id), row)),
    ),
    route(
      "POST",
      "/api/sessions/([^/]+)/pay-later",
      on(books.checkouts, (row) => leadBack(payLater(state, row.id), row)),
    ),
    route(
      "POST",
      "/api/sessions/([^/]+)/decline",
      on(books.checkouts, (row) => {
        decline(state, row.id);
        return shown(state, row);
      }),
    ),
    route(
      "POST",
      "/api/sessions/([^/]+)/settle",
      on(books.checkouts, (row, request) => {
        settle(state, row.id, parse(settleBody, request).outcome);
        return { settled: row.id };
      }),
    ),
    route(
      "POST",
      "/api/charges/([^/]+)/refund",
      on(books.charges, (row, request) =>
        refundCharge(state, row, parse(refundBody, request), nobody),
      ),
    ),
    route(
      "POST",
      "/api/charges/([^/]+)/dispute",
      on(books.charges, (row, request) => openDispute(state, row, parse(disputeBody, request))),
    ),
    route(
      "POST",
      "/api/disputes/([^/]+)/close",
      on(books.disputes, (row, request) =>
        closeDispute(state, row, parse(closeBody, request).status),
      ),
    ),
    route(
      "POST",
      "/api/refunds/([^/]+)/fail",
      on(books.refunds, (row) => {
        failRefund(state, row, nobody);
        return { failed: row.id };
      }),
    ),
    route(
      "POST",
      "/api/events/([^/]+)/deliver",
      on(books.events, async (row) => {
        deliveries.again(row);
        await Promise.race([deliveries.attempted(row.id), delay(WAIT_FOR_ENDPOINT_MS)]);
        return { event: row.id, ...books.events.get(row.id)?.delivery };
      }),
    ),
  ];
}

const settleBody = z.strictObject({ outcome: z.enum(["succeeded", "failed"]) });
const refundBody = z.strictObject({ amount: z.int().min(1).optional() });
const disputeBody = z.strictObject({
  amount: z.int().min(1).optional(),
  reason: z.enum(DISPUTE_REASONS).optional(),
});
const closeBody = z.strictObject({ status: z.enum(["won", "lost"]) });

function parse<Output>(schema: z.ZodType<Output>, { body }: HttpRequest): Output {
  let value: unknown;
  try {
    value = body.trim() === "" ? {} : JSON.parse(body);
  } catch {
    throw new StripeRefusal(400, "the body is not JSON");
  }
  return schema.parse(value);
}

/** What the hosted page shows of a session. */
function shown({ books }: State, { id }: Checkout) {
  const checkout = books.checkouts.get(id);
  if (checkout === undefined) return null;
  const { asked, amount, currency } = checkout;
  const payment = books.payments.get(checkout.payment ?? "");
  return {
    id,
    status: checkout.status,
    payment_status: checkout.paymentStatus,
    payment: payment?.status ?? null,
    is_declined: payment?.status === "requires_payment_method",
    total: money(amount, currency),
    items: asked.line_items.map(({ price_data: price, quantity = 1 }) => ({
      name: price.product_data.name,
      description: price.product_data.description ?? null,
      quantity,
      unit: money(price.unit_amount, price.currency),
      total: money(price.unit_amount * quantity, price.currency),
    })),
    email: asked.customer_email ?? null,
    success_url: asked.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id),
    cancel_url: asked.cancel_url ?? null,
    merchant: URL.parse(asked.success_url)?.host ?? "",
    created_at: isoOf(checkout.created),
    expires_at: isoOf(checkout.expiresAt),
  };
}

/** Newest first, with all that became of each. */
function listed(state: State) {
  const { books } = state;
  const newest = books.checkouts.values().toReversed().slice(0, LISTED);
  return {
    total: books.checkouts.size,
    payments: newest.map((checkout) => ({
      ...shown(state, checkout),
      client_reference_id: checkout.asked.client_reference_id ?? null,
      charges: chargesOf(state, checkout),
      events: eventsOf(state, checkout),
    })),
  };
}

function chargesOf({ books }: State, checkout: Checkout) {
  const charges = books.charges.values().filter(({ payment }) => payment === checkout.payment);
  return charges.map(({ id, status, amount, currency, failure }) => ({
    id,
    status,
    failure,
    amount,
    total: money(amount, currency),
    refundable: status === "succeeded" ? amount - refundedOf(books, id) : 0,
    left: money(amount - refundedOf(books, id), currency),
    refunds: books.refunds
      .values()
      .filter(({ charge }) => charge === id)
      .map((refund) => ({
        id: refund.id,
        status: refund.status,
        total: money(refund.amount, currency),
      })),
    disputes: disputesOf(books, id).map((dispute) => ({
      id: dispute.id,
      status: dispute.status,
      reason: dispute.reason,
      total: money(dispute.amount, currency),
    })),
  }));
}

/** Of the events, those that name the session, its payment or its charges. */
function eventsOf({ books }: State, { id, payment }: Checkout) {
  return books.events
    .values()
    .filter(({ object }) => {
      const about = object as { id?: string; payment_intent?: unknown };
      return (
        about.id === id || (payment !== null && [about.id, about.payment_intent].includes(payment))
      );
    })
    .map(({ id, type, created, delivery }) => ({
      id,
      type,
      created_at: isoOf(created),
      outcome: delivery.outcome,
      attempts: delivery.attempts,
      last: delivery.last,
      due_at: delivery.dueAt === null ? null : new Date(delivery.dueAt).toISOString(),
    }));
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
