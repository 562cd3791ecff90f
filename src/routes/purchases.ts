import { z } from "@hono/zod-openapi";
import { receivePaymentEvent } from "#src/domain/payments/webhook.ts";
import { decodeUtf8, MIB, readCapped } from "#src/http/body.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const tag = "Credits";
const WEBHOOK_LIMIT = MIB;

export const purchaseRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/payments/webhook",
    id: "receivePaymentEvent",
    tag,
    summary: "Take in one event of the payment provider",
    description:
      "Called by Stripe, with `Stripe-Signature` over the raw body. An event that is unknown, late, or comes again is taken and changes nothing; a signature that is missing, wrong or older than 5 minutes is 400.",
    access: "public",
    rawBody: { "application/json": { schema: { type: "object" } } },
    response: z.object({ received: z.literal(true) }).openapi("PaymentEventReceived"),
    errors: [400, 409, 502, 503, 504],
    handler: async ({ deps, c }) => {
      const body = decodeUtf8(await readCapped(c.req.raw, WEBHOOK_LIMIT));
      await receivePaymentEvent(deps, body, c.req.header("stripe-signature") ?? "");
      return { received: true as const };
    },
  }),
];
