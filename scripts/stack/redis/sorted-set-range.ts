import { float, formatFloat, integer, options, sliceBounds } from "./arguments.ts";
import type { Command } from "./command.ts";
import { type Keyspace, read } from "./keyspace.ts";
import { RedisError, syntaxError } from "./reply.ts";
import { countBefore, createSortedSet, type Member } from "./sorted-set.ts";

export const setOf = (keys: Keyspace, key: string) => read(keys, key, "zset") ?? createSortedSet();

export const listed = (items: Member[], withScores: boolean): string[] =>
  items.flatMap(({ member, score }) => (withScores ? [member, formatFloat(score)] : [member]));

/** Tests for the two ends of a range: whether an item is at or past `min`, and whether it is past `max`. */
interface Range {
  reachesMin(item: Member): boolean;
  passesMax(item: Member): boolean;
}

export function scoreRange(min: string, max: string): Range {
  const bound = (text: string) => {
    const exclusive = text.startsWith("(");
    const value = float(exclusive ? text.slice(1) : text, "ERR min or max is not a float");
    return { exclusive, value };
  };
  const [low, high] = [bound(min), bound(max)];
  return {
    reachesMin: ({ score }) => (low.exclusive ? score > low.value : score >= low.value),
    passesMax: ({ score }) => (high.exclusive ? score >= high.value : score > high.value),
  };
}

function lexRange(min: string, max: string): Range {
  const bound = (text: string) => {
    if (text === "-" || text === "+") return text;
    if (!/^[[(]/.test(text)) throw new RedisError("ERR min or max not valid string range item");
    return { exclusive: text.startsWith("("), value: text.slice(1) };
  };
  const [low, high] = [bound(min), bound(max)];
  return {
    reachesMin({ member }) {
      if (typeof low === "string") return low === "-";
      return low.exclusive ? member > low.value : member >= low.value;
    },
    passesMax({ member }) {
      if (typeof high === "string") return high === "-";
      return high.exclusive ? member >= high.value : member > high.value;
    },
  };
}

export function within(keys: Keyspace, key: string, range: Range): Member[] {
  const set = setOf(keys, key);
  return set.ordered.slice(countBefore(set, range.reachesMin), countBefore(set, range.passesMax));
}

interface RangeOptions {
  by: "rank" | "score" | "lex";
  reversed: boolean;
}

/** Every command of the ZRANGE family; what its name fixes comes in `fixed`, the rest as options. */
export const rangeCommand = (fixed: RangeOptions): Command => ({
  arity: -4,
  run(keys, [key, start, stop, ...rest]) {
    const wanted = { ...fixed, withScores: false, limit: null as [number, number] | null };
    for (const { name, next } of options(rest)) {
      if (name === "BYSCORE") wanted.by = "score";
      else if (name === "BYLEX") wanted.by = "lex";
      else if (name === "REV") wanted.reversed = true;
      else if (name === "WITHSCORES") wanted.withScores = true;
      else if (name === "LIMIT") wanted.limit = [integer(next()), integer(next())];
      else throw syntaxError();
    }
    if (wanted.limit !== null && wanted.by === "rank") throw syntaxError();
    return listed(
      limited(select(keys, key!, start!, stop!, wanted), wanted.limit),
      wanted.withScores,
    );
  },
});

export function select(
  keys: Keyspace,
  key: string,
  start: string,
  stop: string,
  { by, reversed }: RangeOptions,
) {
  if (by === "rank") {
    const ordered = setOf(keys, key).ordered;
    const items = reversed ? ordered.toReversed() : ordered;
    return items.slice(...sliceBounds(integer(start), integer(stop), items.length));
  }
  const [min, max] = reversed ? [stop, start] : [start, stop];
  const items = within(keys, key, by === "score" ? scoreRange(min, max) : lexRange(min, max));
  return reversed ? items.toReversed() : items;
}

function limited(items: Member[], limit: [number, number] | null): Member[] {
  if (limit === null) return items;
  const [offset, count] = limit;
  return offset < 0 ? [] : items.slice(offset, count < 0 ? undefined : offset + count);
}
