import * as z from "zod";
import { PACKS } from "#src/domain/billing/credits/packs.ts";
import { purchaseCredits } from "#src/domain/billing/payments/purchase.ts";
import { receivePaymentEvent } from "#src/domain/billing/payments/webhook.ts";
import { decodeUtf8, MIB, readCapped } from "#src/http/body.ts";
import { camelKeys } from "#src/http/case.ts";
import { httpUrl, instant } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

/** Handed on as it was written: the provider finds its placeholder by its braces. */
const returnUrl = httpUrl
  .refine(
    (value) => value.isWellFormed() && !/[\p{Cc}\s]/u.test(value),
    "must be one well-formed URL",
  )
  .openapi({ format: "uri-template", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:" });

const Order = z
  .object({
    pack_id: z.enum(PACKS.map(({ id }) => id)),
    success_url: returnUrl.describe(
      "Where the customer comes back to after paying. `{CHECKOUT_SESSION_ID}` in it becomes the session's id.",
    ),
    cancel_url: returnUrl.describe("Where the customer comes back to without paying."),
  })
  .openapi("CreditPurchaseOrder", {
    example: {
      pack_id: "starter",
      success_url: "https://app.example.com/credits?session={CHECKOUT_SESSION_ID}",
      cancel_url: "https://app.example.com/credits",
    },
  });

const Purchase = z
  .object({
    success: z.literal(true),
    checkout_url: z.string().describe("The page on which it is paid: send the customer there."),
    session_id: z.string(),
    pack_id: z.string(),
    credits: z.int(),
    amount_cents: z.int(),
    currency: z.string(),
    expires_at: instant.describe("When the page ends."),
  })
  .openapi("CreditPurchase");

const tag = "Credits";
const WEBHOOK_LIMIT = MIB;

export const purchaseRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/payments/purchase-credits",
    id: "purchaseCredits",
    scope: "billing:write",
    tag,
    summary: "Open a page on which a pack of credits is paid",
    description:
      "Credits are granted once the payment provider says that the money is there, however the customer leaves the page. The same order again, while its page is open, answers the same page.",
    body: Order,
    response: Purchase,
    errors: [409, 502, 503, 504],
    handler: async ({ deps, principal, body }) => {
      const { order, sessionId, checkoutUrl } = await purchaseCredits(
        deps,
        principal,
        camelKeys(body),
      );
      return {
        success: true as const,
        checkout_url: checkoutUrl,
        session_id: sessionId,
        pack_id: order.packId,
        credits: order.credits,
        amount_cents: order.amountCents,
        currency: order.currency,
        expires_at: order.expiresAt.toISOString(),
      };
    },
  }),
  operation({
    method: "post",
    path: "/api/v1/payments/webhook",
    id: "receivePaymentEvent",
    tag,
    summary: "Take in one event of the payment provider",
    description:
      "Called by Stripe, with `Stripe-Signature` over the raw body. An event that is unknown, late, or comes again is taken and changes nothing; a signature that is missing, wrong or older than 5 minutes is 400.",
    access: "public",
    rawBody: {
      "application/json": {
        schema: { type: "object", additionalProperties: true },
        example: { id: "evt_1", type: "checkout.session.completed", data: { object: {} } },
      },
    },
    reads: {
      "Stripe-Signature": { description: "`t=<unix seconds>,v1=<hex>`.", required: true },
    },
    response: z.object({ received: z.literal(true) }).openapi("PaymentEventReceived"),
    errors: [400, 409, 502, 503, 504],
    handler: async ({ deps, c }) => {
      const body = decodeUtf8(await readCapped(c.req.raw, WEBHOOK_LIMIT));
      await receivePaymentEvent(deps, body, c.req.header("stripe-signature") ?? "");
      return { received: true as const };
    },
  }),
];
