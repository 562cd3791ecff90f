import { readFileSync } from "node:fs";
import * as path from "node:path";
import {
  type Description,
  type Parameter,
  type Schema,
  shownExample,
} from "#src/http/openapi/model.ts";
import { whole } from "../support/description.ts";

/** One operation of openapi.json, as the suites that walk over all of them want it. */
export interface Operation {
  /** `POST /api/v1/templates` */
  name: string;
  method: string;
  path: string;
  id: string;
  access: "public" | "workspace" | "jwt" | "wallet";
  scope: string | null;
  paidOnly: boolean;
  hasBody: boolean;
  isJsonBody: boolean;
  /** Of a body in JSON: its schema, and the example that the description shows. */
  bodySchema: Schema | undefined;
  example: unknown;
  /** Its body counts only under a signature, which no example has. */
  isSigned: boolean;
  parameters: string[];
  /** The path with what its query must have, as further parameters. */
  address: string;
  statuses: number[];
}

export const document = whole(
  JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, "../../public/openapi.json"), "utf8"),
  ) as Description,
);

/** Contract section 0: what free workspaces may not do. */
const PAID_ONLY = new Set(["POST /api/v1/api-keys"]);

const SIGNED = new Set([
  "POST /api/v1/notifications/whatsapp/webhook",
  "POST /api/v1/payments/webhook",
  "POST /api/v1/socialnet/webhook",
]);

export const operations: Operation[] = Object.entries(document.paths).flatMap(([at, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const name = `${method.toUpperCase()} ${at}`;
    const content = operation.requestBody?.content ?? {};
    const json = content["application/json"];
    const access = "402" in operation.responses ? "wallet" : accessOf(operation.security);
    return {
      name,
      method: method.toUpperCase(),
      path: at,
      id: operation.operationId,
      access,
      scope: scopeOf(operation.security),
      paidOnly: PAID_ONLY.has(name),
      hasBody: operation.requestBody !== undefined,
      isJsonBody: "application/json" in content && Object.keys(content).length === 1,
      bodySchema: json?.schema,
      example: json === undefined ? undefined : shownExample(json, document.components),
      isSigned: SIGNED.has(name),
      parameters: operation.parameters
        .filter((parameter) => parameter.in === "path")
        .map((parameter) => parameter.name),
      address: withQuery(at, operation.parameters),
      statuses: Object.keys(operation.responses).map(Number),
    } satisfies Operation;
  }),
);

function withQuery(at: string, parameters: Parameter[]): string {
  const wanted = parameters.filter(({ in: place, required }) => place === "query" && required);
  return wanted.length === 0
    ? at
    : `${at}?${wanted.map(({ name }) => `${name}={${name}}`).join("&")}`;
}

type Security = Record<string, string[]>[] | undefined;

function accessOf(security: Security): Operation["access"] {
  if (security === undefined || security.some((one) => "api_key" in one)) return "workspace";
  return security.length === 0 ? "public" : "jwt";
}

/** The scope that a key needs, or `unscoped`; null where every key may ask, or none. */
function scopeOf(security: Security): string | null {
  return security?.find((one) => "api_key" in one)?.["api_key"]?.[0] ?? null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The path with every parameter filled in; where an id would do, a number of a step is 1. */
export function fill(at: string, valueOf: (parameter: string) => string): string {
  return at.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = valueOf(name);
    return name === "step" && UUID.test(value) ? "1" : value;
  });
}
