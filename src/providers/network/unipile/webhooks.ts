import * as z from "zod";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { Answer, NetworkEvents } from "../index.ts";
import type { UnipileSettings } from "./call.ts";
import { readEvents } from "./events.ts";
import { failed } from "./failures.ts";
import type { Unipile } from "./pages.ts";
import { id, optionalId } from "./values.ts";

/** By the vendor's own convention; its API signs nothing. */
const HEADER = "Unipile-Auth";

/** The API tells of a webhook that is there neither its source nor its maker: the name says both. */
const WANTED = [
  { name: "overture account status", source: "account_status" },
  { name: "overture messages", source: "messaging", events: ["message_received"] },
  { name: "overture relations", source: "users", events: ["new_relation"] },
] as const;

const webhook = z.object({
  id,
  name: z.string().nullish().catch(null),
  request_url: z.string(),
  enabled: z.boolean().catch(true),
  headers: z.array(z.object({ key: z.string(), value: z.string() })).catch([]),
});
type Webhook = z.output<typeof webhook>;
const webhooks = z.object({
  items: z.array(webhook.nullable().catch(null)),
  cursor: optionalId,
});

const PAGES = 20;

export function createEvents(
  { ask, now }: Pick<Unipile, "ask" | "now">,
  { webhookSecret }: Pick<UnipileSettings, "webhookSecret">,
): NetworkEvents {
  async function registered(): Promise<Answer<Webhook[]>> {
    const found: Webhook[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES; page++) {
      const answer: Answer<z.output<typeof webhooks>> = await ask({
        purpose: "read",
        method: "GET",
        path: ["webhooks"],
        query: { limit: 100, ...(cursor === null ? {} : { cursor }) },
        shape: webhooks,
      });
      if (!answer.ok) return answer;
      found.push(...answer.value.items.filter((each) => each !== null));
      cursor = answer.value.cursor;
      if (cursor === null) break;
    }
    return { ok: true, value: found };
  }

  const create = (wanted: (typeof WANTED)[number], callbackUrl: string, secret: string) =>
    ask({
      purpose: "act",
      method: "POST",
      path: ["webhooks"],
      body: {
        ...wanted,
        request_url: callbackUrl,
        format: "json",
        enabled: true,
        // Without the second, webhooks that are made by the API say no content type.
        headers: [
          { key: HEADER, value: secret },
          { key: "Content-Type", value: "application/json" },
        ],
      },
      shape: z.object({ object: z.literal("WebhookCreated") }),
    });

  const remove = ({ id: webhookId }: Webhook) =>
    ask({ purpose: "act", method: "DELETE", path: ["webhooks", webhookId], shape: z.unknown() });

  return {
    async isAuthentic(headers) {
      const given = headers.get(HEADER);
      if (webhookSecret === null || given === null) return false;
      // Of digests: how far two of them agree says nothing about the secret.
      return (await sha256Hex(given)) === (await sha256Hex(webhookSecret));
    },

    eventsOf: (body) => readEvents(body, now),

    registrationOf: (callbackUrl) => sha256Hex(`${callbackUrl} ${webhookSecret ?? ""}`),

    async ensureRegistered(callbackUrl) {
      if (webhookSecret === null)
        return failed({
          kind: "configuration",
          code: "no_webhook_secret",
          detail: "UNIPILE_WEBHOOK_SECRET is not set",
        });
      const there = await registered();
      if (!there.ok) return there;
      let created = 0;
      for (const wanted of WANTED) {
        const ours = there.value.filter(
          ({ name, request_url }) => name === wanted.name && request_url === callbackUrl,
        );
        const good = ours.find((each) => isGood(each, webhookSecret));
        if (good === undefined) {
          const answer = await create(wanted, callbackUrl, webhookSecret);
          if (!answer.ok) return answer;
          created += 1;
        }
        // Of another secret, switched off, or a second of the same: its events would be refused, or told twice.
        for (const each of ours) if (each !== good) await remove(each);
      }
      return { ok: true, value: { created } };
    },
  };
}

const isGood = ({ enabled, headers }: Webhook, secret: string) =>
  enabled &&
  headers.some(({ key, value }) => key.toLowerCase() === HEADER.toLowerCase() && value === secret);
