import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { recordMessagingStatus } from "#src/domain/workspace/notifications/messaging-status.ts";
import { AppError, forbidden, unauthenticated } from "#src/errors.ts";
import { decodeUtf8, MIB, parseJson, readCapped, requireContentType } from "#src/http/body.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const path = "/api/v1/notifications/whatsapp/webhook";
const tag = "Notifications";
/** Meta allows a notification 3 MB. */
const BODY_LIMIT = 4 * MIB;

const Challenge = z.object({
  "hub.mode": z.literal("subscribe"),
  "hub.verify_token": z.string(),
  "hub.challenge": z.string().regex(/^[\x21-\x7e]{1,200}$/),
});

const Received = z
  .object({
    statuses: z.int().openapi({ description: "How many statuses of messages the body held." }),
  })
  .openapi("WhatsappWebhookReceived");

function requireEvents({ messagingEvents }: Deps) {
  if (messagingEvents !== null) return messagingEvents;
  throw new AppError(
    "unavailable",
    "WHATSAPP_WEBHOOK_NOT_CONFIGURED",
    "This deployment hears nothing from WhatsApp: WHATSAPP_APP_SECRET and WHATSAPP_VERIFY_TOKEN are not set.",
  );
}

export const whatsappWebhookRoutes: Mount[] = [
  operation({
    method: "get",
    path,
    id: "verifyWhatsappWebhook",
    tag,
    summary: "Prove to WhatsApp that the webhook is ours",
    description: "Answers `hub.challenge` to whoever knows WHATSAPP_VERIFY_TOKEN.",
    access: "public",
    query: Challenge,
    response: z.string(),
    responseType: "text/plain",
    example: { response: "1158201444" },
    errors: [403, 503],
    handler: async ({ deps, query, c }) => {
      if (!(await requireEvents(deps).isOurs(query["hub.verify_token"])))
        throw forbidden("FORBIDDEN", "The verify token is another one.");
      return c.text(query["hub.challenge"]);
    },
  }),
  operation({
    method: "post",
    path,
    id: "receiveWhatsappEvents",
    tag,
    summary: "Take in what WhatsApp says of messages sent",
    description:
      "For WhatsApp alone: `X-Hub-Signature-256: sha256=<hex>` is the HMAC-SHA256 of the body under WHATSAPP_APP_SECRET. The same event twice changes nothing.",
    access: "public",
    // No zod schema, which would read the body before the signature is looked at.
    rawBody: {
      "application/json": {
        schema: { type: "object", additionalProperties: true },
        example: { object: "whatsapp_business_account", entry: [] },
      },
    },
    reads: {
      "X-Hub-Signature-256": { description: "`sha256=<hex>` of the body.", required: true },
    },
    response: Received,
    errors: [401, 503],
    handler: async ({ deps, c }) => {
      const events = requireEvents(deps);
      requireContentType(c.req.header("content-type"), ["application/json"]);
      const raw = await readCapped(c.req.raw, BODY_LIMIT);
      if (!(await events.isSigned(raw, c.req.header("x-hub-signature-256"))))
        throw unauthenticated(
          "UNAUTHENTICATED",
          "The X-Hub-Signature-256 header is missing or wrong.",
        );
      const statuses = events.statusesOf(parseJson(decodeUtf8(raw)));
      await recordMessagingStatus(deps, statuses);
      return { statuses: statuses.length };
    },
  }),
];
