import { float, formatFloat, glob, integer, options, pairs } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import { dropIfEmpty, type Keyspace, open } from "./keyspace.ts";
import { RedisError, type Reply, syntaxError } from "./reply.ts";
import { type Member, put, rankOf, remove } from "./sorted-set.ts";
import { listed, rangeCommand, scoreRange, select, setOf, within } from "./sorted-set-range.ts";

function zadd(keys: Keyspace, [key, ...rest]: string[]): Reply {
  const flags = new Set<string>();
  while (/^(nx|xx|gt|lt|ch|incr)$/i.test(rest[0] ?? "")) flags.add(rest.shift()!.toUpperCase());
  if (rest.length === 0 || rest.length % 2 === 1) throw syntaxError();
  if (flags.has("NX") && flags.has("XX")) {
    throw new RedisError("ERR XX and NX options at the same time are not compatible");
  }
  if (["GT", "LT", "NX"].filter((flag) => flags.has(flag)).length > 1) {
    throw new RedisError("ERR GT, LT, and/or NX options at the same time are not compatible");
  }
  if (flags.has("INCR") && rest.length > 2) {
    throw new RedisError("ERR INCR option supports a single increment-element pair");
  }
  const given = pairs(rest, "zadd").map(([score, member]) => ({ member, score: float(score) }));
  const set = open(keys, key!, "zset");
  let [added, changed] = [0, 0];
  let last: number | null = null;
  for (const { member, score } of given) {
    const current = set.scores.get(member);
    const wanted = flags.has("INCR") ? (current ?? 0) + score : score;
    if (Number.isNaN(wanted)) throw new RedisError("ERR resulting score is not a number (NaN)");
    if (refuses(flags, current, wanted)) continue;
    if (current === undefined) added++;
    else if (current !== wanted) changed++;
    put(set, member, wanted);
    last = wanted;
  }
  dropIfEmpty(keys, key!);
  if (flags.has("INCR")) return last === null ? null : formatFloat(last);
  return flags.has("CH") ? added + changed : added;
}

function refuses(flags: Set<string>, current: number | undefined, wanted: number): boolean {
  if (current === undefined) return flags.has("XX");
  if (flags.has("NX")) return true;
  return (flags.has("GT") && wanted <= current) || (flags.has("LT") && wanted >= current);
}

function removeAll(keys: Keyspace, key: string, items: Member[]): number {
  const set = setOf(keys, key);
  for (const { member } of items) remove(set, member);
  dropIfEmpty(keys, key);
  return items.length;
}

const popFrom = (end: "lowest" | "highest"): Command => ({
  arity: -2,
  run(keys, [key, count]) {
    const { ordered } = setOf(keys, key!);
    const wanted = count === undefined ? 1 : Math.max(0, integer(count));
    const items = (end === "lowest" ? [...ordered] : ordered.toReversed()).slice(0, wanted);
    removeAll(keys, key!, items);
    return listed(items, true);
  },
});

const rank = (reversed: boolean): Command => ({
  arity: 3,
  run(keys, [key, member]) {
    const set = setOf(keys, key!);
    const found = rankOf(set, member!);
    return found === null || !reversed ? found : set.scores.size - 1 - found;
  },
});

const score = (keys: Keyspace, key: string, member: string): string | null => {
  const found = setOf(keys, key).scores.get(member);
  return found === undefined ? null : formatFloat(found);
};

export const sortedSetCommands: Commands = {
  ZADD: { arity: -4, run: zadd },
  ZINCRBY: {
    arity: 4,
    run: (keys, [key, amount, member]) => zadd(keys, [key!, "INCR", amount!, member!]),
  },
  ZREM: {
    arity: -3,
    run(keys, [key, ...members]) {
      const set = setOf(keys, key!);
      const removed = members.filter((member) => remove(set, member)).length;
      dropIfEmpty(keys, key!);
      return removed;
    },
  },
  ZCARD: { arity: 2, run: (keys, [key]) => setOf(keys, key!).scores.size },
  ZSCORE: { arity: 3, run: (keys, [key, member]) => score(keys, key!, member!) },
  ZMSCORE: {
    arity: -3,
    run: (keys, [key, ...members]) => members.map((member) => score(keys, key!, member)),
  },
  ZCOUNT: {
    arity: 4,
    run: (keys, [key, min, max]) => within(keys, key!, scoreRange(min!, max!)).length,
  },
  ZRANK: rank(false),
  ZREVRANK: rank(true),
  ZRANGE: rangeCommand({ by: "rank", reversed: false }),
  ZREVRANGE: rangeCommand({ by: "rank", reversed: true }),
  ZRANGEBYSCORE: rangeCommand({ by: "score", reversed: false }),
  ZREVRANGEBYSCORE: rangeCommand({ by: "score", reversed: true }),
  ZRANGEBYLEX: rangeCommand({ by: "lex", reversed: false }),
  ZREMRANGEBYSCORE: {
    arity: 4,
    run: (keys, [key, min, max]) =>
      removeAll(keys, key!, within(keys, key!, scoreRange(min!, max!))),
  },
  ZREMRANGEBYRANK: {
    arity: 4,
    run(keys, [key, start, stop]) {
      return removeAll(
        keys,
        key!,
        select(keys, key!, start!, stop!, { by: "rank", reversed: false }),
      );
    },
  },
  ZPOPMIN: popFrom("lowest"),
  ZPOPMAX: popFrom("highest"),
  ZSCAN: {
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
        listed(
          setOf(keys, key!).ordered.filter((item) => matches(item.member)),
          true,
        ),
      ];
    },
  },
};
