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

/** What records without these fields are called on the wire. */
interface Plan {
  /** Null for what is hidden. Of the code's own fields, so there are no more of them than the code has. */
  known: Names;
  /** The fields of the last record in their order, and their names: those of a list's next record are the same. */
  fields: string[];
  names: (string | null)[];
}
const plans = new WeakMap<ReadonlySet<unknown>, Plan>();

function planOf(hidden: ReadonlySet<unknown>): Plan {
  const plan = plans.get(hidden) ?? { known: new Map(), fields: [], names: [] };
  plans.set(hidden, plan);
  return plan;
}

function nameIn(known: Names, field: string, hidden: ReadonlySet<unknown>): string | null {
  const before = known.get(field);
  if (before !== undefined) return before;
  const name = hidden.has(field)
    ? null
    : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  known.set(field, name);
  return name;
}

/** A record without its `hidden` fields. Written out, because lists do this for each field of each row. */
export function snakeKeys<T extends object, H extends keyof T = never>(
  row: T,
  hidden: ReadonlySet<H> = NOTHING,
): SnakeKeys<Omit<T, H>> {
  const { known, fields, names } = planOf(hidden);
  const wire: Record<string, unknown> = {};
  let place = 0;
  for (const field in row) {
    if (fields[place] !== field) {
      fields[place] = field;
      names[place] = nameIn(known, field, hidden);
    }
    const name = names[place++] ?? null;
    if (name === null) continue;
    const value: unknown = row[field];
    wire[name] = typeof value === "object" && value instanceof Date ? value.toISOString() : value;
  }
  return wire as SnakeKeys<Omit<T, H>>;
}
