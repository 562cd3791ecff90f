import type { BoxMessage, Folder } from "./boxes.ts";
import { headerLines } from "./message-header.ts";
import { categoryOf } from "./operators.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY_MS = 86_400_000;

/** A message and its position in the folder, from 1. */
export interface Found {
  message: BoxMessage;
  number: number;
}

/**
 * UIDs of what `UID n:*`, `UID *`, `SINCE 1-Jan-2026`, `HEADER "Message-ID" "<id>"` or `X-GM-RAW "category:updates"` finds,
 * the last two also of one UID alone; null for any other search.
 */
export function searchUids({ messages }: Folder, criteria: string): number[] | null {
  const [, only, by, value] =
    /^(?:UID (\d+) )?(HEADER "Message-ID"|X-GM-RAW) "([^"]*)"$/.exec(criteria) ?? [];
  if (value !== undefined) {
    const fits = (raw: string) =>
      by === "X-GM-RAW"
        ? value === `category:${categoryOf(raw)}`
        : headerLines(raw).some(
            ({ name, lines }) => name === "message-id" && lines.includes(value),
          );
    return messages
      .filter(({ uid, raw }) => (only === undefined || uid === Number(only)) && fits(raw))
      .map(({ uid }) => uid);
  }
  const [, from] = /^UID (\d+|\*)(?::\*)?$/.exec(criteria) ?? [];
  if (from !== undefined) {
    // A range with `*` holds the last message whatever stands before it (RFC 3501 section 9, seq-range).
    const last = messages.at(-1)?.uid ?? 0;
    const first = from === "*" ? last : Math.min(Number(from), last);
    return messages.slice(firstFrom(messages, first)).map(({ uid }) => uid);
  }
  const [, day, month, year] = /^SINCE (\d{1,2})-([A-Z][a-z]{2})-(\d{4})$/.exec(criteria) ?? [];
  if (day === undefined) return null;
  const since = Date.UTC(Number(year), MONTHS.indexOf(month ?? ""), Number(day));
  const dayOf = (at: number) => at - (at % DAY_MS);
  return messages.filter(({ at }) => dayOf(Date.parse(at)) >= since).map(({ uid }) => uid);
}

/** The messages of a set of UIDs, `5:7,9`, in the folder's order. */
export function chooseMessages({ messages }: Folder, set: string): Found[] {
  return set.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split(":").map(Number);
    const found: Found[] = [];
    for (let at = firstFrom(messages, from); at < messages.length; at++) {
      const message = messages[at]!;
      if (message.uid > to) break;
      found.push({ message, number: at + 1 });
    }
    return found;
  });
}

/** Index of the first message with that UID or a later one. */
function firstFrom(messages: BoxMessage[], uid: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (messages[middle]!.uid < uid) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The two lists of items that are fetched; null for another. Text is a literal, so that its reading is put to the test. */
export function fetchItems(items: string): ((found: Found) => string) | null {
  const [, fields] =
    /^UID INTERNALDATE BODY\.PEEK\[(HEADER\.FIELDS \([^)]+\))\]$/.exec(items) ?? [];
  if (fields !== undefined) {
    const names = fields.slice("HEADER.FIELDS (".length, -1).toLowerCase().split(" ");
    return ({ message }) =>
      `UID ${message.uid} INTERNALDATE ${sentDate(message.at)} ` +
      literal(`BODY[${fields}]`, chosenFields(message.raw, names));
  }
  const [, length] = /^UID BODY\.PEEK\[\]<0\.(\d+)>$/.exec(items) ?? [];
  if (length === undefined) return null;
  return ({ message: { uid, raw } }) =>
    `UID ${uid} ${literal("BODY[]<0>", raw.slice(0, Number(length)))}`;
}

const literal = (name: string, text: string) => `${name} {${text.length}}\r\n${text}`;

function chosenFields(raw: string, names: string[]): string {
  const chosen = headerLines(raw).filter(({ name }) => names.includes(name));
  return `${chosen.map(({ lines }) => `${lines.replace(/(?:\r\n)+$/, "")}\r\n`).join("")}\r\n`;
}

/** INTERNALDATE, in UTC. */
function sentDate(iso: string): string {
  const [date = "", time = ""] = iso.split("T");
  const [year, month, day] = date.split("-");
  return `"${day}-${MONTHS[Number(month) - 1]}-${year} ${time.slice(0, 8)} +0000"`;
}
