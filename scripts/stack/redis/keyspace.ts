export interface Entry {
  value: string;
  /** Epoch milliseconds, or null for a key that stays. */
  expiresAt: number | null;
  /** Grows with each key created; the cursor of SCAN. */
  id: number;
}

export interface Keyspace {
  /** The instant of the running command or transaction, in epoch milliseconds. */
  now: number;
  get(key: string): Entry | undefined;
  set(key: string, value: string, expiresAt: number | null): void;
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

/** Writes a string, keeping the key's expiry. */
export function writeString(keys: Keyspace, key: string, data: string): void {
  keys.set(key, data, keys.get(key)?.expiresAt ?? null);
}
