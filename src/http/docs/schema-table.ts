import { escapeHtml } from "#src/mime/escape-html.ts";
import type { Schema, Schemas } from "../openapi/model.ts";

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

/** What a schema refers to, with what stands beside the reference. */
export function resolve({ $ref, ...schema }: Schema, schemas: Schemas): Schema {
  if ($ref !== undefined)
    return { ...resolve(schemas[$ref.split("/").at(-1)!] ?? {}, schemas), ...schema };
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
