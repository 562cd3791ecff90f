/** JSON with comments and commas at the end of lists, read with the place of each value. */

export interface Place {
  /** From 1. */
  line: number;
  column: number;
}

export interface Read {
  value: unknown;
  /** Of each value, by its pointer (RFC 6901); of a member, where its name begins. */
  places: ReadonlyMap<string, Place>;
}

/** What is no JSON with comments, and where it ceases to be. */
export class SyntaxFault extends Error {
  readonly place: Place;
  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

const DEEPEST = 64;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

export function readJsonc(text: string): Read {
  const places = new Map<string, Place>();
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const value = readValue("", 0);
  skip();
  if (at < text.length) throw fault("there is more behind the end");
  return { value, places };

  function fault(message: string): SyntaxFault {
    return new SyntaxFault(message, placeAt(text, at));
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  function skip(): void {
    match(BLANK);
    if (text.startsWith("/*", at)) throw fault("a comment does not end");
  }

  function take(mark: string): boolean {
    skip();
    if (text[at] !== mark) return false;
    at++;
    return true;
  }

  function readString(): string {
    const found = match(STRING);
    if (found === undefined) throw fault("a string in double quotes is expected");
    try {
      return JSON.parse(found) as string;
    } catch {
      at -= found.length;
      throw fault("the string has an escape that JSON does not know");
    }
  }

  function readValue(pointer: string, depth: number): unknown {
    skip();
    if (!places.has(pointer)) places.set(pointer, placeAt(text, at));
    if (depth > DEEPEST) throw fault("it is nested too deep");
    if (take("{")) return readObject(pointer, depth);
    if (take("[")) return readList(pointer, depth);
    if (text[at] === '"') return readString();
    const word = match(WORD);
    if (word === undefined) throw fault("a value is expected");
    return JSON.parse(word) as unknown;
  }

  function readObject(pointer: string, depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    while (!take("}")) {
      const start = at;
      const name = readString();
      const own = `${pointer}/${escaped(name)}`;
      if (Object.hasOwn(object, name)) {
        at = start;
        throw fault(`${JSON.stringify(name)} is said twice`);
      }
      places.set(own, placeAt(text, start));
      if (!take(":")) throw fault("a colon is expected");
      const value = readValue(own, depth + 1);
      // A member named __proto__ is a member like others, which the service refuses by its name.
      Object.defineProperty(object, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
      if (!take(",") && text[at] !== "}") throw fault("a comma or } is expected");
    }
    return object;
  }

  function readList(pointer: string, depth: number): unknown[] {
    const list: unknown[] = [];
    while (!take("]")) {
      list.push(readValue(`${pointer}/${list.length}`, depth + 1));
      if (!take(",") && text[at] !== "]") throw fault("a comma or ] is expected");
    }
    return list;
  }
}

export function placeAt(text: string, index: number): Place {
  const before = text.slice(0, index);
  return { line: before.split("\n").length, column: index - before.lastIndexOf("\n") };
}

/** A name as a part of a pointer. */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
