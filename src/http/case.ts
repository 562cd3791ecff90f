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

export function snakeKeys<T extends object>(row: T): SnakeKeys<T> {
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      snake(key),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as SnakeKeys<T>;
}
