import type { BoxMessage } from "./boxes.ts";
import { bodyStart, headerField } from "./imap-parts.ts";
import {
  ImapSyntaxError,
  readDate,
  readSet,
  textOf,
  utf8Of,
  type Value,
  wordOf,
} from "./imap-syntax.ts";

export interface Found {
  message: BoxMessage;
  /** Its position in the folder, from 1. */
  number: number;
}
type Test = (found: Found) => boolean;

const DAY_MS = 86_400_000;

/** What of a folder an asterisk means in a set. */
export interface Last {
  uid: number;
  number: number;
}

/** The test that the criteria of a SEARCH name, all of them (RFC 3501 section 6.4.4). Throws ImapSyntaxError. */
export function readCriteria(values: Value[], last: Last): Test {
  const left = [...values];
  const tests: Test[] = [];
  while (left.length > 0) tests.push(readKey(left, last));
  if (tests.length === 0) throw new ImapSyntaxError("nothing to search for");
  return (found) => tests.every((test) => test(found));
}

/** Takes one key and its arguments off the list. */
function readKey(left: Value[], last: Last): Test {
  const key = left.shift();
  if (key === undefined) throw new ImapSyntaxError("a key is missing");
  if ("list" in key) return readCriteria(key.list, last);
  const word = wordOf(key);
  if (/^[\d*]/.test(word)) return inSet(readSet(word, last.number), ({ number }) => number);
  const known = KEYS[word];
  if (known === undefined) throw new ImapSyntaxError(`no such key: ${word.slice(0, 40)}`);
  return known(left, last);
}

const KEYS: Record<string, (left: Value[], last: Last) => Test> = {
  ALL: () => () => true,
  UID: (left, last) => inSet(readSet(textOf(left.shift()), last.uid), ({ message }) => message.uid),
  NOT(left, last) {
    const test = readKey(left, last);
    return (found) => !test(found);
  },
  OR(left, last) {
    const [one, other] = [readKey(left, last), readKey(left, last)];
    return (found) => one(found) || other(found);
  },
  ...flagKeys("SEEN", "ANSWERED", "FLAGGED", "DELETED", "DRAFT"),
  KEYWORD: (left) => hasFlag(textOf(left.shift())),
  UNKEYWORD: (left) => lacksFlag(textOf(left.shift())),
  // No session is the first to see a message: RECENT is never set.
  NEW: () => () => false,
  RECENT: () => () => false,
  OLD: () => () => true,
  BEFORE: dateKey((day, wanted) => day < wanted),
  ON: dateKey((day, wanted) => day === wanted),
  SINCE: dateKey((day, wanted) => day >= wanted),
  LARGER: sizeKey((size, wanted) => size > wanted),
  SMALLER: sizeKey((size, wanted) => size < wanted),
  HEADER: (left) => headerHas(textOf(left.shift()), utf8Of(left.shift())),
  ...Object.fromEntries(
    ["FROM", "TO", "CC", "BCC", "SUBJECT"].map((name) => [
      name,
      (left: Value[]) => headerHas(name, utf8Of(left.shift())),
    ]),
  ),
  BODY: (left) => textHas(utf8Of(left.shift()), bodyStart),
  TEXT: (left) => textHas(utf8Of(left.shift()), () => 0),
  CHARSET(left, last) {
    if (!/^(utf-8|us-ascii)$/i.test(textOf(left.shift())))
      throw new ImapSyntaxError("[BADCHARSET (UTF-8)] no such charset");
    return readKey(left, last);
  },
};

function inSet(ranges: [number, number][], of: (found: Found) => number): Test {
  return (found) => ranges.some(([from, to]) => of(found) >= from && of(found) <= to);
}

const hasFlag =
  (flag: string): Test =>
  ({ message }) =>
    [...message.flags].some((one) => one.toLowerCase() === flag.toLowerCase());
const lacksFlag = (flag: string): Test => {
  const has = hasFlag(flag);
  return (found) => !has(found);
};

function flagKeys(...names: string[]): Record<string, () => Test> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, () => hasFlag(`\\${name}`)],
      [`UN${name}`, () => lacksFlag(`\\${name}`)],
    ]),
  );
}

/** By the date of arrival, in UTC. */
function dateKey(compare: (day: number, wanted: number) => boolean) {
  return (left: Value[]): Test => {
    const wanted = readDate(textOf(left.shift()));
    return ({ message }) => {
      const at = Date.parse(message.at);
      return compare(at - (at % DAY_MS), wanted);
    };
  };
}

function sizeKey(compare: (size: number, wanted: number) => boolean) {
  return (left: Value[]): Test => {
    const wanted = Number(textOf(left.shift()));
    return ({ message }) => compare(message.raw.length, wanted);
  };
}

/** An empty text asks whether the field is there at all. */
function headerHas(name: string, wanted: string): Test {
  return ({ message: { raw } }) => {
    const field = headerField(raw.slice(0, bodyStart(raw)), name);
    return field !== null && contains(field, wanted);
  };
}

function textHas(wanted: string, from: (raw: string) => number): Test {
  return ({ message: { raw } }) => contains(raw.slice(from(raw)), wanted);
}

const contains = (octets: string, wanted: string): boolean =>
  Buffer.from(octets, "latin1").toString("utf8").toLowerCase().includes(wanted.toLowerCase());
