import type { Schema as JsonSchema } from "#src/http/openapi/model.ts";

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
};

/** The same of what a caller sends, where unknown fields are ignored. */
export const requestFaultOf = (
  value: unknown,
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
): string | null => faultOf(value, opened(schema), opened(schemas));

/** Made once of each: the description has some hundred kilobytes of them. */
const openedOf = new WeakMap<object, object>();

/** Every object in it takes fields that it does not name. */
function opened<T extends object>(description: T): T {
  const known = openedOf.get(description);
  if (known !== undefined) return known as T;
  const made = JSON.parse(JSON.stringify(description), (_, each) =>
    each?.properties === undefined || each.additionalProperties !== undefined
      ? each
      : { ...each, additionalProperties: true },
  ) as T;
  openedOf.set(description, made);
  return made;
}

/**
 * The first fault of a value as `pointer: what`, or null. Strict: a property that the schema does
 * not name is a fault, unless it says `additionalProperties`.
 */
export function faultOf(
  value: unknown,
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  at = "",
): string | null {
  if (schema.$ref !== undefined)
    return faultOf(value, schemas[schema.$ref.split("/").at(-1)!]!, schemas, at);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    const faults = options.map((option) => faultOf(value, option, schemas, at));
    const fitting = faults.filter((fault) => fault === null).length;
    if (fitting === 0) return `${at}: fits none of ${options.length}: ${faults.join("; ")}`;
    return fitting > 1 && schema.oneOf !== undefined ? `${at}: fits ${fitting} of oneOf` : null;
  }
  if (schema.allOf !== undefined) return faultOf(value, merged(schema.allOf, schemas), schemas, at);
  if (schema.const !== undefined)
    return value === schema.const ? null : `${at}: is not ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return `${at}: ${JSON.stringify(value)} is none of ${JSON.stringify(schema.enum)}`;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOf(value, type)))
    return `${at}: ${JSON.stringify(value)} is no ${String(schema.type)}`;
  if (
    typeof value === "string" &&
    schema.format !== undefined &&
    FORMATS[schema.format]?.test(value) === false
  )
    return `${at}: ${value} is no ${schema.format}`;
  const outside = boundsFault(value, schema);
  if (outside !== null) return `${at}: ${outside}`;
  if (Array.isArray(value))
    return firstOf(
      value.map((item, index) => faultOf(item, schema.items ?? {}, schemas, `${at}/${index}`)),
    );
  if (typeof value === "object" && value !== null && schema.type === "object")
    return objectFault(value as Record<string, unknown>, schema, schemas, at);
  return null;
}

function boundsFault(value: unknown, schema: JsonSchema): string | null {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const between = (size: number, least = -Infinity, most = Infinity) =>
    size >= least && size <= most ? null : `${size} is not within ${least} and ${most}`;
  if (typeof value === "number") return between(value, minimum, maximum);
  if (Array.isArray(value))
    return schema.uniqueItems === true && new Set(value).size < value.length
      ? "has an item twice"
      : between(value.length, minItems, maxItems);
  if (typeof value !== "string") return null;
  const misfit = pattern !== undefined && !new RegExp(pattern, "u").test(value);
  return misfit ? `does not match ${pattern}` : between(value.length, minLength, maxLength);
}

function objectFault(
  value: Record<string, unknown>,
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  at: string,
): string | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}/${missing}: is missing`;
  return firstOf(
    Object.entries(value).map(([name, each]) => {
      const known = properties[name];
      if (known !== undefined) return faultOf(each, known, schemas, `${at}/${name}`);
      if (typeof additionalProperties === "object")
        return faultOf(each, additionalProperties, schemas, `${at}/${name}`);
      const isOpen = additionalProperties === true || schema.properties === undefined;
      return isOpen ? null : `${at}/${name}: is not in the description`;
    }),
  );
}

const firstOf = (faults: (string | null)[]): string | null =>
  faults.find((fault) => fault !== null) ?? null;

function isOf(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function merged(parts: JsonSchema[], schemas: Record<string, JsonSchema>): JsonSchema {
  const whole = parts.map((part) =>
    part.$ref === undefined ? part : schemas[part.$ref.split("/").at(-1)!]!,
  );
  return {
    ...Object.assign({}, ...whole),
    properties: Object.assign({}, ...whole.map(({ properties }) => properties)),
    required: whole.flatMap(({ required = [] }) => required),
  };
}
