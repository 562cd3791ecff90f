import {
  type Components,
  type Description,
  everyOperation,
  nameOf,
  type Parameter,
  pascal,
  type Schema,
} from "./model.ts";

/** Names the page of each kind of item: `{items: [Lead], next_cursor, has_more}` is LeadPage. */
export function namePages(description: Description): void {
  const { schemas } = description.components;
  for (const { responses } of everyOperation(description))
    for (const response of Object.values(responses)) {
      if ("$ref" in response) continue;
      for (const media of Object.values(response.content ?? {})) {
        const name = media.schema === undefined ? null : pageNameOf(media.schema);
        if (name === null) continue;
        schemas[name] = media.schema!;
        media.schema = { $ref: `#/components/schemas/${name}` };
      }
    }
}

function pageNameOf({ properties }: Schema): string | null {
  const item = properties?.["items"]?.items;
  const isPage = item?.$ref !== undefined && Object.keys(properties!).includes("next_cursor");
  return isPage ? `${nameOf({ $ref: item.$ref! })}Page` : null;
}

/** Describes a parameter of several operations once; of differing ones, the most frequent. */
export function shareParameters(description: Description): void {
  const operations = everyOperation(description);
  const uses = new Map<string, { parameter: Parameter; count: number }>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if ("$ref" in parameter) continue;
    const key = JSON.stringify(parameter);
    uses.set(key, { parameter, count: (uses.get(key)?.count ?? 0) + 1 });
  }
  const shared = new Map<string, string>();
  const byUse = [...uses].toSorted(([, a], [, b]) => b.count - a.count);
  for (const [key, { parameter, count }] of byUse) {
    const name = pascal(parameter.name);
    if (count < 2 || name in description.components.parameters) continue;
    description.components.parameters[name] = parameter;
    shared.set(key, name);
  }
  for (const operation of operations)
    if (operation.parameters !== undefined)
      operation.parameters = operation.parameters.map((parameter) => {
        const name = shared.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      });
}

/** Of the components of these kinds, those that something refers to: by turns, since what goes may be the last that referred to another. */
export function keepUsed(
  description: Description,
  kinds: readonly Exclude<keyof Components, "securitySchemes">[] = ["responses", "headers"],
): void {
  const { components } = description;
  for (let isDone = false; !isDone;) {
    isDone = true;
    const text = JSON.stringify(description);
    for (const kind of kinds)
      for (const name of Object.keys(components[kind]))
        if (!text.includes(`"#/components/${kind}/${name}"`)) {
          delete components[kind][name];
          isDone = false;
        }
  }
}
