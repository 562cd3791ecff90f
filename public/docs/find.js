/** All that is said of an operation, to find it by: its words, and the names of its fields. */
export function wordsOf({
  path,
  method,
  summary = "",
  description = "",
  parameters,
  body,
  components,
}) {
  const names = parameters.map(({ name }) => name);
  const fields =
    body?.schema === undefined ? [] : namesOf(body.schema, components.schemas, new Set());
  return [method, path, summary, description, ...names, ...fields].join(" ").toLowerCase();
}

function namesOf(schema, schemas, seen) {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  if ($ref !== undefined) {
    if (seen.has($ref)) return [];
    seen.add($ref);
    return namesOf(schemas[$ref.split("/").at(-1)] ?? {}, schemas, seen);
  }
  const within = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  if (items !== undefined) within.push(items);
  return [...Object.keys(properties), ...within.flatMap((each) => namesOf(each, schemas, seen))];
}

/** Every word has to be there. */
export function matches(words, query) {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}
