import { z } from "zod";
import { newId, type State } from "./books.ts";
import { NetworkRefusal } from "./errors.ts";
import { newestFirst, page } from "./lists.ts";
import { type Webhook, WEBHOOK_SOURCES } from "./model.ts";
import { type Asked, bodyOf, operation } from "./operation.ts";
import { nameOf } from "./people.ts";
import type { Shape } from "./sdk-shapes.ts";

const shape = z.object({
  source: z.enum(WEBHOOK_SOURCES),
  request_url: z.url({ protocol: /^https?$/ }).max(2000),
  name: z.string().max(200).optional(),
  format: z.enum(["json"]).optional(),
  events: z.array(z.string().max(100)).max(20).optional(),
  enabled: z.boolean().optional(),
  account_ids: z.array(z.string().max(100)).max(1000).optional(),
  headers: z
    .array(
      z.object({
        key: z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/),
        value: z.string().regex(/^[\t\x20-\x7e]{0,2000}$/),
      }),
    )
    .max(20)
    .optional(),
});

/** What a webhook hears of that names no events. */
const EVENTS: Record<Webhook["source"], string[]> = {
  messaging: ["message_received"],
  account_status: [],
  users: ["new_relation"],
};

function create(asked: Asked): object {
  const given = bodyOf(asked, shape);
  const webhook: Webhook = {
    id: newId(),
    source: given.source,
    name: given.name ?? null,
    request_url: given.request_url,
    events: given.events ?? EVENTS[given.source],
    headers: given.headers ?? [],
    account_ids: given.account_ids ?? [],
    enabled: given.enabled ?? true,
  };
  asked.state.books.webhooks.put(webhook.id, webhook);
  asked.state.changed();
  return { status: 201, body: { object: "WebhookCreated", webhook_id: webhook.id } };
}

function view({ books }: State, webhook: Webhook): object {
  const { name, account_ids: ids, ...rest } = webhook;
  const accounts = ids.map((id) => {
    const account = books.accounts.get(id);
    const named = account === undefined ? {} : { name: nameOf(account.owner) };
    return { id, type: "LINKEDIN" as const, ...named };
  });
  return {
    object: "Webhook",
    type: "AUTO",
    ...rest,
    ...(name === null ? {} : { name }),
    account_ids: accounts,
    format: "json",
    data: [],
  } satisfies Shape<"webhook">;
}

function remove({ state, parts: [id = ""] }: Asked): object {
  if (!state.books.webhooks.delete(id))
    throw new NetworkRefusal("resource_not_found", "Webhook not found.");
  state.changed();
  return { object: "WebhookDeleted" };
}

export const webhookOperations = [
  operation("GET", "webhooks", ({ state, query }) =>
    page(
      "WebhookList",
      newestFirst(state.books.webhooks.values(), () => 0),
      {
        query,
        view: (webhook) => view(state, webhook),
      },
    ),
  ),
  operation("POST", "webhooks", create),
  operation("DELETE", "webhooks/:", remove),
];
