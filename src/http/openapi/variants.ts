import type { Components, Schema } from "./model.ts";

/** One of the forms that a body has, beside the schema of them all: `.openapi(name, { "x-variants": ... })`. */
interface Variant {
  name: string;
  /** Required fields of this form that other forms may leave out. */
  needs: string[];
  /** Fields of the other forms. */
  without?: string[];
  /** The field that tells the forms apart, by its word here. */
  fixed?: Record<string, string>;
}

/** `oneOf` where the server refuses what has several forms at once, else `anyOf`. */
export type Variants = { oneOf: Variant[] } | { anyOf: Variant[] };

/** Writes a schema with conditions out as the schemas of its forms, each with a name. */
export function expandVariants({ schemas }: Components): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const variants = schema["x-variants"];
    if (variants === undefined) continue;
    const [kind, forms] = Object.entries(variants)[0] as ["oneOf" | "anyOf", Variant[]];
    const { type: _, properties: _properties, required: _required, ...said } = schema;
    delete said["x-variants"];
    for (const form of forms) schemas[form.name] = formOf(schema, form);
    const refs = forms.map((form) => ({ $ref: `#/components/schemas/${form.name}` }));
    schemas[name] = { ...said, [kind]: refs };
  }
}

function formOf(
  { properties = {}, required = [] }: Schema,
  { needs, without = [], fixed = {} }: Variant,
): Schema {
  const own = Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, each]) => [name, fieldOf(each, fixed[name], needs.includes(name))] as const);
  // A form that the field's default means need not say so.
  const told = Object.entries(fixed)
    .filter(([name, word]) => properties[name]?.default !== word)
    .map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(own),
    required: [...new Set([...required, ...needs, ...told])],
  };
}

function fieldOf(schema: Schema, word: string | undefined, isNeeded: boolean): Schema {
  if (word !== undefined) {
    const { default: by, ...rest } = schema;
    return { ...rest, enum: [word], ...(by === word ? { default: word } : {}) };
  }
  if (!isNeeded) return schema;
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  return types.length === 1 ? { ...schema, type: types[0]! } : schema;
}
