import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  type Answer,
  type HttpRequest,
  json,
  notFound,
  pageFile,
  type Route,
  route,
  sharedFile,
} from "../page-routes.ts";
import type { State } from "./books.ts";
import { closeDispute, openDispute } from "./disputes.ts";
import { StripeRefusal } from "./errors.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Checkout } from "./model.ts";
import { listPayments, shownCheckout } from "./page-views.ts";
import { decline, pay, payLater, settle } from "./paying.ts";
import { failRefund, refundCharge } from "./refunds.ts";

/** Stripe's page waits this long for the endpoint to take the news before it leads back; real time. */
const WAIT_FOR_ENDPOINT_MS = 10_000;

const inPage = (name: string) => new URL(`./page/${name}`, import.meta.url);

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
    await patiently(deliveries.attempted(eventId));
    return { redirect_url: asked.success_url.replaceAll("{CHECKOUT_SESSION_ID}", id) };
  };

  return [
    pageFile("/", inPage("payments.html")),
    pageFile("/pay/[A-Za-z0-9_]+", inPage("pay.html")),
    ...["style.css", "pay.js", "payments.js"].map((name) => pageFile(`/${name}`, inPage(name))),
    ...(["dom.js", "base.css"] as const).map(sharedFile),
    route("GET", "/api/payments", () => json(listPayments(state))),
    route(
      "GET",
      "/api/sessions/([^/]+)",
      on(books.checkouts, (row) => shownCheckout(state, row)),
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
        return shownCheckout(state, row);
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
        refundCharge(state, row, parse(refundBody, request).amount),
      ),
    ),
    route(
      "POST",
      "/api/charges/([^/]+)/dispute",
      on(books.charges, (row) => openDispute(state, row)),
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
        failRefund(state, row);
        return { failed: row.id };
      }),
    ),
    route(
      "POST",
      "/api/events/([^/]+)/deliver",
      on(books.events, async (row) => {
        deliveries.again(row);
        await patiently(deliveries.attempted(row.id));
        return { event: row.id, ...books.events.get(row.id)?.delivery };
      }),
    ),
  ];
}

async function patiently(work: Promise<void>): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([work, delay(WAIT_FOR_ENDPOINT_MS, undefined, { signal })]);
  done.abort();
}

const settleBody = z.strictObject({ outcome: z.enum(["succeeded", "failed"]) });
const refundBody = z.strictObject({ amount: z.int().min(1).optional() });
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
