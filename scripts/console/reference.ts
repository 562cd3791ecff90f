import {
  nameOf,
  operationsOf,
  parametersIn,
  type Description,
  type Operation,
  type Schema,
} from "./schema.ts";

interface Tagged extends Description {
  info: { description: string };
  tags: { name: string; description: string }[];
}

/** `public/docs.md`: all operations as text, for who reads no page; each a line or two, and where the whole is. */
export function reference(description: Description, paid: Description): string {
  const { info, tags } = description as Tagged;
  const lines = new Map<string, string[]>(tags.map(({ name }) => [name, []]));
  for (const source of [description, paid])
    for (const { path, method, operation } of operationsOf(source.paths))
      for (const tag of (operation.tags ?? []).filter((each) => source !== paid || each === PAID))
        lines.get(tag)!.push(lineOf(`${method.toUpperCase()} ${path}`, operation, source));
  return [
    "# Overture: the API",
    info.description,
    "Types, examples and errors are in [the description](/openapi/v2.json), by the operation's id. A field or parameter with `?` may be left out. In square brackets is the scope that a key needs; `unscoped`: a key that was made with scopes may not.",
    ...tags
      .filter(({ name }) => lines.get(name)!.length > 0)
      .flatMap((tag) => [`## ${tag.name}`, tag.description, lines.get(tag.name)!.join("\n")]),
    "",
  ].join("\n\n");
}

/** Of version 1 alone. */
const PAID = "Paid calls";

function lineOf(at: string, operation: Operation, { components }: Description): string {
  const { operationId, summary, security = [] } = operation;
  const scopes = security.flatMap((each) => each["api_key"] ?? []);
  const query = parametersIn(operation, components)
    .filter((each) => each.in === "query")
    .map(({ name, required }) => named(name, required === true));
  const parts = [
    ...(query.length > 0 ? [`Query: ${query.join(", ")}.`] : []),
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, { schema }]) =>
        `Body${type === JSON_TYPE ? "" : ` (${type})`}: ${fieldsOf(schema, components)}.`,
    ),
  ];
  const scope = scopes.length > 0 ? ` [${scopes.join(", ")}]` : "";
  return [`- \`${at}\` ${operationId}${scope}: ${summary}.`, ...parts].join(" ");
}

const JSON_TYPE = "application/json";

const named = (name: string, isRequired: boolean): string => `\`${name}${isRequired ? "" : "?"}\``;

function fieldsOf(schema: Schema, components: Description["components"]): string {
  if (schema.$ref !== undefined)
    return fieldsOf(components.schemas[nameOf(schema.$ref)]!, components);
  const { properties = {}, required = [] } = schema;
  const fields = Object.keys(properties).map((field) => named(field, required.includes(field)));
  return fields.length === 0 ? "as the description says" : fields.join(", ");
}
