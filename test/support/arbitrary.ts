import fc from "fast-check";
import { nameOf, type Schema, type Schemas } from "#src/http/openapi/model.ts";

/** Values of the fields whose words no schema can say: names of zones, of hosts, addresses of people. */
export type Knowledge = Record<string, fc.Arbitrary<unknown>>;

/** Any value that a schema of the description takes; short, however long it may be. */
export function arbitraryOf(
  schema: Schema,
  schemas: Schemas,
  knowledge: Knowledge,
  name = "",
): fc.Arbitrary<unknown> {
  const known = knowledge[name];
  const types = [schema.type ?? []].flat();
  const isNullable = types.includes("null");
  const of = (each: Schema, as = name) => arbitraryOf(each, schemas, knowledge, as);
  if (known !== undefined) return isNullable ? fc.option(known) : known;
  if (schema.$ref !== undefined) return of(schemas[nameOf({ $ref: schema.$ref })]!);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return fc.oneof(...options.map((option) => of(option)));
  const type = types.find((each) => each !== "null") ?? types[0];
  const value = ofType(type ?? "string", schema, of);
  return isNullable ? fc.option(value) : value;
}

function ofType(
  type: string,
  schema: Schema,
  of: (each: Schema, as?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case "array": {
      const least = schema.minItems ?? 0;
      const most = Math.min(schema.maxItems ?? Infinity, least + 3);
      const bounds = { minLength: least, maxLength: most };
      const item = of(schema.items ?? {});
      return schema.uniqueItems === true ? fc.uniqueArray(item, bounds) : fc.array(item, bounds);
    }
    case "object":
      return objectOf(schema, of);
    default:
      return textOf(schema);
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  of: (each: Schema, as?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const values = Object.entries(properties).map(([name, each]) => [name, of(each, name)] as const);
  if (values.length > 0)
    return fc.record(Object.fromEntries(values), { requiredKeys: required as never[] });
  if (additionalProperties === undefined || additionalProperties === false) return fc.constant({});
  const value =
    additionalProperties === true ? fc.jsonValue({ maxDepth: 2 }) : of(additionalProperties);
  return fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), value, { maxKeys: 3 });
}

/** Everything that text is made of, the line breaks and spaces too. */
const UNIT = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: "grapheme-composite", minLength: 1, maxLength: 1 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(" ", "\n", "\r", "\t", "\u00a0", "\u000c", "'", '"', "\\"),
  },
);

const INSTANT = fc
  .date({
    min: new Date("1970-01-02T00:00:00Z"),
    max: new Date("9998-12-30T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((at) => at.toISOString());

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: Schema) {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time") return INSTANT;
  if (format === "byte") return fc.base64String({ maxLength: 40 });
  if (format?.startsWith("uri") === true) return fc.webUrl();
  const fits = (text: string) =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, "u").test(text));
  const most = Math.min(maxLength, minLength + 30);
  const free = fc.string({ unit: UNIT, minLength, maxLength: most }).filter(fits);
  // A pattern that free text hardly ever meets makes the text itself.
  if (pattern === undefined || pattern.startsWith("^[^")) return free;
  return fc.stringMatching(new RegExp(pattern)).filter(fits);
}
