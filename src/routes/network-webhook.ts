import * as z from "zod";
import { takeNetworkEvents } from "#src/domain/replies/inbound/network/take-events.ts";
import { NETWORK_WEBHOOK } from "#src/domain/network/register-webhooks.ts";
import { requireNetwork } from "#src/domain/network/require-network.ts";
import { unauthenticated } from "#src/errors.ts";
import { MIB, readCapped } from "#src/http/body.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const BODY_LIMIT = 4 * MIB;

export const networkWebhookRoutes: Mount[] = [
  operation({
    method: "post",
    path: NETWORK_WEBHOOK,
    id: "receiveNetworkEvents",
    tag: "Professional network",
    summary: "Take in what the network's provider says of accounts, messages and connections",
    description:
      "For the provider alone, which proves itself by the header `Unipile-Auth`: UNIPILE_WEBHOOK_SECRET. Shut while that is not set. Its events say no content type. Late, twice and out of order are all the same; what is about no account of ours or cannot be read is taken and changes nothing.",
    access: "public",
    // No zod schema, which would read the body before the secret is looked at.
    rawBody: { "application/json": { schema: { type: "object" } } },
    response: z
      .object({
        taken: z.int().openapi({ description: "How many events took effect." }),
      })
      .openapi("NetworkEventsReceived"),
    errors: [401, 503],
    handler: async ({ deps, c }) => {
      if (!(await requireNetwork(deps).events.isAuthentic(c.req.raw.headers)))
        throw unauthenticated("UNAUTHENTICATED", "The Unipile-Auth header is missing or wrong.");
      const raw = await readCapped(c.req.raw, BODY_LIMIT);
      // Bytes that are no text make an event that cannot be read, and not a request that is wrong.
      return { taken: await takeNetworkEvents(deps, new TextDecoder().decode(raw)) };
    },
  }),
];
