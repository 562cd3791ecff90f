import * as z from "zod";
import { createKey, listKeys, revokeKey } from "#src/domain/access/manage-keys.ts";
import { CONFIRMS } from "#src/domain/access/confirmations.ts";
import { type Scope, SCOPES } from "#src/domain/access/scopes.ts";
import { snakeKeys } from "#src/http/case.ts";
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

const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

const Create = z
  .object({
    name: text(100).describe("A label."),
    scopes: z
      .array(z.enum(SCOPE_NAMES))
      .min(1)
      .max(SCOPE_NAMES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, "Each scope once.")
      .openapi({ uniqueItems: true })
      .optional()
      .describe("What the key may do; absent, everything. An operation says which it needs."),
    expires_at: instantWithOffset.optional().describe("From then on it is refused; absent, never."),
    confirm: z
      .enum(CONFIRMS)
      .default("human")
      .describe(
        "Who confirms what an agent with this key would send over `/mcp`: a person, or the agent itself by a second call with the token of the preview.",
      ),
  })
  .openapi("ApiKeyCreate");

const Created = z
  .object({
    id: uuid,
    key: z
      .string()
      .regex(/^svc_live_[A-Za-z0-9_-]{43}$/)
      .describe("The whole key. It is shown this once and cannot be read again."),
    name: z.string(),
    key_prefix: z.string(),
    created_at: instant,
  })
  .openapi("ApiKeyCreated");

const Body = z
  .object({
    ...ownedFields,
    name: z.string(),
    key_prefix: z.string(),
    last_used_at: instant.nullable().describe("Written at most every five minutes."),
    revoked_at: instant.nullable(),
    scopes: z.array(z.string()).nullable().describe("What it may do; null: everything."),
    expires_at: instant.nullable().describe("From then on it is refused; null: never."),
    confirm: z.enum(CONFIRMS).describe("Who confirms what an agent with this key would send."),
  })
  .openapi("ApiKey");

const PATH = "/api/v1/api-keys";
const tag = "Authentication and keys";
const params = z.object({ api_key_id: uuid });

export const apiKeyRoutes: Mount[] = [
  operation({
    method: "post",
    path: PATH,
    id: "createApiKey",
    tag,
    summary: "Create an API key",
    description:
      "Needs a login token, so that a key cannot make keys, and a paid plan. To rotate: create a new key (both are valid), deploy it, confirm by `last_used_at`, revoke the old one.",
    access: "jwt",
    paidPlanOnly: true,
    envelope: "legacy",
    limit: "api-keys",
    claims: "effect",
    shownOnce: ["key"],
    body: Create,
    status: 201,
    response: Created,
    handler: async ({ deps, principal, body }) => {
      const made = await createKey(deps, principal, {
        name: body.name,
        scopes: body.scopes ?? null,
        expiresAt: body.expires_at ?? null,
        confirm: body.confirm,
      });
      return {
        id: made.id,
        key: made.key,
        name: made.name,
        key_prefix: made.keyPrefix,
        created_at: made.createdAt.toISOString(),
      };
    },
  }),
  operation({
    method: "get",
    path: PATH,
    id: "listApiKeys",
    tag,
    summary: "List API keys, newest first; revoked ones stay listed",
    access: "jwt",
    list: { by: "id" },
    response: z.array(Body),
    handler: async ({ deps, principal, part }) =>
      (await listKeys(deps, principal, part)).map((row) => snakeKeys(row)),
  }),
  operation({
    method: "delete",
    path: `${PATH}/{api_key_id}`,
    id: "revokeApiKey",
    tag,
    summary: "Revoke an API key, at once and for good",
    description:
      "Every later request with the key answers 401. Revoking a revoked key changes nothing.",
    access: "jwt",
    claims: "effect",
    params,
    response: Deleted,
    handler: ({ deps, principal, params }) => done(revokeKey(deps, principal, params.api_key_id)),
  }),
];
