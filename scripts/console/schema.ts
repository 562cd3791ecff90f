/** The types that the console's client is checked by, made from the description of version 2. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags?: string[];
  /** Empty where an operation takes no credential. */
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

export const PREFIX = "/api/v2/";

/**
 * What sets a state or looks: the same again does no harm, and another may have undone it since. By a key that is kept
 * until it is answered, "Pause" would be told that it is paused, of what a colleague resumed meanwhile. What is no POST is
 * idempotent by itself (RFC 9110 section 9.2.2, and a PATCH of ours, whose fields are values).
 */
const MAY_BE_AGAIN =
  /^(act|approve[DP]|cancel|connect[DM]|drain|enable|freeze|hold|pause|re(ad|lease|set|sume|vokeS)|test|un|verifyM)/;

/** `src/console/api/schema.ts`: a type for each schema, one for each operation, and the table that `call` reads. */
export function consoleSchema({ paths, components }: Description): string {
  const names = Object.keys(components.schemas).toSorted();
  const operations = operationsOf(paths);
  const resolved = (operation: Operation) => parametersIn(operation, components);
  return [
    "// Written by `npm run openapi`; what the API says, as types. Not edited by hand.",
    "",
    ...names.map((name) => `export type ${name} = ${typeOf(components.schemas[name]!)};`),
    "",
    "export interface Operations {",
    ...operations.map(({ operation }) => {
      const parts = [
        parametersOf(resolved(operation), "path", "params"),
        parametersOf(resolved(operation), "query", "query"),
        bodyOf(operation),
        `answer: ${answerOf(operation)}`,
      ].filter((part) => part !== "");
      return `  /** ${operation.summary} */\n  ${operation.operationId}: { ${parts.join("; ")} };`;
    }),
    "}",
    "",
    "/** Path, and the method where it is no GET; behind `!` it is sent with an Idempotency-Key. A path with a slash before it is of no version. */",
    "export const operations: Record<keyof Operations, string> = {",
    ...operations.map(({ path, method, operation }) => {
      const at = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path;
      const takesKey = resolved(operation).some(({ name }) => name === "Idempotency-Key");
      const mark =
        takesKey && method === "post" && !MAY_BE_AGAIN.test(operation.operationId) ? "!" : "";
      const verb = method === "get" ? "" : ` ${method.toUpperCase()}${mark}`;
      return `  ${operation.operationId}: ${JSON.stringify(`${at}${verb}`)},`;
    }),
    "};",
    "",
  ].join("\n");
}

/** `src/console/api/scopes.ts`: a file of its own, which only the screen of keys loads. */
export const consoleScopes = (scopes: Record<string, string>): string =>
  [
    "// Written by `npm run openapi` from what the service knows of scopes. Not edited by hand.",
    'import type { ApiKeyScopes } from "./schema.ts";',
    "",
    "/** Each with what it opens. */",
    "export const SCOPES: Record<ApiKeyScopes, string> = {",
    ...Object.entries(scopes).map(
      ([scope, opens]) => `  ${JSON.stringify(scope)}: ${JSON.stringify(opens)},`,
    ),
    "};",
    "",
  ].join("\n");

export interface PlacedOperation {
  path: string;
  method: string;
  operation: Operation;
}

/** By name. */
export const operationsOf = (paths: Description["paths"]): PlacedOperation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));

export const parametersIn = (
  { parameters = [] }: Operation,
  components: Pick<Description["components"], "parameters">,
): Parameter[] =>
  parameters.map((each) =>
    each.$ref === undefined ? each : components.parameters[nameOf(each.$ref)]!,
  );

export const nameOf = (ref: string): string => ref.split("/").at(-1)!;

function parametersOf(parameters: Parameter[], place: string, name: string): string {
  const here = parameters.filter((each) => each.in === place);
  if (here.length === 0) return "";
  const isOptional = here.every(({ required }) => required !== true);
  const fields = here.map(
    (each) => `${key(each.name)}${each.required === true ? "" : "?"}: ${typeOf(each.schema)}`,
  );
  return `${name}${isOptional ? "?" : ""}: { ${fields.join("; ")} }`;
}

export function bodyOf({ requestBody }: Operation): string {
  if (requestBody?.content === undefined) return "";
  const kinds = Object.entries(requestBody.content).map(([type, { schema }]) =>
    type === "application/json"
      ? typeOf(schema)
      : type === "multipart/form-data"
        ? "FormData"
        : "string",
  );
  return `body${requestBody.required === true ? "" : "?"}: ${[...new Set(kinds)].join(" | ")}`;
}

function answerOf({ responses }: Operation): string {
  const kinds = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content = {} }]) =>
      Object.entries(content).map(([type, { schema }]) =>
        type === "application/json" ? typeOf(schema) : "string",
      ),
    );
  return kinds.length === 0 ? "void" : [...new Set(kinds)].join(" | ");
}

const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return several.map(typeOf).join(" | ");
  if (schema.allOf !== undefined)
    return [...schema.allOf.map(typeOf), ...(schema.properties ? [objectOf(schema)] : [])]
      .map((each) => (each.includes(" | ") ? `(${each})` : each))
      .join(" & ");
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `Array<${typeOf(schema.items ?? {})}>`;
    case "object":
      return objectOf(schema);
    default:
      return "unknown";
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  const rest =
    typeof additionalProperties === "object"
      ? `Record<string, ${typeOf(additionalProperties)}>`
      : additionalProperties === true || properties === undefined
        ? "Record<string, unknown>"
        : "";
  if (properties === undefined) return rest;
  const fields = Object.entries(properties).map(
    ([name, each]) => `${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(each)}`,
  );
  const shape = `{ ${fields.join("; ")} }`;
  return rest === "" ? shape : `${shape} & ${rest}`;
}
