import { type Components, type Described, type Description, nameOf, type Ref } from "./model.ts";

const REPLAYED = "Idempotent-Replayed";
const WRITING = new Set(["post", "put", "patch", "delete"]);

const ref = (kind: string, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` });

/** Says of every operation that writes for a workspace that it takes an `Idempotency-Key`, and how it answers one (http/idempotency.ts). */
export function takeKeys(description: Description): void {
  const { components, paths } = description;
  components.parameters["IdempotencyKey"] = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Of your choice, new for each operation: a repetition with it within 24 hours is told the first answer, and does nothing. A form does not take one.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
  };
  components.headers[REPLAYED] = {
    description: "`true`: this is the answer to an earlier request with the Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  };
  const replayed = { [REPLAYED]: ref("headers", REPLAYED) };
  // A refusal that followed a write is kept like any answer.
  for (const each of Object.values(components.responses))
    each.headers = { ...each.headers, ...replayed };
  for (const methods of Object.values(paths))
    for (const [method, operation] of Object.entries(methods)) {
      // Without a word of it any key or login opens an operation; an empty one is for no workspace.
      if (!WRITING.has(method) || operation.security?.length === 0) continue;
      takeKey(operation, replayed);
      withhold(operation, components);
    }
}

function takeKey(operation: Described, replayed: Record<string, Ref>): void {
  const { responses } = operation;
  operation.parameters = [...(operation.parameters ?? []), ref("parameters", "IdempotencyKey")];
  responses["400"] ??= ref("responses", "BadRequest");
  responses["409"] ??= ref("responses", "Conflict");
  const refusal = responses["422"];
  if (refusal === undefined || ("$ref" in refusal && nameOf(refusal) === "InvalidRequest"))
    responses["422"] = ref("responses", "InvalidOrUnprocessable");
  for (const each of Object.values(responses))
    if (!("$ref" in each)) each.headers = { ...each.headers, ...replayed };
}

/** Null in a repetition is what is told once. */
function withhold(operation: Described, { schemas }: Components): void {
  const fields = operation["x-shown-once"] ?? [];
  for (const each of Object.values(operation.responses)) {
    const named = "$ref" in each ? undefined : each.content?.["application/json"]?.schema?.$ref;
    if (fields.length === 0 || named === undefined) continue;
    const { properties = {} } = schemas[nameOf({ $ref: named })]!;
    for (const field of fields) {
      const schema = properties[field]!;
      if (typeof schema.type === "string") schema.type = [schema.type, "null"];
    }
  }
}
