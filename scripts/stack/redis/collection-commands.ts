import { addInt64, float, formatFloat, glob, int64, options, pairs } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import { dropIfEmpty, type Keyspace, open, read } from "./keyspace.ts";
import { OK, RedisError, type Reply, syntaxError } from "./reply.ts";

function hset(keys: Keyspace, [key, ...rest]: string[]): number {
  const fields = pairs(rest, "hset");
  const hash = open(keys, key!, "hash");
  const before = hash.size;
  for (const [field, value] of fields) hash.set(field, value);
  return hash.size - before;
}

const hashOf = (keys: Keyspace, key: string) =>
  read(keys, key, "hash") ?? new Map<string, string>();
const setOf = (keys: Keyspace, key: string) => read(keys, key, "set") ?? new Set<string>();

/** HSCAN and SSCAN answer everything at once, as Redis does for small collections. */
const scanAll = (items: (keys: Keyspace, key: string) => string[][]): Command => ({
  arity: -3,
  run(keys, [key, , ...rest]) {
    let matches = (_: string) => true;
    for (const { name, next } of options(rest)) {
      if (name === "MATCH") matches = glob(next());
      else if (name === "COUNT") next();
      else throw syntaxError();
    }
    return [
      "0",
      items(keys, key!)
        .filter(([name]) => matches(name!))
        .flat(),
    ];
  },
});

export const hashCommands: Commands = {
  HSET: { arity: -4, run: hset },
  HMSET: {
    arity: -4,
    run(keys, args) {
      hset(keys, args);
      return OK;
    },
  },
  HSETNX: {
    arity: 4,
    run(keys, [key, field, value]) {
      if (read(keys, key!, "hash")?.has(field!)) return 0;
      open(keys, key!, "hash").set(field!, value!);
      return 1;
    },
  },
  HGET: { arity: 3, run: (keys, [key, field]) => hashOf(keys, key!).get(field!) ?? null },
  HMGET: {
    arity: -3,
    run(keys, [key, ...fields]) {
      const hash = hashOf(keys, key!);
      return fields.map((field) => hash.get(field) ?? null);
    },
  },
  HGETALL: { arity: 2, run: (keys, [key]) => [...hashOf(keys, key!)].flat() },
  HKEYS: { arity: 2, run: (keys, [key]) => [...hashOf(keys, key!).keys()] },
  HVALS: { arity: 2, run: (keys, [key]) => [...hashOf(keys, key!).values()] },
  HLEN: { arity: 2, run: (keys, [key]) => hashOf(keys, key!).size },
  HEXISTS: { arity: 3, run: (keys, [key, field]) => Number(hashOf(keys, key!).has(field!)) },
  HDEL: {
    arity: -3,
    run(keys, [key, ...fields]) {
      const hash = hashOf(keys, key!);
      const removed = fields.filter((field) => hash.delete(field)).length;
      dropIfEmpty(keys, key!);
      return removed;
    },
  },
  HINCRBY: {
    arity: 4,
    run(keys, [key, field, amount]) {
      const by = int64(amount!);
      const current = hashOf(keys, key!).get(field!) ?? "0";
      if (!/^-?\d+$/.test(current)) throw new RedisError("ERR hash value is not an integer");
      const sum = addInt64(int64(current), by);
      open(keys, key!, "hash").set(field!, sum.toString());
      return Number(sum);
    },
  },
  HINCRBYFLOAT: {
    arity: 4,
    run(keys, [key, field, amount]) {
      const current = hashOf(keys, key!).get(field!) ?? "0";
      const sum = formatFloat(float(current, "ERR hash value is not a float") + float(amount!));
      open(keys, key!, "hash").set(field!, sum);
      return sum;
    },
  },
  HSCAN: scanAll((keys, key) => [...hashOf(keys, key)]),
};

function union(sets: Set<string>[]): string[] {
  return [...new Set(sets.flatMap((set) => [...set]))];
}

const intersection = ([first, ...others]: Set<string>[]) =>
  [...(first ?? [])].filter((member) => others.every((other) => other.has(member)));

const difference = ([first, ...others]: Set<string>[]) =>
  [...(first ?? [])].filter((member) => !others.some((other) => other.has(member)));

const combine = (merge: (sets: Set<string>[]) => string[]): Command => ({
  arity: -2,
  run: (keys, args) => merge(args.map((key) => setOf(keys, key))),
});

const combineAndStore = (merge: (sets: Set<string>[]) => string[]): Command => ({
  arity: -3,
  run(keys, [to, ...from]) {
    const members = merge(from.map((key) => setOf(keys, key)));
    keys.delete(to!);
    if (members.length > 0) keys.set(to!, { type: "set", data: new Set(members) }, null);
    return members.length;
  },
});

/** SPOP and SRANDMEMBER: one member, or a list of up to `count` distinct ones. */
const pick = (takeOut: boolean): Command => ({
  arity: -2,
  run(keys, [key, count]) {
    const set = setOf(keys, key!);
    const wanted = count === undefined ? 1 : Number(int64(count));
    const picked: string[] = [];
    const pool = [...set];
    while (picked.length < Math.abs(wanted) && pool.length > 0) {
      const index = Math.floor(Math.random() * pool.length);
      picked.push(pool[index]!);
      // A negative count of SRANDMEMBER may repeat members.
      if (wanted > 0) pool.splice(index, 1);
    }
    if (takeOut) for (const member of picked) set.delete(member);
    dropIfEmpty(keys, key!);
    return count === undefined ? (picked[0] ?? null) : picked;
  },
});

export const setCommands: Commands = {
  SADD: {
    arity: -3,
    run(keys, [key, ...members]) {
      const set = open(keys, key!, "set");
      const before = set.size;
      for (const member of members) set.add(member);
      return set.size - before;
    },
  },
  SREM: {
    arity: -3,
    run(keys, [key, ...members]) {
      const set = setOf(keys, key!);
      const removed = members.filter((member) => set.delete(member)).length;
      dropIfEmpty(keys, key!);
      return removed;
    },
  },
  SMEMBERS: { arity: 2, run: (keys, [key]) => [...setOf(keys, key!)] },
  SISMEMBER: { arity: 3, run: (keys, [key, member]) => Number(setOf(keys, key!).has(member!)) },
  SMISMEMBER: {
    arity: -3,
    run(keys, [key, ...members]): Reply {
      const set = setOf(keys, key!);
      return members.map((member) => Number(set.has(member)));
    },
  },
  SCARD: { arity: 2, run: (keys, [key]) => setOf(keys, key!).size },
  SPOP: pick(true),
  SRANDMEMBER: pick(false),
  SMOVE: {
    arity: 4,
    run(keys, [from, to, member]) {
      const source = setOf(keys, from!);
      const target = setOf(keys, to!);
      if (!source.delete(member!)) return 0;
      dropIfEmpty(keys, from!);
      if (target.size === 0) open(keys, to!, "set").add(member!);
      else target.add(member!);
      return 1;
    },
  },
  SUNION: combine(union),
  SINTER: combine(intersection),
  SDIFF: combine(difference),
  SUNIONSTORE: combineAndStore(union),
  SINTERSTORE: combineAndStore(intersection),
  SDIFFSTORE: combineAndStore(difference),
  SSCAN: scanAll((keys, key) => [...setOf(keys, key)].map((member) => [member])),
};
