import {
  type Description,
  nameOf,
  type Operation,
  operationsOf,
  parametersIn,
  type PlacedOperation,
  PREFIX,
  type Schema,
  typeOf,
} from "./schema.ts";

/** Where a tag's own words would make a poor name. */
const RESOURCES: Record<string, string> = {
  "Authentication and keys": "access",
  "Professional network": "network",
};
const PAID = "/api/x402/v1/";

interface Method extends PlacedOperation {
  resource: string;
  name: string;
}

/**
 * `src/sdk/methods.ts`: what the SDK's client has, by tag and operation, as types and as the table that it is made from;
 * `paid` is the description that has the calls which a wallet buys.
 */
export function sdkMethods(description: Description, paid: Description): string {
  const methods = named(
    operationsOf(description.paths).filter(({ operation }) => isFor(operation)),
  );
  const resources = [...new Set(methods.map(({ resource }) => resource))].toSorted();
  const of = (resource: string) => methods.filter((each) => each.resource === resource);
  return [
    "// Written by `npm run openapi`; what the SDK's client has. Not edited by hand.",
    'import type { Operations } from "../console/api/schema.ts";',
    'import type { Answer, Body, CallOptions, Pages, ItemOf, Query } from "./types.ts";',
    "",
    "export interface Resources {",
    ...resources.flatMap((resource) => [
      `  ${resource}: {`,
      ...of(resource).map((each) => signature(each, description)),
      "  };",
    ]),
    "}",
    "",
    "/** Of an operation: method, marks and path. `!` takes an Idempotency-Key, `+` a body, `?` a query, `*` answers pages. */",
    "export const METHODS: Record<string, Record<string, string>> = {",
    ...resources.flatMap((resource) => [
      `  ${resource}: {`,
      ...of(resource).map(
        (each) => `    ${each.name}: ${JSON.stringify(place(each, description))},`,
      ),
      "  },",
    ]),
    "};",
    "",
    "/** What any wallet can buy: the question and the answer of each call. */",
    "export interface PaidCalls {",
    ...operationsOf(paid.paths)
      .filter(({ path }) => path.startsWith(PAID))
      .map(
        ({ path, operation }) =>
          `  /** ${operation.summary} */\n  ${JSON.stringify(path.slice(PAID.length))}: { body: ${whole(operation.requestBody, paid)}; answer: ${whole(operation.responses["200"], paid)} };`,
      ),
    "}",
    "",
    "export type OperationId = keyof Operations;",
    "",
  ].join("\n");
}

/** Callbacks of vendors and the browser's sign-in are no program's business; how the service is, is. */
const isFor = ({ security, tags }: Operation): boolean =>
  security?.length !== 0 || tags?.[0] === "Health";

/** An operation's id without the words of its resource, where that is no other's name: `launchCampaign` is `campaigns.launch`. */
function named(operations: PlacedOperation[]): Method[] {
  const all = operations
    .filter(({ path }) => !path.startsWith(`${PREFIX}api/`))
    .map((each) => {
      const tag = each.operation.tags?.[0] ?? "";
      const resource = RESOURCES[tag] ?? camel(tag);
      return {
        ...each,
        resource,
        name: shortName(each.operation.operationId, [camel(tag), resource]),
      };
    });
  return all.map((each) => {
    const alike = all.filter(
      ({ resource, name }) => resource === each.resource && name === each.name,
    );
    return alike.length === 1 ? each : { ...each, name: each.operation.operationId };
  });
}

function shortName(id: string, resources: string[]): string {
  const plurals = resources.map((name) => name[0]!.toUpperCase() + name.slice(1));
  for (const word of plurals.flatMap((plural) => [plural, singular(plural)])) {
    const short = id.replace(new RegExp(`(?<=[a-z])${word}(?=[A-Z]|$)`), "");
    if (short !== id) return short;
  }
  return id;
}

const singular = (word: string): string => word.replace(/(?<=s)es$|s$/, "");

const camel = (tag: string): string =>
  tag.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

/** A list by cursors. */
function isPaged({ responses }: Operation, { components }: Description): boolean {
  const schema = responses["200"]?.content?.["application/json"]?.schema;
  const { properties = {} } =
    schema?.$ref === undefined ? (schema ?? {}) : components.schemas[nameOf(schema.$ref)]!;
  return ["items", "has_more", "next_cursor"].every((name) => name in properties);
}

function place({ path, method, operation }: Method, description: Description): string {
  const parameters = parametersIn(operation, description.components);
  const marks = [
    parameters.some(({ name }) => name === "Idempotency-Key") ? "!" : "",
    operation.requestBody === undefined ? "" : "+",
    parameters.some((each) => each.in === "query") ? "?" : "",
    isPaged(operation, description) ? "*" : "",
  ];
  const at = path.slice(PREFIX.length).replaceAll(/\{\w+\}/g, "{}");
  return `${method.toUpperCase()}${marks.join("")} ${at}`;
}

function signature(each: Method, description: Description): string {
  const { operation, name, path } = each;
  const parameters = parametersIn(operation, description.components);
  const id = JSON.stringify(operation.operationId);
  const hasQuery = parameters.some((one) => one.in === "query");
  const needs = parameters.some((one) => one.in === "query" && one.required === true) ? "" : "?";
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => {
    const { schema } = parameters.find((one) => one.in === "path" && one.name === parameter)!;
    return `${camel(parameter!.replaceAll("_", " "))}: ${typeOf(schema)}`;
  });
  const { requestBody } = operation;
  const takes = [
    ...inPath,
    ...(requestBody === undefined ? [] : [`body${requestBody.required ? "" : "?"}: Body<${id}>`]),
    ...(requestBody === undefined && hasQuery ? [`query${needs}: Query<${id}>`] : []),
    requestBody !== undefined && hasQuery
      ? `options?: CallOptions & { query?: Query<${id}> }`
      : "options?: CallOptions",
  ];
  const answer = isPaged(operation, description)
    ? `Pages<ItemOf<${id}>>`
    : `Promise<Answer<${id}>>`;
  return `    /** ${operation.summary} */\n    ${name}(${takes.join(", ")}): ${answer};`;
}

/** The type of what is sent, with everything that it refers to written out. */
function whole(
  sent: { content?: Record<string, { schema: Schema }> } | undefined,
  { components }: Description,
): string {
  const open = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(open);
    if (typeof value !== "object" || value === null) return value;
    const { $ref } = value as Schema;
    if ($ref !== undefined) return open(components.schemas[nameOf($ref)]);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, open(each)]));
  };
  return typeOf(open(sent?.content?.["application/json"]?.schema ?? {}) as Schema);
}
