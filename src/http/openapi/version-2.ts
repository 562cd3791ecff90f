import { inFull } from "../includes.ts";
import { openApiDocument } from "./document.ts";
import { takeKeys } from "./idempotency.ts";
import {
  type Content,
  type Described,
  type Description,
  everyOperation,
  type Media,
  nameOf,
  type Parameter,
  pascal,
  type Ref,
  type Schema,
} from "./model.ts";
import type { Said } from "./route.ts";
import { askForMore } from "./asked.ts";
import { keepUsed } from "./share.ts";

const V1 = /^\/api\/v1\//;

const ABOUT =
  "Version 2: the operations of version 1, with a problem (RFC 9457) for every error, a cursor for every list and an Idempotency-Key for every write.";

const PROBLEM: Schema = {
  type: "object",
  description: "RFC 9457. What an error says besides stands beside these fields.",
  properties: {
    type: { type: "string", const: "about:blank" },
    title: { type: "string", description: "The status in words." },
    status: { type: "integer" },
    detail: { type: "string", description: "For people: what happened and what to do." },
    code: { type: "string", pattern: "^[A-Z][A-Z0-9_]+$", description: "For programs." },
    request_id: { type: "string", description: "As X-Request-Id." },
    errors: {
      type: "array",
      description: "Of a request that does not fit its schema.",
      items: {
        type: "object",
        properties: {
          pointer: { type: "string", description: "The place in the body (RFC 6901)." },
          in: { type: "string", description: "Of another part: which." },
          parameter: { type: "string", description: "Its name there." },
          message: { type: "string" },
        },
        required: ["message"],
      },
    },
  },
  required: ["type", "title", "status", "detail", "code", "request_id"],
  additionalProperties: true,
};

const PROBLEM_EXAMPLE = {
  type: "about:blank",
  title: "Not Found",
  status: 404,
  detail: "Campaign not found.",
  code: "CAMPAIGN_NOT_FOUND",
  request_id: "8f1f4c0e9f3b4d7c",
};

const ref = (kind: string, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` });

/** The description of version 2, made as version 1's is, of the same operations with what they may include. */
export function secondVersion(operations: readonly { said: Said }[]): Description {
  const description = openApiDocument(operations.map(({ said }) => ({ said: inFull(said) })));
  const { components, info } = description;
  description.info = { ...info, version: "2.0.0", description: `${ABOUT} ${info.description}` };
  description.paths = Object.fromEntries(
    Object.entries(description.paths)
      .filter(([path]) => V1.test(path))
      .map(([path, methods]) => [path.replace(V1, "/api/v2/"), methods]),
  );
  components.schemas["Problem"] = PROBLEM;
  components.examples["Problem"] = { value: PROBLEM_EXAMPLE };
  for (const response of Object.values(components.responses)) response.content = problem();
  for (const operation of everyOperation(description)) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, each]) => [status, secondName(each)]),
    );
    turnIntoPages(operation, description);
  }
  takeKeys(description);
  askForMore(description, operations);
  keepUsed(description, ["responses", "headers", "parameters", "examples", "schemas"]);
  return description;
}

const problem = (): Record<string, Media> => ({
  "application/problem+json": {
    schema: ref("schemas", "Problem"),
    examples: { Problem: ref("examples", "Problem") },
  },
});

/** Both envelopes of an error are one here. */
function secondName(response: Content | Ref): Content | Ref {
  return "$ref" in response ? ref("responses", nameOf(response).replace(/^Legacy/, "")) : response;
}

/** A list that is an array in version 1, or in pages of its own form (http/list.ts). */
function turnIntoPages(operation: Described, description: Description): void {
  const { components } = description;
  const answer = operation.responses["200"];
  if (answer === undefined || "$ref" in answer) return;
  const media = answer.content?.["application/json"];
  const named = media?.schema?.$ref;
  const schema = named === undefined ? media?.schema : components.schemas[nameOf({ $ref: named })];
  if (media === undefined || schema === undefined) return;
  const isArray = schema.type === "array";
  if (!isArray && schema.properties?.["next_after"] === undefined) return;
  const page = isArray ? pageOf(schema) : ownPageOf(schema);
  const name = isArray
    ? `${schema.items?.$ref === undefined ? pascal(operation.operationId) : nameOf({ $ref: schema.items.$ref })}Page`
    : nameOf({ $ref: named! });
  components.schemas[name] = page;
  media.schema = ref("schemas", name);
  for (const { $ref } of Object.values(media.examples ?? {})) {
    const example = components.examples[nameOf({ $ref })]!;
    example.value = isArray
      ? { items: example.value, next_cursor: null, has_more: false }
      : renamed(example.value as Record<string, unknown>);
  }
  // Of a cursor or a limit that is none.
  operation.responses["422"] ??= ref("responses", "InvalidRequest");
  operation.parameters = [
    ...(operation.parameters ?? []).filter(
      (each) => !OLD.has(parameterName(each, components.parameters)),
    ),
    ref("parameters", "Cursor"),
    ref("parameters", "Limit"),
  ];
}

/** How lists of version 1 are asked for their pages. */
const OLD = new Set(["offset", "limit", "after", "cursor"]);

const parameterName = (each: Parameter | Ref, shared: Record<string, Parameter>): string =>
  "$ref" in each ? shared[nameOf(each)]!.name : each.name;

const NEXT: Record<string, Schema> = {
  next_cursor: { type: ["string", "null"] },
  has_more: { type: "boolean" },
};

const pageOf = (list: Schema): Schema => ({
  type: "object",
  properties: { items: list, ...NEXT },
  required: ["items", ...Object.keys(NEXT)],
});

function ownPageOf({ properties = {}, required = [], ...rest }: Schema): Schema {
  const { next_after: _, ...others } = properties;
  return {
    ...rest,
    properties: { ...others, ...NEXT },
    required: [...required.filter((name) => name !== "next_after"), ...Object.keys(NEXT)],
  };
}

function renamed({ next_after: cursor, ...rest }: Record<string, unknown>) {
  return { ...rest, next_cursor: cursor, has_more: cursor !== null };
}
