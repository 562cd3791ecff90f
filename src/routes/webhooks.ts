import * as z from "zod";
import {
  changeWebhook,
  createWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  replay,
  REPLAYED_AT_ONCE,
  requireWebhook,
  rotateSecret,
  testWebhook,
} from "#src/domain/workspace/webhooks/manage.ts";
import { Deleted, done, instant, instantWithOffset, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CursorQuery, InstantCursor, pageOf, toPage } from "#src/http/pagination.ts";
import {
  deliveryBody,
  SECRET,
  toWire,
  Webhook,
  WebhookChange,
  WebhookCreate,
  WebhookCreated,
  WebhookDelivery,
} from "./webhook-fields.ts";

const tag = "Webhooks";
const PATH = "/api/v1/webhooks";
const ONE = `${PATH}/{webhook_id}`;
const params = z.object({ webhook_id: uuid });

const DeliveryQuery = CursorQuery.extend({
  state: z.enum(["waiting", "delivered", "dead"]).optional(),
  cursor: InstantCursor,
});

const read = { tag, scope: "webhooks:read" } as const;
const write = { tag, scope: "webhooks:write", claims: "effect" } as const;

export const webhookRoutes: Mount[] = [
  operation({
    ...read,
    method: "get",
    path: PATH,
    id: "listWebhooks",
    summary: "List webhooks",
    list: { by: "id" },
    response: z.array(Webhook),
    handler: async ({ deps, principal, part }) =>
      (await listWebhooks(deps, principal, part)).map(toWire),
  }),
  operation({
    ...write,
    method: "post",
    path: PATH,
    id: "createWebhook",
    summary: "Create a webhook",
    description:
      "Events from now on are posted to it as `{id, type, timestamp, actor, data}`, within seconds, at least once, in order but for what is tried again. An answer of 2xx within 15 seconds is a success; others are tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. `webhook-id` is the event's, in each attempt.",
    shownOnce: ["secret"],
    body: WebhookCreate,
    status: 201,
    response: WebhookCreated,
    errors: [409],
    handler: async ({ deps, principal, body }) => {
      const { url: address, description = null, types: names = null } = body;
      const content = { url: address, description, types: names };
      const row = await createWebhook(deps, principal, content);
      return { ...toWire(row), secret: row.plainSecret };
    },
  }),
  operation({
    ...read,
    method: "get",
    path: ONE,
    id: "getWebhook",
    summary: "Get a webhook",
    params,
    response: Webhook,
    handler: async ({ deps, principal, params: { webhook_id } }) =>
      toWire(await requireWebhook(deps, principal, webhook_id)),
  }),
  operation({
    ...write,
    method: "patch",
    path: ONE,
    id: "changeWebhook",
    summary: "Change a webhook, pause it, or let it go on",
    params,
    body: WebhookChange,
    response: Webhook,
    errors: [409],
    handler: async ({ deps, principal, params: { webhook_id }, body }) =>
      toWire(await changeWebhook(deps, principal, webhook_id, given(body))),
  }),
  operation({
    ...write,
    method: "delete",
    path: ONE,
    id: "deleteWebhook",
    summary: "Delete a webhook",
    params,
    response: Deleted,
    handler: ({ deps, principal, params: { webhook_id } }) =>
      done(removeWebhook(deps, principal, webhook_id)),
  }),
  operation({
    ...write,
    method: "post",
    path: `${ONE}/enable`,
    id: "enableWebhook",
    summary: "Let a webhook go on that was disabled or rests",
    description: "It is sent what it missed, as far as that is kept.",
    params,
    response: Webhook,
    handler: async ({ deps, principal, params: { webhook_id } }) =>
      toWire(await enableWebhook(deps, principal, webhook_id)),
  }),
  operation({
    ...write,
    method: "post",
    path: `${ONE}/rotate-secret`,
    id: "rotateWebhookSecret",
    summary: "Give a webhook a new secret",
    description:
      "The one before signs as well until `previous_until`, a day from now, and those of earlier rotations until their own day is over.",
    shownOnce: ["secret"],
    params,
    response: z.object({ secret: SECRET, previous_until: instant }).openapi("WebhookSecret"),
    errors: [409],
    handler: async ({ deps, principal, params: { webhook_id } }) => {
      const { secret, previousUntil } = await rotateSecret(deps, principal, webhook_id);
      return { secret, previous_until: previousUntil.toISOString() };
    },
  }),
  operation({
    tag,
    scope: "webhooks:write",
    method: "post",
    path: `${ONE}/test`,
    id: "testWebhook",
    summary: "Send a webhook a test event, and see what it answers",
    params,
    response: z
      .object({
        delivered: z.boolean(),
        status: z.int().nullable().openapi({ example: 200 }),
        answer: z.string().nullable().openapi({ example: "ok" }),
        error: z.string().nullable(),
      })
      .openapi("WebhookTest"),
    handler: async ({ deps, principal, params: { webhook_id } }) => {
      const outcome = await testWebhook(deps, principal, webhook_id);
      if (outcome.kind === "failed")
        return { delivered: false, status: null, answer: null, error: outcome.error };
      const { status, answer } = outcome;
      return { delivered: status >= 200 && status < 300, status, answer, error: null };
    },
  }),
  operation({
    ...write,
    method: "post",
    path: `${ONE}/replay`,
    id: "replayWebhook",
    summary: "Send a webhook again what it was sent before",
    description: `Each event of the time gets a delivery, but those that wait for one already. At most ${REPLAYED_AT_ONCE} at a time: of more nothing is sent, and it is 422.`,
    params,
    body: z
      .object({ since: instantWithOffset, until: instantWithOffset.optional() })
      .openapi("WebhookReplay", { example: { since: "2027-01-04T09:00:00Z" } }),
    status: 202,
    response: z.object({ events: z.int() }).openapi("WebhookReplayed", { example: { events: 12 } }),
    handler: async ({ deps, principal, params: { webhook_id }, body }) => {
      const { since, until = null } = body;
      return { events: await replay(deps, principal, webhook_id, { since, until }) };
    },
  }),
  operation({
    ...read,
    method: "get",
    path: `${ONE}/deliveries`,
    id: "listWebhookDeliveries",
    summary: "List what did not get through at once, or was sent again; the newest first",
    params,
    query: DeliveryQuery,
    response: pageOf(WebhookDelivery),
    handler: async ({ deps, principal, params: { webhook_id }, query }) => {
      const { cursor: before, limit, state } = query;
      const rows = await listDeliveries(deps, principal, webhook_id, { state, before, limit });
      return toPage(rows, limit, (row) => `${row.createdAt.getTime()}:${row.id}`, deliveryBody);
    },
  }),
  operation({
    ...write,
    method: "post",
    path: `${ONE}/deliveries/{delivery_id}/redeliver`,
    id: "redeliverWebhook",
    summary: "Send an event again",
    params: params.extend({ delivery_id: uuid }),
    status: 202,
    response: WebhookDelivery,
    handler: async ({ deps, principal, params: { webhook_id, delivery_id } }) =>
      deliveryBody(await redeliver(deps, principal, webhook_id, delivery_id)),
  }),
];

/** Without the fields that are absent. */
const given = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
