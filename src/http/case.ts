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

/** Of the code's own fields, so there are no more of them than the code has. */
const snakeNames = new Map<string, string>();

function snakeName(key: string): string {
  const known = snakeNames.get(key);
  if (known !== undefined) return known;
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeNames.set(key, name);
  return name;
}

/** A record without its `hidden` fields. Written out, because lists do this for each field of each row. */
export function snakeKeys<T extends object, H extends keyof T = never>(
  row: T,
  hidden?: ReadonlySet<H>,
): SnakeKeys<Omit<T, H>> {
  const wire: Record<string, unknown> = {};
  for (const key of Object.keys(row)) {
    if (hidden?.has(key as H)) continue;
    const value = row[key as keyof T];
    wire[snakeName(key)] = value instanceof Date ? value.toISOString() : value;
  }
  return wire as SnakeKeys<Omit<T, H>>;
}
