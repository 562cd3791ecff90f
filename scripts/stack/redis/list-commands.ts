import { integer, nonNegative, sliceBounds } from "./arguments.ts";
import type { Command, Commands } from "./command.ts";
import { dropIfEmpty, type Keyspace, open, read } from "./keyspace.ts";
import { OK, RedisError, type Reply, syntaxError } from "./reply.ts";

type End = "LEFT" | "RIGHT";

const listOf = (keys: Keyspace, key: string) => read(keys, key, "list") ?? [];

function push(list: string[], end: End, items: string[]): number {
  if (end === "RIGHT") list.push(...items);
  else list.unshift(...items.toReversed());
  return list.length;
}

const pushTo = (end: End, onlyIfPresent: boolean): Command => ({
  arity: -3,
  run(keys, [key, ...items]) {
    if (onlyIfPresent && read(keys, key!, "list") === undefined) return 0;
    return push(open(keys, key!, "list"), end, items);
  },
});

const popFrom = (end: End): Command => ({
  arity: -2,
  run(keys, [key, count]) {
    const list = read(keys, key!, "list");
    const message = "ERR value is out of range, must be positive";
    const wanted = count === undefined ? 1 : nonNegative(count, message);
    if (list === undefined) return null;
    const popped =
      end === "LEFT"
        ? list.splice(0, wanted)
        : list.splice(Math.max(0, list.length - wanted)).toReversed();
    dropIfEmpty(keys, key!);
    return count === undefined ? popped[0]! : popped;
  },
});

function lrem(keys: Keyspace, [key, count, item]: string[]): Reply {
  const list = listOf(keys, key!);
  const wanted = integer(count!);
  const limit = wanted === 0 ? Infinity : Math.abs(wanted);
  const indexes = list.flatMap((value, index) => (value === item ? [index] : []));
  const chosen = wanted < 0 ? indexes.toReversed() : indexes;
  const doomed = new Set(chosen.slice(0, limit));
  if (doomed.size > 0) list.splice(0, list.length, ...list.filter((_, i) => !doomed.has(i)));
  dropIfEmpty(keys, key!);
  return doomed.size;
}

function move(keys: Keyspace, from: string, to: string, takeAt: End, putAt: End): Reply {
  const source = read(keys, from, "list");
  read(keys, to, "list");
  if (source === undefined) return null;
  const item = (takeAt === "LEFT" ? source.shift() : source.pop())!;
  push(open(keys, to, "list"), putAt, [item]);
  dropIfEmpty(keys, from);
  return item;
}

function end(word: string): End {
  const name = word.toUpperCase();
  if (name === "LEFT" || name === "RIGHT") return name;
  throw syntaxError();
}

export const listCommands: Commands = {
  LPUSH: pushTo("LEFT", false),
  RPUSH: pushTo("RIGHT", false),
  LPUSHX: pushTo("LEFT", true),
  RPUSHX: pushTo("RIGHT", true),
  LPOP: popFrom("LEFT"),
  RPOP: popFrom("RIGHT"),
  LLEN: { arity: 2, run: (keys, [key]) => listOf(keys, key!).length },
  LRANGE: {
    arity: 4,
    run(keys, [key, start, stop]) {
      const list = listOf(keys, key!);
      return list.slice(...sliceBounds(integer(start!), integer(stop!), list.length));
    },
  },
  LINDEX: { arity: 3, run: (keys, [key, index]) => listOf(keys, key!).at(integer(index!)) ?? null },
  LSET: {
    arity: 4,
    run(keys, [key, index, item]) {
      const list = read(keys, key!, "list");
      if (list === undefined) throw new RedisError("ERR no such key");
      const wanted = integer(index!);
      const position = wanted < 0 ? list.length + wanted : wanted;
      if (list[position] === undefined) throw new RedisError("ERR index out of range");
      list[position] = item!;
      return OK;
    },
  },
  LTRIM: {
    arity: 4,
    run(keys, [key, start, stop]) {
      const list = listOf(keys, key!);
      const kept = list.slice(...sliceBounds(integer(start!), integer(stop!), list.length));
      list.splice(0, list.length, ...kept);
      dropIfEmpty(keys, key!);
      return OK;
    },
  },
  LREM: { arity: 4, run: lrem },
  LMOVE: {
    arity: 5,
    run: (keys, [from, to, takeAt, putAt]) => move(keys, from!, to!, end(takeAt!), end(putAt!)),
  },
  RPOPLPUSH: { arity: 3, run: (keys, [from, to]) => move(keys, from!, to!, "RIGHT", "LEFT") },
};
