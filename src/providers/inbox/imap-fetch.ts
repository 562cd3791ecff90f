import type { ImapResponse } from "./imap-responses.ts";

/** What of a FETCH response we read. */
export interface Fetched {
  uid: number;
  receivedAt: Date | null;
  /** The value of its BODY[...]; null when it has none. */
  body: Uint8Array<ArrayBuffer> | null;
}

const FETCH = /^\* \d{1,10} FETCH \(/i;
/** UIDs and their validity are 32 bits wide, and never 0. */
const MAX_NUMBER = 0xffff_ffff;

/** Null for another response, and for one without a UID. */
export function readFetch(response: ImapResponse): Fetched | null {
  const [first] = response;
  const start = typeof first === "string" ? FETCH.exec(first) : null;
  if (start === null) return null;
  let uid: number | null = null;
  let receivedAt: Date | null = null;
  let body: Uint8Array<ArrayBuffer> | null = null;
  let name: string | null = null;
  for (const value of itemsOf(response, start[0].length)) {
    if (name === null) {
      name = typeof value === "string" ? value.toUpperCase() : "";
      continue;
    }
    if (name === "UID") uid ??= typeof value === "string" ? numberOf(value) : null;
    else if (name === "INTERNALDATE")
      receivedAt ??= typeof value === "string" ? dateOf(value) : null;
    else if (name.startsWith("BODY[")) body ??= bytesOf(value);
    name = null;
  }
  return uid === null ? null : { uid, receivedAt, body };
}

/** A number of the protocol; null for anything else. */
export function numberOf(text: string): number | null {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value > 0 && value <= MAX_NUMBER ? value : null;
}

/** `17-Jul-2026 02:44:25 -0700`, the day perhaps with a blank before it. */
const DATE_TIME = /^ ?(\d{1,2})-([a-z]{3})-(\d{4}) (\d\d:\d\d:\d\d) ([+-]\d{4})$/i;

function dateOf(text: string): Date | null {
  const [, day, month, year, time, zone] = DATE_TIME.exec(text) ?? [];
  const date = new Date(`${day} ${month} ${year} ${time} ${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A list within the list; nothing of ours is in one. */
const LIST = Symbol("list");
type Item = string | Uint8Array<ArrayBuffer> | typeof LIST;

/** The items of a parenthesised list, in which `from` is right behind the bracket that opens it. */
function* itemsOf(response: ImapResponse, from: number): Generator<Item> {
  let depth = 1;
  for (const [index, part] of response.entries()) {
    if (typeof part !== "string") {
      if (depth === 1) yield part;
      continue;
    }
    const text = part.replace(/~?\{\d{1,20}\+?\}$/, "");
    for (let at = index === 0 ? from : 0; at < text.length;) {
      const { kind, value, end } = tokenAt(text, at);
      if (kind === "broken") return;
      at = end;
      if (kind === "(") depth++;
      else if (kind === ")" && --depth === 0) return;
      if (depth === 1 && kind !== " ") yield kind === ")" ? LIST : value;
    }
  }
}

interface Token {
  kind: "(" | ")" | " " | "text" | "broken";
  value: string;
  end: number;
}

const ATOM = /[^\s()"[]*/y;

/** What stands at a place of a line. A quote or a bracket without its end is broken: behind it nothing can be told. */
function tokenAt(text: string, at: number): Token {
  const letter = text[at]!;
  if (letter === "(" || letter === ")") return { kind: letter, value: letter, end: at + 1 };
  if (letter === " ") return { kind: letter, value: letter, end: at + 1 };
  if (letter === '"') return quotedAt(text, at);
  ATOM.lastIndex = at;
  let end = at + ATOM.exec(text)![0].length;
  // BODY[HEADER.FIELDS (FROM TO)]<0>
  if (text[end] === "[") {
    const bracket = text.indexOf("]", end);
    if (bracket === -1) return BROKEN;
    ATOM.lastIndex = bracket;
    end = bracket + ATOM.exec(text)![0].length;
  }
  return end === at ? BROKEN : { kind: "text", value: text.slice(at, end), end };
}

const BROKEN: Token = { kind: "broken", value: "", end: 0 };

function quotedAt(text: string, at: number): Token {
  let value = "";
  for (let end = at + 1; end < text.length; end++) {
    const letter = text[end]!;
    if (letter === '"') return { kind: "text", value, end: end + 1 };
    value += letter === "\\" ? (text[++end] ?? "") : letter;
  }
  return BROKEN;
}

const bytesOf = (value: Item): Uint8Array<ArrayBuffer> | null => {
  if (value === LIST || value === "NIL") return null;
  return typeof value === "string"
    ? Uint8Array.from(value, (letter) => letter.charCodeAt(0))
    : value;
};
