import { query, tenant } from "./use-api.ts";

/** A request with an `Idempotency-Key` that makes a template, and what there is of it. */

export const TEMPLATES = "/api/v2/templates";
export const TEMPLATE = { name: "Hello", subject: "Hi", body: "Hello {{first_name}}" };

export const keyed = (key: string, { call } = tenant, body: object = TEMPLATE) =>
  call("POST", TEMPLATES, body, { "idempotency-key": key });
export const madeIn = async ({ workspaceId } = tenant) =>
  (await query`select id from templates where workspace_id = ${workspaceId}`).length;
export const keysOf = ({ workspaceId } = tenant) =>
  query`select * from idempotency_keys where workspace_id = ${workspaceId}`;
export const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

/** Statements as the driver writes them: the one that uses a key, and the one that keeps its answer. */
export const USED = /insert into \\"idempotency_keys\\"/;
export const KEPT = /update \\"idempotency_keys\\"/;
