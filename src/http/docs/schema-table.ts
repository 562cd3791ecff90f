import { escapeHtml } from "#src/mime/escape-html.ts";

/** The part of JSON Schema 2020-12 that our own description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

const MAX_DEPTH = 4;

/** The fields of an object as table rows; those of nested objects follow, indented by their path. */
export function fieldRows(schema: Schema, schemas: Schemas, prefix = "", depth = 0): string {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  return Object.entries(properties)
    .map(([name, field]) => {
      const path = prefix + name;
      const inner = objectWithin(field, schemas);
      const nested =
        inner !== null && depth < MAX_DEPTH
          ? fieldRows(inner.schema, schemas, `${path}${inner.suffix}.`, depth + 1)
          : "";
      const need = required.includes(name) ? "required" : "";
      const notes = [boundsOf(resolve(field, schemas)), escapeHtml(field.description ?? "")]
        .filter(Boolean)
        .join("; ");
      return `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(typeOf(field, schemas))}</td><td>${need}</td><td>${notes}</td></tr>${nested}`;
    })
    .join("");
}

export function typeOf(schema: Schema, schemas: Schemas): string {
  const found = resolve(schema, schemas);
  const options = found.anyOf ?? found.oneOf;
  if (options !== undefined)
    return [...new Set(options.map((option) => typeOf(option, schemas)))].join(" or ");
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum !== undefined) return found.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = [found.type ?? "any"].flat();
  return types
    .map((type) => {
      if (type === "array") return `array of ${typeOf(found.items ?? {}, schemas)}`;
      return type === "string" && found.format !== undefined ? found.format : type;
    })
    .join(" or ");
}

function boundsOf(schema: Schema): string {
  const bounded = { ...(schema.anyOf ?? schema.oneOf)?.findLast(hasBounds), ...schema };
  const between = (low: number | undefined, high: number | undefined, what: string) => {
    if (low === undefined && high === undefined) return "";
    if (high === undefined || high >= Number.MAX_SAFE_INTEGER)
      return low === undefined || low <= Number.MIN_SAFE_INTEGER ? "" : `${low} or more${what}`;
    return low === undefined || low <= Number.MIN_SAFE_INTEGER
      ? `at most ${high}${what}`
      : `${low} to ${high}${what}`;
  };
  return [
    between(bounded.minimum, bounded.maximum, ""),
    between(bounded.minLength, bounded.maxLength, " characters"),
    between(bounded.minItems, bounded.maxItems, " items"),
    schema.default === undefined
      ? ""
      : `default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`,
  ]
    .filter(Boolean)
    .join("; ");
}

const hasBounds = (schema: Schema) =>
  (["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"] as const).some(
    (bound) => schema[bound] !== undefined,
  );

/** An example value, as short as the schema allows; for the curl line. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const found = resolve(schema, schemas);
  if (found.example !== undefined) return found.example;
  if (found.default !== undefined) return found.default;
  if (found.const !== undefined) return found.const;
  if (found.enum !== undefined) return found.enum[0];
  const options = found.anyOf ?? found.oneOf;
  if (options !== undefined) return exampleOf(options[0] ?? {}, schemas, depth);
  const [type] = [found.type ?? "string"].flat();
  if (type === "object") {
    const properties = Object.entries(found.properties ?? {});
    const required = properties.filter(([name]) => found.required?.includes(name));
    // Of a change, where nothing is required, its first field.
    const wanted = required.length === 0 && depth === 0 ? properties.slice(0, 1) : required;
    return depth > MAX_DEPTH
      ? {}
      : Object.fromEntries(
          wanted.map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]),
        );
  }
  if (type === "array")
    return depth > MAX_DEPTH ? [] : [exampleOf(found.items ?? {}, schemas, depth + 1)];
  if (type === "integer" || type === "number") return Math.max(1, found.minimum ?? 1);
  if (type === "boolean") return true;
  if (found.format === "uuid") return "01a1fc0c-6921-718e-aa4a-ab45df202f28";
  if (found.format === "email") return "ada@example.com";
  if (found.format === "date-time") return "2027-01-04T09:00:00Z";
  return "text".padEnd(found.minLength ?? 0, " text");
}

export function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined)
    return resolve(schemas[schema.$ref.split("/").at(-1)!] ?? {}, schemas);
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => resolve(part, schemas));
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }) as Schema;
}

/** The object whose fields are worth listing below this one, with how its path goes on. */
function objectWithin(field: Schema, schemas: Schemas): { schema: Schema; suffix: string } | null {
  const found = resolve(field, schemas);
  if (found.properties !== undefined) return { schema: found, suffix: "" };
  if (found.items !== undefined) {
    const inner = objectWithin(found.items, schemas);
    return inner && { schema: inner.schema, suffix: `[]${inner.suffix}` };
  }
  for (const option of found.anyOf ?? found.oneOf ?? []) {
    const inner = objectWithin(option, schemas);
    if (inner !== null) return inner;
  }
  return null;
}
