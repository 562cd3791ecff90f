import { FIELDS, fieldsOf } from "../fields-asked.ts";
import type { Components, Described, Description, Parameter, Ref } from "./model.ts";
import type { Said } from "./route.ts";

const ref = (kind: string, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` });

const PARAMETERS: Record<string, Omit<Parameter, "schema">> = {
  Fields: { name: "fields", in: "query", description: FIELDS },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The entity tag of the record as you read it: 412 where users changed it since. Its revision alone is compared, so that what the service itself counts meanwhile refuses nothing.",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "The entity tag of the answer that you have: 304 where it is still the same.",
  },
};

/** Says of each operation of version 2 which fields it can be asked for, and what it does with the record's entity tag. */
export function askForMore(
  { components, paths }: Description,
  operations: readonly { said: Said }[],
): void {
  const saidOf = new Map(operations.map(({ said }) => [said.id, said]));
  addComponents(components);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const said = saidOf.get(operation.operationId)!;
    if (fieldsOf(said).length > 0) {
      take(operation, "Fields");
      operation.responses["422"] ??= ref("responses", "InvalidRequest");
    }
    if (said.record !== undefined) tag(operation, said.method);
  }
}

function addComponents(components: Components): void {
  for (const [key, parameter] of Object.entries(PARAMETERS))
    components.parameters[key] = {
      ...parameter,
      required: false,
      schema: { type: "string", maxLength: parameter.in === "query" ? 500 : 8_000 },
    };
  components.headers["ETag"] = {
    description: "Of the record in this answer (RFC 9110, section 8.8.3).",
    required: true,
    schema: {
      type: "string",
      pattern: '^"[0-9]+\\.[0-9a-f]+"$',
      example: '"3.5d41402abc4b2a76b9719d"',
    },
  };
  const { "Retry-After": _, ...headers } = components.responses["Conflict"]!.headers!;
  const { content } = components.responses["Conflict"]!;
  components.responses["PreconditionFailed"] = {
    description: "Users changed the record since it had the entity tag of If-Match.",
    headers,
    content: content!,
  };
  const { "Idempotent-Replayed": _replayed, ...ofRead } = headers;
  components.responses["NotModified"] = {
    description: "The answer is still the one of the entity tag; without a body.",
    headers: { ...ofRead, ETag: ref("headers", "ETag") },
  };
}

function take(operation: Described, parameter: string): void {
  operation.parameters = [...(operation.parameters ?? []), ref("parameters", parameter)];
}

function tag(operation: Described, method: string): void {
  const { responses } = operation;
  const answer = responses["200"];
  if (method !== "delete" && answer !== undefined && !("$ref" in answer))
    answer.headers = { ...answer.headers, ETag: ref("headers", "ETag") };
  take(operation, method === "get" ? "IfNoneMatch" : "IfMatch");
  if (method === "get") responses["304"] = ref("responses", "NotModified");
  else responses["412"] = ref("responses", "PreconditionFailed");
}
