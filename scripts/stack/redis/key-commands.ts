import { glob, integer, options } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import type { Keyspace } from "./keyspace.ts";
import { OK, RedisError, type Reply, syntaxError } from "./reply.ts";

const CONDITIONS = new Set(["NX", "XX", "GT", "LT"]);

/** EXPIRE and its kin: `toInstant` turns the argument into epoch milliseconds. */
const expire = (command: string, toInstant: (value: number, now: number) => number): Command => ({
  arity: -3,
  run(keys, [key, amount, ...rest]) {
    const conditions = new Set(rest.map((word) => word.toUpperCase()));
    for (const condition of conditions) {
      if (!CONDITIONS.has(condition)) throw new RedisError(`ERR Unsupported option ${condition}`);
    }
    if (conditions.has("NX") && conditions.size > 1) {
      throw new RedisError("ERR NX and XX, GT or LT options at the same time are not compatible");
    }
    if (conditions.has("GT") && conditions.has("LT")) {
      throw new RedisError("ERR GT and LT options at the same time are not compatible");
    }
    const instant = toInstant(integer(amount!), keys.now);
    if (!Number.isSafeInteger(instant)) {
      throw new RedisError(`ERR invalid expire time in '${command}' command`);
    }
    const entry = keys.get(key!);
    if (entry === undefined || !allows(conditions, entry.expiresAt, instant)) return 0;
    if (instant <= keys.now) keys.delete(key!);
    else entry.expiresAt = instant;
    return 1;
  },
});

/** A key without expiry counts as one that expires infinitely late. */
function allows(conditions: Set<string>, current: number | null, wanted: number): boolean {
  if (conditions.has("NX") && current !== null) return false;
  if (conditions.has("XX") && current === null) return false;
  if (conditions.has("GT") && wanted <= (current ?? Infinity)) return false;
  return !conditions.has("LT") || wanted < (current ?? Infinity);
}

/** -2 for no such key, -1 for no expiry, else what `measure` makes of it. */
const timeToLive = (measure: (expiresAt: number, now: number) => number): Command => ({
  arity: 2,
  run(keys, [key]) {
    const entry = keys.get(key!);
    if (entry === undefined) return -2;
    return entry.expiresAt === null ? -1 : measure(entry.expiresAt, keys.now);
  },
});

const countKeys = (test: (keys: Keyspace, key: string) => boolean): Command => ({
  arity: -2,
  run: (keys, args) => args.filter((key) => test(keys, key)).length,
});

const rename = (onlyIfFree: boolean): Command => ({
  arity: 3,
  run(keys, [from, to]) {
    const entry = keys.get(from!);
    if (entry === undefined) throw new RedisError("ERR no such key");
    if (onlyIfFree && keys.get(to!) !== undefined) return 0;
    keys.delete(from!);
    keys.set(to!, entry.value, entry.expiresAt);
    return onlyIfFree ? 1 : OK;
  },
});

/** The cursor is the id of the last key seen, so a key that stays is never missed. */
function scan(keys: Keyspace, [cursor, ...rest]: string[]): Reply {
  if (!/^\d+$/.test(cursor!)) throw new RedisError("ERR invalid cursor");
  const wanted = { matches: (_: string) => true, count: 10 };
  for (const { name, next } of options(rest)) {
    if (name === "MATCH") wanted.matches = glob(next());
    else if (name === "COUNT") wanted.count = integer(next());
    else throw syntaxError();
  }
  if (wanted.count < 1) throw syntaxError();
  const left = keys.entries().filter(([, entry]) => entry.id > Number(cursor));
  const seen = left.slice(0, wanted.count);
  const nextCursor = seen.length < left.length ? String(seen.at(-1)![1].id) : "0";
  return [nextCursor, seen.flatMap(([key]) => (wanted.matches(key) ? [key] : []))];
}

export const keyCommands: Commands = {
  DEL: countKeys((keys, key) => keys.delete(key)),
  UNLINK: countKeys((keys, key) => keys.delete(key)),
  EXISTS: countKeys((keys, key) => keys.get(key) !== undefined),
  TOUCH: countKeys((keys, key) => keys.get(key) !== undefined),
  EXPIRE: expire("expire", (seconds, now) => now + seconds * 1000),
  PEXPIRE: expire("pexpire", (ms, now) => now + ms),
  EXPIREAT: expire("expireat", (seconds) => seconds * 1000),
  PEXPIREAT: expire("pexpireat", (ms) => ms),
  TTL: timeToLive((expiresAt, now) => Math.round((expiresAt - now) / 1000)),
  PTTL: timeToLive((expiresAt, now) => expiresAt - now),
  EXPIRETIME: timeToLive((expiresAt) => Math.floor(expiresAt / 1000)),
  PEXPIRETIME: timeToLive((expiresAt) => expiresAt),
  PERSIST: {
    arity: 2,
    run(keys, [key]) {
      const entry = keys.get(key!);
      if (entry === undefined || entry.expiresAt === null) return 0;
      entry.expiresAt = null;
      return 1;
    },
  },
  TYPE: {
    arity: 2,
    run: (keys, [key]) => ({ status: keys.get(key!) === undefined ? "none" : "string" }),
  },
  RENAME: rename(false),
  RENAMENX: rename(true),
  KEYS: {
    arity: 2,
    run(keys, [pattern]) {
      const matches = glob(pattern!);
      return keys.entries().flatMap(([key]) => (matches(key) ? [key] : []));
    },
  },
  SCAN: { arity: -2, run: scan },
  RANDOMKEY: {
    arity: 1,
    run(keys) {
      const all = keys.entries();
      return all[Math.floor(Math.random() * all.length)]?.[0] ?? null;
    },
  },
};
