import * as z from "zod";
import type { DeliveryRow, WebhookRow } from "#src/domain/workspace/webhooks/manage.ts";
import { instant, optionalText, ownedFields, uuid } from "#src/http/fields.ts";
import { typeNames } from "./event-fields.ts";

const url = z.url().max(2000).openapi({
  description: "Where events are posted: https, and a public name.",
  example: "https://hooks.example.com/overture",
});
const types = typeNames.nullable().openapi({
  description:
    "Types of events, or all of a kind (`email.*`); null: all but `email.opened` and `email.clicked`.",
});

export const WebhookCreate = z
  .object({ url, description: optionalText(200), types: types.optional() })
  .openapi("WebhookCreate", {
    example: {
      url: "https://hooks.example.com/overture",
      types: ["reply.*", "campaign.completed"],
    },
  });
export const WebhookChange = z
  .object({
    url: url.optional(),
    description: optionalText(200),
    types: types.optional(),
    status: z.enum(["active", "paused"]).optional().openapi({
      description:
        "A paused webhook keeps its place, and is sent what it missed when it is active again.",
    }),
  })
  .openapi("WebhookChange", { example: { types: ["reply.received"] } });

const fields = {
  ...ownedFields,
  url: z.string(),
  description: z.string().nullable(),
  types: z.array(z.string()).nullable(),
  status: z.enum(["active", "paused", "disabled"]),
  disabled_reason: z.enum(["gone", "failing"]).nullable().openapi({
    description: "`gone`: it answered 410; `failing`: nothing reached it for five days.",
  }),
  failing_since: instant.nullable(),
  last_success_at: instant.nullable(),
};
export const Webhook = z.object(fields).openapi("Webhook");
export const SECRET = z.string().openapi({
  description: "What its messages are signed with (Standard Webhooks). It is shown this once.",
  example: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
});
export const WebhookCreated = z.object({ ...fields, secret: SECRET }).openapi("WebhookCreated");

export const WebhookDelivery = z
  .object({
    id: uuid,
    event_id: uuid,
    event_type: z.string(),
    state: z.enum(["waiting", "delivered", "dead"]),
    attempts: z.int(),
    next_at: instant.nullable(),
    status: z.int().nullable().openapi({
      description: "What its last attempt was answered; null where no answer came.",
      example: 503,
    }),
    error: z.string().nullable().openapi({
      description: "The first 256 bytes of that answer, or why there was none.",
      example: "upstream is away",
    }),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("WebhookDelivery");

const iso = (at: Date | null) => at?.toISOString() ?? null;
export const toWire = (row: WebhookRow): z.input<typeof Webhook> => ({
  id: row.id,
  user_id: row.userId,
  workspace_id: row.workspaceId,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  url: row.url,
  description: row.description,
  types: row.types,
  status: row.status,
  disabled_reason: row.disabledReason,
  failing_since: iso(row.failingSince),
  last_success_at: iso(row.lastSuccessAt),
});
export const deliveryBody = (row: DeliveryRow): z.input<typeof WebhookDelivery> => ({
  id: row.id,
  event_id: row.eventId,
  event_type: row.eventType,
  state: row.state,
  attempts: row.attempts,
  next_at: row.state === "waiting" ? iso(row.nextAt) : null,
  status: row.status,
  error: row.error,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
