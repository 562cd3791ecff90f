import { expect, test } from "vitest";
import { document, operations } from "./operations.ts";
import { type Row, table } from "./table.ts";

interface Field {
  $ref?: string;
  type?: string | string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  anyOf?: Field[];
  oneOf?: Field[];
  properties?: Record<string, Field>;
  required?: string[];
  items?: Field;
  enum?: unknown[];
}
interface Described {
  parameters?: { name: string; schema: Field }[];
  requestBody?: { content: Record<string, { schema: Field }> };
  "x-timeout-seconds"?: number;
  responses: Record<string, { content?: Record<string, { schema?: Field }> }>;
}

const schemas = (document as unknown as { components: { schemas: Record<string, Field> } })
  .components.schemas;
/** Of a body in several forms: every field that one of them has, and what all of them require. */
function resolve(field: Field): Field {
  const found = field.$ref === undefined ? field : schemas[field.$ref.split("/").at(-1)!]!;
  const forms = (found.oneOf ?? found.anyOf ?? []).map(resolve);
  if (forms.length === 0 || forms.some(({ properties }) => properties === undefined)) return found;
  const [first, ...others] = forms.map(({ required = [] }) => required);
  return {
    properties: Object.assign({}, ...forms.map(({ properties }) => properties)),
    required: first!.filter((name) => others.every((each) => each.includes(name))),
  };
}

function described(name: string): Described {
  const [method, path] = name.split(" ") as [string, string];
  return document.paths[path]![method.toLowerCase()] as unknown as Described;
}

/** Of what is sent as JSON, or else as a form. */
const bodyOf = ({ requestBody }: Described): Field | undefined =>
  (requestBody?.content["application/json"] ?? requestBody?.content["multipart/form-data"])?.schema;

function fieldsOf(operation: Described): Record<string, Field> {
  const { parameters = [] } = operation;
  const body = bodyOf(operation);
  const query = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return { ...query, ...(body === undefined ? {} : resolve(body).properties) };
}

/** The bounds of a field, or of the one alternative that has any. */
function boundsOf(field: Field): [number | null, number | null] {
  const options = [resolve(field), ...(field.anyOf ?? []).map(resolve)];
  const find = (keys: (keyof Field)[]) =>
    options
      .flatMap((option) => keys.map((key) => option[key] as number | undefined))
      .filter((value) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER);
  return [
    find(["minimum", "minLength", "minItems"])[0] ?? null,
    find(["maximum", "maxLength", "maxItems"]).at(-1) ?? null,
  ];
}

test("what is served is what the table has, no more and no less", () => {
  expect(operations.map(({ name }) => name).toSorted()).toEqual(Object.keys(table).toSorted());
});

test.each(Object.entries(table))("%s: status, access and error body", (name, row) => {
  const { responses } = described(name);
  const operation = operations.find((each) => each.name === name)!;
  const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
  expect(successes.map(Number)).toEqual([row.status, ...(row.also ?? [])].toSorted());
  expect(operation.access).toBe(
    { public: "public", "key or login": "workspace", login: "jwt", wallet: "wallet" }[row.access],
  );
  if (row.access === "public" || row.access === "wallet") return;
  const error = JSON.stringify(responses["401"]!.content!["application/json"]!.schema);
  expect(error.includes("LegacyError")).toBe(row.errors === "legacy");
});

test.each(
  Object.entries(table).filter(
    ([, { required, bounds, defaults }]) => required ?? bounds ?? defaults,
  ),
)("%s: required fields, bounds and defaults", (name, row) => {
  const operation = described(name);
  const fields = fieldsOf(operation);
  const body = bodyOf(operation);
  if (row.required !== undefined)
    expect(resolve(body!).required?.toSorted()).toEqual(row.required.toSorted());
  for (const [field, [least, greatest]] of Object.entries(row.bounds ?? {})) {
    const [low, high] = boundsOf(fields[field] ?? {});
    if (least !== null) expect([field, low]).toEqual([field, least]);
    if (greatest !== null) expect([field, high]).toEqual([field, greatest]);
  }
  for (const [field, value] of Object.entries(row.defaults ?? {}))
    expect([field, fields[field]?.default]).toEqual([field, value]);
});

const isNull = ({ type, anyOf = [] }: Field): boolean =>
  [type ?? []].flat().includes("null") || anyOf.some(isNull);

const answerOf = (name: string, { status }: Row): Field =>
  described(name).responses[status]!.content!["application/json"]!.schema!;

/** The field that a path names, through objects and the items of lists; undefined where one on the way may be absent. */
const answered = (schema: Field, path: string): Field | undefined =>
  path.split(".").reduce<Field | undefined>((outer, name) => {
    if (outer === undefined) return undefined;
    const { items, ...object } = resolve(outer);
    const { properties = {}, required = [] } = items === undefined ? object : resolve(items);
    return required.includes(name) ? properties[name] : undefined;
  }, schema);

test.each(Object.entries(table).filter(([, { answers }]) => answers))(
  "%s: what its answer always has",
  (name, row) => {
    const { answers = [], nulls = [] } = row;
    const fields = answers.map((path) => [path, answered(answerOf(name, row), path)] as const);
    expect(fields.flatMap(([path, field]) => (field === undefined ? [path] : []))).toEqual([]);
    const perhaps = fields.flatMap(([path, field]) => (isNull(resolve(field!)) ? [path] : []));
    expect(perhaps.toSorted()).toEqual(nulls.toSorted());
  },
);

test.each(
  Object.entries(table).flatMap(([name, row]) =>
    Object.entries(row.words ?? {}).map(([path, words]) => [name, path, words, row] as const),
  ),
)("%s: the words of %s", (name, path, words, row) => {
  expect(resolve(answered(answerOf(name, row), path)!).enum?.toSorted()).toEqual(words.toSorted());
});

test.each([
  ["/api/x402/v1/email/verify", 10],
  ["/api/x402/v1/email/validate", 10],
  ["/api/x402/v1/email/find", 8],
  ["/api/x402/v1/linkedin/find-url", 12],
  ["/api/x402/v1/socialnet/find-url", 12],
  ["/api/x402/v1/prospects/search", 10],
])("%s has %i seconds", (path, seconds) => {
  expect(described(`POST ${path}`)["x-timeout-seconds"]).toBe(seconds);
});
