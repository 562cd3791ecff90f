/** The wire speaks snake_case, the code camelCase; records whose fields correspond one to one cross over here. */

type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type Snake<S> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

/** Top-level keys only; values, JSON included, stay as they are. Absent keys stay absent. */
export type CamelKeys<T> = { [K in keyof T as Camel<K>]: Exclude<T[K], undefined> };

/** Dates become ISO 8601 text. */
export type SnakeKeys<T> = { [K in keyof T as Snake<K>]: WireValue<T[K]> };
type WireValue<V> = V extends Date ? string : V;

export function camelKeys<T extends object>(wire: T): CamelKeys<T> {
  const entries = Object.entries(wire).filter(([, value]) => value !== undefined);
  const camel = (key: string) =>
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(entries.map(([key, value]) => [camel(key), value])) as CamelKeys<T>;
}

type Names = Map<string, string | null>;
const NOTHING: ReadonlySet<never> = new Set<never>();
/** Names on the wire by what is hidden, null for that. Of the code's own fields, so there are no more of them than the code has. */
const names = new WeakMap<ReadonlySet<unknown>, Names>();

function nameIn(known: Names, key: string, hidden: ReadonlySet<unknown>): string | null {
  const name = hidden.has(key)
    ? null
    : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  known.set(key, name);
  return name;
}

/** A record without its `hidden` fields. Written out, because lists do this for each field of each row. */
export function snakeKeys<T extends object, H extends keyof T = never>(
  row: T,
  hidden: ReadonlySet<H> = NOTHING,
): SnakeKeys<Omit<T, H>> {
  const known: Names = names.get(hidden) ?? new Map();
  names.set(hidden, known);
  const wire: Record<string, unknown> = {};
  for (const key of Object.keys(row)) {
    let name = known.get(key);
    if (name === undefined) name = nameIn(known, key, hidden);
    if (name === null) continue;
    const value = row[key as keyof T];
    wire[name] = value instanceof Date ? value.toISOString() : value;
  }
  return wire as SnakeKeys<Omit<T, H>>;
}
