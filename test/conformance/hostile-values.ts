import type { Schema, Schemas } from "#src/http/openapi/model.ts";
import { document } from "./operations.ts";
import { inFull } from "../support/full.ts";

export const { schemas } = document.components;

/** What a schema refers to, with what stands beside the reference. */
function resolve({ $ref, ...schema }: Schema, named: Schemas): Schema {
  if ($ref !== undefined)
    return { ...resolve(named[$ref.split("/").at(-1)!] ?? {}, named), ...schema };
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => resolve(part, named));
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }) as Schema;
}

/** Values that passed some validator somewhere and then broke what lay behind it. */
export const HOSTILE: unknown[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "é".repeat(700),
  "'; drop table users; --",
  "{{ 7 | times: 7 }}{% raw %}",
  "%_\\",
  "9999-12-31T23:59:59-12:00",
  "0000-01-01T00:00:00Z",
  "275760-09-13T00:00:00Z",
  "24:00:00",
  "Etc/Unknown",
  "__proto__",
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  [],
  [null],
  {},
  { constructor: { prototype: null } },
  { "a\u0000b": "c\u0000d" },
];

/** How many of the values stand at one place: all of them, or in turn every tenth, so that ten places take them all. */
const TURNS = inFull(1, 10);

/** The values for the place with this number. */
export const hostileAt = (place: number): unknown[] =>
  HOSTILE.filter((_, index) => index % TURNS === place % TURNS);

/** Every place in a body where another value could stand; of a list, its first item. */
export function placesOf(schema: Schema, at: string[] = []): string[][] {
  if (at.length > 5) return [];
  const whole = resolve(schema, schemas);
  const here = Object.entries(whole.properties ?? {});
  if (whole.items !== undefined) here.push(["0", whole.items]);
  return [
    ...here.flatMap(([name, each]) => [[...at, name], ...placesOf(each, [...at, name])]),
    ...[...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].flatMap((option) => placesOf(option, at)),
  ];
}

export function put(value: unknown, [name, ...rest]: string[], hostile: unknown): unknown {
  if (name === undefined) return hostile;
  if (name === "0") {
    const [first, ...others] = Array.isArray(value) ? value : [];
    return [put(first, rest, hostile), ...others];
  }
  const object = typeof value === "object" && value !== null ? value : {};
  return { ...object, [name]: put((object as Record<string, unknown>)[name], rest, hostile) };
}
