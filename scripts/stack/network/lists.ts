import { z } from "zod";
import { NetworkRefusal } from "./errors.ts";

export interface Listing<Item> {
  query: URLSearchParams;
  view(item: Item): object;
  /** Unless the query says it. */
  limit?: number;
  most?: number;
  /** Parameters that say what the list is of: the cursor carries them along, and what the query then says counts no more. */
  filters?: string[];
}

const cursorShape = z.object({
  limit: z.number().int().min(1),
  offset: z.number().int().min(0),
  /** The list's length when the first page was made: what is new since stands before it. */
  size: z.number().int().min(0),
  filters: z.record(z.string(), z.string()),
});
type Cursor = z.infer<typeof cursorShape>;

/** Base64 of JSON, as the provider's are. */
const encoded = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString("base64");

export function cursorOf(query: URLSearchParams): Cursor | null {
  const text = query.get("cursor");
  if (text === null || text === "") return null;
  try {
    return cursorShape.parse(JSON.parse(Buffer.from(text, "base64").toString("utf8")));
  } catch {
    throw new NetworkRefusal("invalid_parameters", "Invalid: cursor.");
  }
}

/** What a filter is: what the cursor carries, else what the query says. */
export function filterOf(query: URLSearchParams, name: string): string | null {
  const cursor = cursorOf(query);
  return (cursor === null ? query.get(name) : cursor.filters[name]) ?? null;
}

function limitOf(query: URLSearchParams, normal: number, most: number): number {
  const text = query.get("limit");
  if (text === null || text === "") return normal;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  throw new NetworkRefusal("invalid_parameters", `Invalid: limit; it is 1 to ${most}.`);
}

/** One page of a list whose newest stands first, stable while more is put in front. */
export function page<Item>(object: string, items: readonly Item[], listing: Listing<Item>): object {
  const { query, view, limit: normal = 100, most = 250, filters = [] } = listing;
  const before = cursorOf(query);
  const limit = limitOf(query, before?.limit ?? normal, most);
  const size = before?.size ?? items.length;
  const start = (before?.offset ?? 0) + Math.max(0, items.length - size);
  const end = start + limit;
  const next = {
    limit,
    offset: end - Math.max(0, items.length - size),
    size,
    filters: before?.filters ?? named(query, filters),
  };
  return {
    object,
    items: items.slice(start, end).map(view),
    cursor: end < items.length ? encoded(next) : null,
  };
}

const named = (query: URLSearchParams, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** An instant of stack time between `after` and `before`, where these are named. */
export function isWithin(query: URLSearchParams): (at: number) => boolean {
  const after = instantOf(query, "after") ?? -Infinity;
  const before = instantOf(query, "before") ?? Infinity;
  return (at) => at > after && at < before;
}

function instantOf(query: URLSearchParams, name: string): number | null {
  const text = filterOf(query, name);
  if (text === null || text === "") return null;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text)))
    return Date.parse(text);
  throw new NetworkRefusal("invalid_parameters", `Invalid: ${name}.`);
}

/** Of two of the same instant the later one stands first. */
export const newestFirst = <Item>(items: readonly Item[], at: (item: Item) => number): Item[] =>
  items.toReversed().toSorted((a, b) => at(b) - at(a));
