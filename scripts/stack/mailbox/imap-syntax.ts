/** An argument of a command; texts are octets as characters. */
export type Value = { atom: string } | { text: string } | { list: Value[] };

/** The client's fault: answered BAD. */
export class ImapSyntaxError extends Error {}

/** What lies between brackets belongs to the atom: `BODY[HEADER.FIELDS (DATE)]<0.10>`. */
const ATOM = /(?:\[[^\]]*\]|[^\s()[\]"])+/y;
const QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const MOST_DEPTH = 20;

/** Reads the arguments of a command. Throws ImapSyntaxError. */
export function readValues(line: string): Value[] {
  let at = 0;

  function take(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match === null) return null;
    at = pattern.lastIndex;
    return match[1] ?? match[0];
  }

  function values(depth: number): Value[] {
    const found: Value[] = [];
    for (;;) {
      while (line[at] === " ") at += 1;
      if (at >= line.length || line[at] === ")") return found;
      found.push(value(depth));
    }
  }

  function value(depth: number): Value {
    if (line[at] === "(") return { list: listed(depth + 1) };
    if (line[at] === '"') {
      const text = take(QUOTED);
      if (text === null) throw new ImapSyntaxError("a quoted string has no end");
      return { text: text.replace(/\\([^])/g, "$1") };
    }
    const atom = take(ATOM);
    if (atom === null) throw new ImapSyntaxError(`unexpected character at ${at}`);
    return { atom };
  }

  function listed(depth: number): Value[] {
    if (depth > MOST_DEPTH) throw new ImapSyntaxError("too deep");
    at += 1;
    const items = values(depth);
    if (line[at] !== ")") throw new ImapSyntaxError("a list has no end");
    at += 1;
    return items;
  }

  const found = values(0);
  if (at < line.length) throw new ImapSyntaxError("a parenthesis too many");
  return found;
}

/** The text of an argument that is an atom or a string. */
export function textOf(value: Value | undefined): string {
  if (value !== undefined && "atom" in value) return value.atom;
  if (value !== undefined && "text" in value) return value.text;
  throw new ImapSyntaxError("an argument is missing, or a list");
}

/** The same, in capitals: names of commands, items and keys. */
export const wordOf = (value: Value | undefined): string => textOf(value).toUpperCase();

/** The argument's octets read as UTF-8. */
export const utf8Of = (value: Value | undefined): string =>
  Buffer.from(textOf(value), "latin1").toString("utf8");

/** The items of a list, or the one value that stands for it. */
export const itemsOf = (value: Value | undefined): Value[] =>
  value === undefined ? [] : "list" in value ? value.list : [value];

/** Ranges of a sequence set, `*` being `last`; each with the lower end first (RFC 3501 section 9, seq-range). */
export function readSet(text: string, last: number): [number, number][] {
  return text.split(",").map((part) => {
    const match = /^(\d+|\*)(?::(\d+|\*))?$/.exec(part);
    if (match === null) throw new ImapSyntaxError("not a set of numbers");
    const [from, to] = [match[1], match[2] ?? match[1]].map((one) =>
      one === "*" ? last : Number(one),
    ) as [number, number];
    return from <= to ? [from, to] : [to, from];
  });
}

/** A string as the server sends it: NIL, quoted, or a literal where a quoted string may not hold it. */
export function sentString(text: string | null): string {
  if (text === null) return "NIL";
  if (/^[\x20-\x7e]{0,1000}$/.test(text)) return `"${text.replace(/["\\]/g, "\\$&")}"`;
  return `{${text.length}}\r\n${text}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `17-Jul-1996` as milliseconds at its midnight in UTC. */
export function readDate(text: string): number {
  const match = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text);
  const month = MONTHS.findIndex((name) => name.toLowerCase() === match?.[2]?.toLowerCase());
  if (match === null || month < 0) throw new ImapSyntaxError("not a date");
  return Date.UTC(Number(match[3]), month, Number(match[1]));
}

/** INTERNALDATE, in UTC. */
export function sentDate(iso: string): string {
  const [date = "", time = ""] = iso.split("T");
  const [year, month, day] = date.split("-");
  return `"${day}-${MONTHS[Number(month) - 1]}-${year} ${time.slice(0, 8)} +0000"`;
}
