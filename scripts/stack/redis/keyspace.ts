import { wrongType } from "./reply.ts";
import { createSortedSet, type SortedSet } from "./sorted-set.ts";

interface DataOf {
  string: string;
  list: string[];
  set: Set<string>;
  hash: Map<string, string>;
  zset: SortedSet;
}

export type Type = keyof DataOf;
export type Value = { [T in Type]: { type: T; data: DataOf[T] } }[Type];

export interface Entry {
  value: Value;
  /** Epoch milliseconds, or null for a key that stays. */
  expiresAt: number | null;
  /** Grows with each key created; the cursor of SCAN. */
  id: number;
}

export interface Keyspace {
  /** The instant of the running command or transaction, in epoch milliseconds. */
  now: number;
  get(key: string): Entry | undefined;
  set(key: string, value: Value, expiresAt: number | null): void;
  delete(key: string): boolean;
  /** Live keys, oldest first. */
  entries(): [string, Entry][];
  clear(): void;
}

export function createKeyspace(): Keyspace {
  const map = new Map<string, Entry>();
  let nextId = 1;
  let writesSinceSweep = 0;

  const isLive = (entry: Entry) => entry.expiresAt === null || entry.expiresAt > keyspace.now;

  // Keys that nobody reads again must go too; a sweep per `map.size` writes costs O(1) a write.
  const sweep = () => {
    writesSinceSweep = 0;
    for (const [key, entry] of map) if (!isLive(entry)) map.delete(key);
  };

  const keyspace: Keyspace = {
    now: Date.now(),
    get(key) {
      const entry = map.get(key);
      if (entry === undefined || isLive(entry)) return entry;
      map.delete(key);
      return undefined;
    },
    set(key, value, expiresAt) {
      const existing = keyspace.get(key);
      map.set(key, { value, expiresAt, id: existing?.id ?? nextId++ });
      if (++writesSinceSweep > Math.max(1000, map.size)) sweep();
    },
    delete(key) {
      return keyspace.get(key) !== undefined && map.delete(key);
    },
    entries() {
      sweep();
      return [...map];
    },
    clear: () => map.clear(),
  };
  return keyspace;
}

const EMPTY: { [T in Exclude<Type, "string">]: () => DataOf[T] } = {
  list: () => [],
  set: () => new Set(),
  hash: () => new Map(),
  zset: createSortedSet,
};

/** The data of a key, undefined if it is absent; WRONGTYPE if it holds another kind. */
export function read<T extends Type>(keys: Keyspace, key: string, type: T): DataOf[T] | undefined {
  const entry = keys.get(key);
  if (entry === undefined) return undefined;
  if (entry.value.type !== type) throw wrongType();
  return entry.value.data as DataOf[T];
}

/** Like `read`, but an absent key is created empty; the caller puts something in. */
export function open<T extends Exclude<Type, "string">>(
  keys: Keyspace,
  key: string,
  type: T,
): DataOf[T] {
  const existing = read(keys, key, type);
  if (existing !== undefined) return existing;
  const data: DataOf[T] = EMPTY[type]();
  keys.set(key, { type, data } as Value, null);
  return data;
}

const sizeOf = (value: Value) => {
  switch (value.type) {
    case "string":
      return 1;
    case "list":
      return value.data.length;
    case "zset":
      return value.data.scores.size;
    case "set":
    case "hash":
      return value.data.size;
  }
};

/** Redis knows no empty collections: the last element takes its key along. */
export function dropIfEmpty(keys: Keyspace, key: string): void {
  const entry = keys.get(key);
  if (entry !== undefined && sizeOf(entry.value) === 0) keys.delete(key);
}

/** Writes a string, keeping the key's expiry. */
export function writeString(keys: Keyspace, key: string, data: string): void {
  keys.set(key, { type: "string", data }, keys.get(key)?.expiresAt ?? null);
}
