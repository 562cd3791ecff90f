import {
  addInt64,
  float,
  formatFloat,
  int64,
  integer,
  options,
  pairs,
  sliceBounds,
} from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import { type Keyspace, writeString } from "./keyspace.ts";
import { OK, RedisError, type Reply, syntaxError } from "./reply.ts";

const MS_PER_UNIT: Readonly<Record<string, number>> = { EX: 1000, PX: 1, EXAT: 1000, PXAT: 1 };

/** The instant at which a key expires by one of EX, PX, EXAT, PXAT. */
function expiryInstant(keys: Keyspace, unit: string, amount: string, command: string): number {
  const value = integer(amount);
  if (value <= 0) throw new RedisError(`ERR invalid expire time in '${command}' command`);
  return value * MS_PER_UNIT[unit]! + (unit.endsWith("AT") ? 0 : keys.now);
}

function set(keys: Keyspace, [key, data, ...rest]: string[]): Reply {
  let expiresAt: number | null | undefined;
  const flags = new Set<string>();
  for (const { name, next } of options(rest)) {
    if (name in MS_PER_UNIT || name === "KEEPTTL") {
      if (expiresAt !== undefined) throw syntaxError();
      const current = keys.get(key!)?.expiresAt ?? null;
      expiresAt = name === "KEEPTTL" ? current : expiryInstant(keys, name, next(), "set");
    } else if (["NX", "XX", "GET"].includes(name)) flags.add(name);
    else throw syntaxError();
  }
  if (flags.has("NX") && flags.has("XX")) throw syntaxError();
  const previous = flags.has("GET") ? (keys.get(key!)?.value ?? null) : null;
  const exists = keys.get(key!) !== undefined;
  const refused = (flags.has("NX") && exists) || (flags.has("XX") && !exists);
  if (!refused) keys.set(key!, data!, expiresAt ?? null);
  if (flags.has("GET")) return previous;
  return refused ? null : OK;
}

function getex(keys: Keyspace, [key, ...rest]: string[]): Reply {
  const data = keys.get(key!)?.value;
  let expiresAt: number | null | undefined;
  for (const { name, next } of options(rest)) {
    if (expiresAt !== undefined) throw syntaxError();
    if (name in MS_PER_UNIT) expiresAt = expiryInstant(keys, name, next(), "getex");
    else if (name === "PERSIST") expiresAt = null;
    else throw syntaxError();
  }
  if (data === undefined) return null;
  if (expiresAt !== undefined) keys.set(key!, data, expiresAt);
  return data;
}

function add(keys: Keyspace, key: string, amount: bigint): number {
  const sum = addInt64(int64(keys.get(key)?.value ?? "0"), amount);
  writeString(keys, key, sum.toString());
  return Number(sum);
}

const counter = (arity: number, amount: (args: string[]) => bigint): Command => ({
  arity,
  run: (keys, args) => add(keys, args[0]!, amount(args)),
});

const setFor = (unit: "EX" | "PX", command: string): Command => ({
  arity: 4,
  run(keys, [key, amount, data]) {
    const expiresAt = expiryInstant(keys, unit, amount!, command);
    keys.set(key!, data!, expiresAt);
    return OK;
  },
});

function getrange(keys: Keyspace, [key, start, stop]: string[]): Reply {
  const data = keys.get(key!)?.value ?? "";
  return data.slice(...sliceBounds(integer(start!), integer(stop!), data.length));
}

export const stringCommands: Commands = {
  GET: { arity: 2, run: (keys, [key]) => keys.get(key!)?.value ?? null },
  SET: { arity: -3, run: set },
  SETEX: setFor("EX", "setex"),
  PSETEX: setFor("PX", "psetex"),
  SETNX: {
    arity: 3,
    run(keys, [key, data]) {
      if (keys.get(key!) !== undefined) return 0;
      keys.set(key!, data!, null);
      return 1;
    },
  },
  GETSET: {
    arity: 3,
    run(keys, [key, data]) {
      const previous = keys.get(key!)?.value ?? null;
      keys.set(key!, data!, null);
      return previous;
    },
  },
  GETDEL: {
    arity: 2,
    run(keys, [key]) {
      const data = keys.get(key!)?.value;
      keys.delete(key!);
      return data ?? null;
    },
  },
  GETEX: { arity: -2, run: getex },
  MGET: {
    arity: -2,
    run: (keys, args) => args.map((key) => keys.get(key)?.value ?? null),
  },
  MSET: {
    arity: -3,
    run(keys, args) {
      for (const [key, data] of pairs(args, "mset")) keys.set(key, data, null);
      return OK;
    },
  },
  MSETNX: {
    arity: -3,
    run(keys, args) {
      const given = pairs(args, "msetnx");
      if (given.some(([key]) => keys.get(key) !== undefined)) return 0;
      for (const [key, data] of given) keys.set(key, data, null);
      return 1;
    },
  },
  INCR: counter(2, () => 1n),
  DECR: counter(2, () => -1n),
  INCRBY: counter(3, ([, amount]) => int64(amount!)),
  DECRBY: counter(3, ([, amount]) => -int64(amount!)),
  INCRBYFLOAT: {
    arity: 3,
    run(keys, [key, amount]) {
      const sum = float(keys.get(key!)?.value ?? "0") + float(amount!);
      if (!Number.isFinite(sum)) {
        throw new RedisError("ERR increment would produce NaN or Infinity");
      }
      writeString(keys, key!, formatFloat(sum));
      return formatFloat(sum);
    },
  },
  APPEND: {
    arity: 3,
    run(keys, [key, data]) {
      const joined = (keys.get(key!)?.value ?? "") + data!;
      writeString(keys, key!, joined);
      return joined.length;
    },
  },
  STRLEN: { arity: 2, run: (keys, [key]) => (keys.get(key!)?.value ?? "").length },
  GETRANGE: { arity: 4, run: getrange },
  SUBSTR: { arity: 4, run: getrange },
};
