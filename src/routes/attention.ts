import * as z from "zod";
import {
  type Attention,
  findAttention,
  SEVERITIES,
  SUBJECTS,
} from "#src/domain/workspace/attention.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const Body = z
  .object({
    items: z.array(
      z.object({
        kind: z.string().openapi({ example: "alias_error" }),
        severity: z.enum(SEVERITIES).openapi({
          description:
            "`error`: something stands still until you act; `warning`: something is going wrong; `info`: something waits for you.",
        }),
        subject: z.object({
          type: z.enum(SUBJECTS),
          id: uuid.nullable(),
          name: z.string().nullable(),
        }),
        message: z.string(),
        until: instant
          .nullable()
          .openapi({ description: "When it ends by itself, or comes about." }),
        campaign_ids: z
          .array(uuid)
          .openapi({ description: "The running campaigns that it holds back." }),
      }),
    ),
  })
  .openapi("Attention");

const toWire = ({ until, campaignIds, ...item }: Attention) => ({
  ...item,
  until: until?.toISOString() ?? null,
  campaign_ids: campaignIds,
});

export const attentionRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/attention",
    id: "getAttention",
    scope: "campaigns:read",
    tag: "Workspace",
    summary: "What needs you now, the worst first",
    description:
      "Campaigns that stand still, senders, domains and accounts in trouble, replies that may be opt-outs, receivers, posts, keys and credits: of each at most 100. Empty where all is well.",
    response: Body,
    handler: async ({ deps, principal }) => ({
      items: (await findAttention(deps, principal)).map(toWire),
    }),
  }),
];
