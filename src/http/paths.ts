import type { AppContext } from "./context.ts";

/** The methods of each path: for 405 with `Allow`, and for the 307 between a path and its twin with or without the last slash. */
export interface PathTable {
  /** Methods served at exactly this path, upper case. */
  methodsAt(path: string): string[];
}

/** Built from Hono's own list of routes; `all` handlers (middleware) are not operations. */
export function createPathTable(routes: { method: string; path: string }[]): PathTable {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();
  for (const { method, path } of routes) {
    if (method === "ALL" || path.includes("*")) continue;
    const known = patterns.get(path) ?? { matches: toRegExp(path), methods: new Set<string>() };
    known.methods.add(method);
    if (method === "GET") known.methods.add("HEAD");
    patterns.set(path, known);
  }
  const all = [...patterns.values()];
  return {
    methodsAt(path) {
      // A literal path wins over a pattern: its last part is no id.
      const exact = patterns.get(path);
      const here = exact === undefined ? all.filter(({ matches }) => matches.test(path)) : [exact];
      return [...new Set(here.flatMap(({ methods }) => [...methods]))].sort();
    },
  };
}

function toRegExp(path: string): RegExp {
  const source = path
    .split("/")
    .map((segment) =>
      segment.startsWith(":") ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("/");
  return new RegExp(`^${source}$`);
}

export function twinOf(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The last id in an operation's path (`/datasets/{dataset_id}/leads/{lead_id}`: the lead's); null where there is none. */
export function lastId(c: AppContext, path: string): string | null {
  // By their names: the router gives the parameters in an order of its own.
  const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => c.req.param(name!));
  return values.findLast((value) => value !== undefined && UUID.test(value)) ?? null;
}
