interface Entry {
  value: string;
  /** Epoch milliseconds, or null for a key that stays. */
  expiresAt: number | null;
}

export type Reply = string | number | null | typeof OK;

/** A status line ("+OK" on the wire), as opposed to a stored string. */
const OK = { status: "OK" } as const;

/** An error that goes to the client as it stands, such as "ERR syntax error". */
export class RedisError extends Error {}

export interface Keyspace {
  get(key: string): Entry | undefined;
  set(key: string, entry: Entry): void;
  delete(key: string): boolean;
  clear(): void;
}

/** Expiries follow `Date`. */
export function createKeyspace(): Keyspace {
  const map = new Map<string, Entry>();
  let writesSinceSweep = 0;
  const isLive = ({ expiresAt }: Entry) => expiresAt === null || expiresAt > Date.now();
  // Keys that are never read again must go too; a sweep per `map.size` writes costs O(1) a write.
  const sweep = () => {
    writesSinceSweep = 0;
    for (const [key, entry] of map) if (!isLive(entry)) map.delete(key);
  };
  const get = (key: string) => {
    const entry = map.get(key);
    return entry !== undefined && isLive(entry) ? entry : undefined;
  };
  return {
    get,
    set(key, entry) {
      map.set(key, entry);
      if (++writesSinceSweep > Math.max(1000, map.size)) sweep();
    },
    delete: (key) => get(key) !== undefined && map.delete(key),
    clear: () => map.clear(),
  };
}

type Command = (keys: Keyspace, args: string[]) => Reply;

/** What the service's cache sends. Others, and other options of these, are refused by their names. */
const commands: Readonly<Record<string, Command>> = {
  GET: (keys, args) => keys.get(textsOf(args, 1)[0]!)?.value ?? null,
  SET(keys, args) {
    const [key, value, unit, seconds] = textsOf(args, 4);
    if (unit!.toUpperCase() !== "EX") throw new RedisError(`ERR SET takes EX here, not ${unit}`);
    keys.set(key!, { value: value!, expiresAt: inSeconds(seconds!) });
    return OK;
  },
  INCR(keys, args) {
    const [key] = textsOf(args, 1);
    const entry = keys.get(key!);
    const value = Number(entry?.value ?? "0");
    if (!Number.isSafeInteger(value))
      throw new RedisError("ERR value is not an integer or out of range");
    keys.set(key!, { value: String(value + 1), expiresAt: entry?.expiresAt ?? null });
    return value + 1;
  },
  EXPIRE(keys, args) {
    const [key, seconds, flag] = textsOf(args, 3);
    if (flag!.toUpperCase() !== "NX") throw new RedisError(`ERR EXPIRE takes NX here, not ${flag}`);
    const entry = keys.get(key!);
    if (entry === undefined || entry.expiresAt !== null) return 0;
    entry.expiresAt = inSeconds(seconds!);
    return 1;
  },
  DEL: (keys, args) => Number(keys.delete(textsOf(args, 1)[0]!)),
};

function textsOf(args: string[], count: number): string[] {
  if (args.length !== count)
    throw new RedisError(`ERR wrong number of arguments: ${args.length}, not ${count}`);
  return args;
}

function inSeconds(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new RedisError("ERR invalid expire time");
  return Date.now() + Number(text) * 1000;
}

/** What the read-only token of an Upstash database may run. */
const READS = new Set(["GET"]);

export function execute(keys: Keyspace, name: string, args: string[], readOnly: boolean): Reply {
  const command = commands[name.toUpperCase()];
  if (command === undefined)
    throw new RedisError(`ERR unknown command '${name}': the local stack does not have it`);
  if (readOnly && !READS.has(name.toUpperCase()))
    throw new RedisError(
      `NOPERM this user has no permissions to run the '${name.toLowerCase()}' command`,
    );
  return command(keys, args);
}
