import { el, prose } from "./dom.js";

const MAX_DEPTH = 5;

/** What a schema refers to, with what stands beside the reference. */
export function resolve({ $ref, ...schema }, schemas) {
  if ($ref !== undefined) return { ...resolve(schemas[lastOf($ref)] ?? {}, schemas), ...schema };
  if (schema.allOf === undefined) return schema;
  const parts = schema.allOf.map((part) => resolve(part, schemas));
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  });
}

export const lastOf = (ref) => ref.split("/").at(-1);

/** A type in a few words: `string`, `array of "mon" | "tue"`, `date-time or null`. */
export function typeOf(schema, schemas) {
  const found = resolve(schema, schemas);
  const options = found.anyOf ?? found.oneOf;
  if (options !== undefined)
    return [...new Set(options.map((option) => typeOf(option, schemas)))].join(" or ");
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (found.enum !== undefined) return found.enum.map((value) => JSON.stringify(value)).join(" | ");
  return [found.type ?? "any"]
    .flat()
    .map((type) => {
      if (type === "array") return `array of ${typeOf(found.items ?? {}, schemas)}`;
      return type === "string" && found.format !== undefined ? found.format : type;
    })
    .join(" or ");
}

/** A schema as a table of its fields; of several forms one each, of anything else its type. */
export function schemaView(schema, schemas) {
  const found = resolve(schema, schemas);
  if (found.type === "array" && found.items !== undefined)
    return [el("p", { class: "soft" }, "An array, each:"), schemaView(found.items, schemas)].flat();
  const forms = (found.oneOf ?? found.anyOf ?? []).filter(
    (form) => resolve(form, schemas).properties !== undefined,
  );
  if (found.properties === undefined && forms.length > 0)
    return forms.flatMap((form, index) => [
      el("h4", {}, forms.length === 1 ? "" : `Form ${index + 1} of ${forms.length}`, nameOf(form)),
      table(rowsOf(form, schemas)),
    ]);
  const rows = rowsOf(found, schemas);
  return rows.length === 0 ? [el("p", { class: "soft" }, typeOf(found, schemas))] : [table(rows)];
}

const nameOf = ({ $ref }) => ($ref === undefined ? "" : ` · ${lastOf($ref)}`);

export const table = (rows) =>
  el(
    "div",
    { class: "scroll" },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...["Field", "Type", "Notes"].map((name) => el("th", {}, name))),
      ),
      el("tbody", {}, ...rows),
    ),
  );

/** The fields of an object, those of nested ones below it and further in. */
export function rowsOf(schema, schemas, path = "", depth = 0) {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = depth < MAX_DEPTH ? objectWithin(field, schemas) : null;
    const at = path + name + (inner?.suffix ?? "");
    const row = fieldRow({ name, at, depth, field, isRequired: required.includes(name) }, schemas);
    return [row, ...(inner === null ? [] : rowsOf(inner.schema, schemas, `${at}.`, depth + 1))];
  });
}

export function fieldRow({ name, at, depth, field, isRequired, place }, schemas) {
  const bounds = boundsOf(resolve(field, schemas));
  const { description = "" } = resolve(field, schemas);
  return el(
    "tr",
    {},
    el(
      "td",
      { class: `depth-${depth}` },
      el("code", { title: at }, name),
      isRequired ? el("span", { class: "required" }, "required") : null,
      place === undefined ? null : el("small", {}, place),
    ),
    el("td", { class: "type" }, typeOf(field, schemas)),
    el(
      "td",
      {},
      prose(description),
      bounds === "" ? null : el("small", { class: "bounds" }, bounds),
    ),
  );
}

const BOUNDS = [
  ["minimum", "maximum", ""],
  ["minLength", "maxLength", " characters"],
  ["minItems", "maxItems", " items"],
];

function boundsOf(schema) {
  const options = schema.anyOf ?? schema.oneOf ?? [];
  const bounded = {
    ...options.findLast((option) => BOUNDS.flat().some((name) => option[name] !== undefined)),
    ...schema,
  };
  const words = BOUNDS.map(([low, high, what]) => between(bounded[low], bounded[high], what));
  if (schema.default !== undefined) words.push(`default ${JSON.stringify(schema.default)}`);
  return words.filter((word) => word !== "").join(" · ");
}

/** Bounds that only say "a whole number as JavaScript has them" say nothing. */
function between(low = -Infinity, high = Infinity, what = "") {
  const from = low <= Number.MIN_SAFE_INTEGER ? null : low;
  const to = high >= Number.MAX_SAFE_INTEGER ? null : high;
  if (from === null) return to === null ? "" : `at most ${to}${what}`;
  return to === null ? `${from} or more${what}` : `${from} to ${to}${what}`;
}

/** The object whose fields are worth listing below this one, with how its path goes on. */
function objectWithin(field, schemas) {
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
