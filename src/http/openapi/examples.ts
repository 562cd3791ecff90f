import {
  type Content,
  type Description,
  everyOperation,
  nameOf,
  type Schema,
  type Schemas,
} from "./model.ts";
import { wordOf } from "./words.ts";

/** Thrown for a text field without an example; its message is the field's place. */
class NoWord extends Error {}

/**
 * Puts an example beside the schema of every body and every answer: the operation's own, the schema's
 * own, or one made of its fields' words. What is an example of a named schema is kept under that name.
 */
export function addExamples(description: Description): void {
  for (const { requestBody, responses } of everyOperation(description)) {
    addTo(requestBody, description, "asked");
    for (const response of Object.values(responses))
      if (!("$ref" in response)) addTo(response, description, "answered");
  }
  for (const response of Object.values(description.components.responses))
    addTo(response, description, "answered");
}

/** Of what is asked, no more than must be given; of an answer, everything. */
type Side = "asked" | "answered";

function addTo(content: Content | undefined, description: Description, side: Side): void {
  for (const media of Object.values(content?.content ?? {})) {
    if (media.schema === undefined || media.example !== undefined) continue;
    const { example } = exampleOf(media.schema, description.components.schemas, side);
    if (example === undefined) continue;
    const name = exampleName(media.schema);
    if (name === null) {
      media.example = example;
      continue;
    }
    description.components.examples[name] = { value: example };
    media.examples = { [name]: { $ref: `#/components/examples/${name}` } };
  }
}

function exampleName({ $ref, type, items }: Schema): string | null {
  if ($ref !== undefined) return nameOf({ $ref });
  return type === "array" && items?.$ref !== undefined ? `${nameOf({ $ref: items.$ref })}s` : null;
}

/** An example of a schema by itself; or the field that lacks a word. */
export function exampleOf(
  schema: Schema,
  schemas: Schemas,
  side: Side,
): { example?: unknown; lacking?: string } {
  try {
    return { example: make(schema, { schemas, side, path: "" }) };
  } catch (error) {
    if (error instanceof NoWord) return { lacking: error.message };
    throw error;
  }
}

interface Place {
  schemas: Schemas;
  side: Side;
  /** `Campaign.steps_config.step`: the nearest schema with a name, and the way from there. */
  path: string;
}

function make(schema: Schema, place: Place): unknown {
  const { $ref } = schema;
  if (schema.example !== undefined) return schema.example;
  const word = wordOf(place.path);
  if (word !== undefined && fits(word, schema, place.schemas)) return word;
  if (schema.default !== undefined) return schema.default;
  if ($ref !== undefined) {
    const named = place.schemas[nameOf({ $ref })]!;
    return make(named, named.enum === undefined ? { ...place, path: nameOf({ $ref }) } : place);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => make(part, place)));
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return make(options[0] ?? {}, place);
  return ofType(schema, place);
}

/** One word stands for fields of many schemas; a list takes it as its item. */
function fits(word: unknown, schema: Schema, schemas: Schemas): boolean {
  if (schema.$ref !== undefined)
    return fits(word, schemas[nameOf({ $ref: schema.$ref })]!, schemas);
  const options = schema.oneOf ?? schema.anyOf;
  if (options !== undefined) return options.some((option) => fits(word, option, schemas));
  const types = [schema.type ?? []].flat();
  if (word === null) return types.includes("null");
  if (schema.enum !== undefined) return schema.enum.includes(word);
  const type = Array.isArray(word) ? "array" : typeof word;
  return types.includes(type) || (types.includes("integer") && Number.isInteger(word));
}

function ofType(schema: Schema, place: Place): unknown {
  const [type] = [schema.type ?? "string"].flat();
  switch (type) {
    case "object":
      return Object.fromEntries(
        wanted(schema, place).map(([name, each]) => [
          name,
          make(each, { ...place, path: `${place.path}.${name}` }),
        ]),
      );
    case "array":
      return [make(schema.items ?? {}, place)];
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return false;
    default:
      return textOf(schema, place.path);
  }
}

/** Of a change, where nothing is required, its first field. */
function wanted({ properties = {}, required = [] }: Schema, { side }: Place) {
  const all = Object.entries(properties);
  if (side === "answered") return all;
  const needed = all.filter(([name]) => required.includes(name));
  return needed.length === 0 ? all.slice(0, 1) : needed;
}

function textOf({ format }: Schema, path: string): string {
  const name = path.split(".").at(-1)!;
  if (format === "uuid") return idOf(name === "id" ? path : name);
  if (format === "date-time") return "2027-01-04T09:00:00.000Z";
  throw new NoWord(path);
}

/** The same id wherever the same field stands, and that of a record where others refer to it: Campaign.id is campaign_id. */
function idOf(path: string): string {
  const [owner] = path.split(".");
  const name = path.endsWith(".id")
    ? `${owner!.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}_id`
    : path;
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 0xffffffffffff;
  return `01a1fc0c-6921-718e-aa4a-${hash.toString(16).padStart(12, "0")}`;
}
