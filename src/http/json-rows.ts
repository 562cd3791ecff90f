/** Finds the end of one JSON value, cut into pieces anywhere; what is between its ends only `JSON.parse` judges. */
interface Value {
  /** Nested lists and objects that are open. */
  depth: number;
  inString: boolean;
  escaped: boolean;
}

/** The parser's place in an object that has one list to be read item by item. */
type Place =
  | "start"
  | "first key"
  | "key"
  | "colon"
  | "value"
  | "after value"
  | "first item"
  | "item"
  | "after item"
  | "end";

export interface JsonRowsLimits {
  /** Items that are taken at most, and characters of each; more of either ends in what `refuse` throws. */
  items: number;
  characters: number;
  refuse(why: "items" | "characters"): Error;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Reads a JSON text piece by piece, each item of the list `field` of its outermost object as soon as it is whole: text
 * and values of a large list are then never there together. Gives the same value as `JSON.parse` of the whole text,
 * and throws a SyntaxError where that would; each character is looked at once.
 */
export function createJsonRowsReader(field: string, limits: JsonRowsLimits) {
  let place: Place = "start";
  /** Of a value that began in an earlier piece. */
  let held: string[] = [];
  let heldLength = 0;
  let open: Value | null = null;
  let key = "";
  let items: unknown[] | null = null;
  const entries: [string, unknown][] = [];
  /** The body's whole text, where its outermost value is no object. */
  let other: string[] | null = null;

  function take(text: string): void {
    const value: unknown = JSON.parse(text);
    held = [];
    heldLength = 0;
    open = null;
    if (place === "key" || place === "first key") {
      if (typeof value !== "string") throw new SyntaxError("a name is no string");
      key = value;
      place = "colon";
    } else if (place === "value") {
      entries.push([key, value]);
      place = "after value";
    } else {
      items!.push(value);
      if (items!.length > limits.items) throw limits.refuse("items");
      place = "after item";
    }
  }

  /** Where the value ends that is open, or -1: behind the piece. A number or word ends before what follows it. */
  function endOf(text: string, from: number, value: Value): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (value.inString) {
        if (value.escaped) value.escaped = false;
        else if (code === BACKSLASH) value.escaped = true;
        else if (code === QUOTE) {
          value.inString = false;
          if (value.depth === 0) return at + 1;
        }
      } else if (code === QUOTE) value.inString = true;
      else if (code === OPEN_LIST || code === OPEN_OBJECT) value.depth += 1;
      else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        if (value.depth === 0) return at;
        value.depth -= 1;
        if (value.depth === 0) return at + 1;
      } else if (value.depth === 0 && (code === COMMA || code === COLON || isBlank(code)))
        return at;
    }
    return -1;
  }

  function readValue(text: string, from: number): number {
    open ??= { depth: 0, inString: false, escaped: false };
    const end = endOf(text, from, open);
    const part = text.slice(from, end === -1 ? text.length : end);
    heldLength += part.length;
    if (heldLength > limits.characters && (place === "item" || place === "first item"))
      throw limits.refuse("characters");
    held.push(part);
    if (end === -1) return text.length;
    take(held.length === 1 ? part : held.join(""));
    return end;
  }

  /** One character between values; false where a value begins. */
  function step(code: number): boolean {
    const next = nextPlace(place, code);
    if (next === undefined) return false;
    if (place === "value") {
      // The list itself; of a name that stands twice the last counts.
      if (key !== field) return false;
      items = [];
      entries.push([key, items]);
    }
    place = next;
    return true;
  }

  return {
    push(text: string): void {
      if (other !== null) return void other.push(text);
      let at = 0;
      while (at < text.length) {
        if (open !== null) at = readValue(text, at);
        else if (isBlank(text.charCodeAt(at)) || step(text.charCodeAt(at))) at += 1;
        else if (place === "start") {
          other = [text.slice(at)];
          return;
        } else if (BEGINS_VALUE.has(place)) at = readValue(text, at);
        else throw new SyntaxError(`unexpected character where ${place} is due`);
      }
    },
    end(): unknown {
      if (other !== null) return JSON.parse(other.join(""));
      if (place !== "end") throw new SyntaxError("the text ends too early");
      return Object.fromEntries(entries);
    },
  };
}

const BEGINS_VALUE: ReadonlySet<Place> = new Set([
  "first key",
  "key",
  "value",
  "first item",
  "item",
]);

const NEXT: Partial<Record<Place, Record<number, Place>>> = {
  start: { [OPEN_OBJECT]: "first key" },
  "first key": { [CLOSE_OBJECT]: "end" },
  colon: { [COLON]: "value" },
  value: { [OPEN_LIST]: "first item" },
  "after value": { [COMMA]: "key", [CLOSE_OBJECT]: "end" },
  "first item": { [CLOSE_LIST]: "after value" },
  "after item": { [COMMA]: "item", [CLOSE_LIST]: "after value" },
};

const nextPlace = (place: Place, code: number): Place | undefined => NEXT[place]?.[code];

/** Blanks as JSON has them (RFC 8259 section 2). */
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
