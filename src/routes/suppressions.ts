import * as z from "zod";
import {
  kindOf,
  readSuppressions,
  removeSuppression,
  requireSuppression,
  SUPPRESSION_KINDS,
  SUPPRESSION_REASONS,
  suppress,
  suppressedValue,
  type Suppression,
} from "#src/domain/people/suppressions.ts";
import {
  Deleted,
  done,
  instant,
  instantWithOffset,
  ownedFields,
  text,
  uuid,
} from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

const Create = z
  .object({
    value: z
      .string()
      .min(1)
      .max(320)
      .openapi({ description: "An address, or a domain: then nobody there gets mail." }),
    kind: z
      .enum(SUPPRESSION_KINDS)
      .optional()
      .openapi({ description: "Told by the value when absent." }),
    reason: z.literal("manual").default("manual"),
    expires_at: instantWithOffset.nullable().optional(),
  })
  .transform(({ value, kind: given, expires_at: expiresAt = null }, context) => {
    const normal = suppressedValue(value, given);
    if (normal !== null) return { ...normal, expiresAt };
    context.addIssue({
      code: "custom",
      path: ["value"],
      message:
        (given ?? kindOf(value)) === "email" ? "is not a plain email address" : "is not a domain",
    });
    return z.NEVER;
  })
  .openapi("SuppressionCreate", { example: { value: "ada@example.com" } });

const Body = z
  .object({
    ...ownedFields,
    value: z
      .string()
      .nullable()
      .openapi({ description: "Null after an erasure: the hash that is left still suppresses." }),
    kind: z.enum(SUPPRESSION_KINDS),
    reason: z.enum(SUPPRESSION_REASONS),
    source_campaign_id: uuid.nullable(),
    expires_at: instant.nullable(),
  })
  .openapi("Suppression");

const PATH = "/api/v1/suppressions";
const ONE = "/api/v1/suppressions/{suppression_id}";
const tag = "Suppressions";
const params = z.object({ suppression_id: uuid });

export const suppressionRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listSuppressions",
    scope: "leads:read",
    tag,
    summary: "List suppressed addresses and domains",
    description:
      "`value` asks whether an address or a domain gets no mail. `q` looks at ten thousand entries at a time: a page with few items, or none, is not the last while `has_more` is true.",
    query: IdCursorQuery.extend({
      kind: z.enum(SUPPRESSION_KINDS).optional(),
      reason: z.enum(SUPPRESSION_REASONS).optional(),
      value: text(320)
        .transform((value, context) => {
          const normal = suppressedValue(value);
          if (normal !== null) return normal;
          context.addIssue("is neither a plain email address nor a domain");
          return z.NEVER;
        })
        .optional()
        .openapi({
          type: "string",
          description:
            "An address or a domain: the entries that hold back mail to it, its own and its domain's.",
        }),
      q: text(320).optional().openapi({ description: "A part of the value, whatever its case." }),
    }),
    response: pageOf(Body),
    handler: async ({ deps, principal, query: { cursor, limit, q, ...filter } }) => {
      const place = { after: cursor, limit };
      const wanted = { ...filter, part: q };
      const { rows, reached } = await readSuppressions(deps, principal, wanted, place);
      return toPage(rows, limit, ({ id }) => id, toWire, reached);
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createSuppression",
    scope: "leads:write",
    tag,
    summary: "Suppress an address or a domain; repeating it renews it",
    description:
      "No mail goes there any more, and no campaign acts on the network for a lead whose known address it is, unless what is noted of it is a hard bounce (the weightier reason stays).",
    claims: "effect",
    body: Create,
    status: 201,
    response: Body,
    handler: async ({ deps, principal, body }) => toWire(await suppress(deps, principal, body)),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getSuppression",
    scope: "leads:read",
    tag,
    summary: "Get a suppression",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      toWire(await requireSuppression(deps, principal, params.suppression_id)),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteSuppression",
    scope: "leads:write",
    tag,
    summary: "Allow mail again",
    claims: "effect",
    params,
    response: Deleted,
    handler: ({ deps, principal, params }) =>
      done(removeSuppression(deps, principal, params.suppression_id)),
  }),
];

function toWire(row: Suppression): z.input<typeof Body> {
  return {
    id: row.id,
    user_id: row.userId,
    workspace_id: row.workspaceId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    value: row.value,
    kind: row.kind,
    reason: row.reason,
    source_campaign_id: row.sourceCampaignId,
    expires_at: row.expiresAt?.toISOString() ?? null,
  };
}
