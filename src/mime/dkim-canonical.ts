/** The relaxed canonicalizations of RFC 6376 section 3.4. */

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

export interface HeaderField {
  /** Lower case. */
  name: string;
  /** `name:value`, unfolded, runs of white space reduced to one space, without CRLF. */
  relaxed: string;
}

/** The message in its two halves; `bodyStart` is the offset behind the empty line. */
export function splitMessage(raw: Uint8Array): { fields: HeaderField[]; bodyStart: number } {
  let end = raw.length;
  let bodyStart = raw.length;
  for (let at = raw.indexOf(CR); at !== -1; at = raw.indexOf(CR, at + 1)) {
    if (isLineEnd(raw, at) && isLineEnd(raw, at + 2)) {
      end = at;
      bodyStart = at + 4;
      break;
    }
  }
  const text = new TextDecoder().decode(raw.subarray(0, end));
  const fields = text.split(/\r\n(?![ \t])/).map((field) => {
    const colon = field.indexOf(":");
    const name = field.slice(0, colon).trim().toLowerCase();
    return { name, relaxed: relaxedField(name, field.slice(colon + 1)) };
  });
  return { fields, bodyStart };
}

export function relaxedField(name: string, value: string): string {
  const unfolded = value.replace(/\r\n/g, "").replace(/[ \t]+/g, " ");
  return `${name}:${unfolded.replace(/^ | $/g, "")}`;
}

/** Runs of white space become one space, none at line ends, no empty lines at the end. */
export function relaxedBody(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(body.length + 2);
  let at = 0;
  let pendingSpace = false;
  let emptyLines = 0;
  let lineEmpty = true;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]!;
    if (byte === CR && body[index + 1] === LF) {
      index++;
      pendingSpace = false;
      if (lineEmpty) emptyLines++;
      else {
        out[at++] = CR;
        out[at++] = LF;
      }
      lineEmpty = true;
      continue;
    }
    if (byte === SPACE || byte === TAB) {
      pendingSpace = true;
      continue;
    }
    for (; emptyLines > 0; emptyLines--) {
      out[at++] = CR;
      out[at++] = LF;
    }
    if (pendingSpace) out[at++] = SPACE;
    pendingSpace = false;
    out[at++] = byte;
    lineEmpty = false;
  }
  if (!lineEmpty) {
    out[at++] = CR;
    out[at++] = LF;
  }
  return out.subarray(0, at);
}

const isLineEnd = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === CR && bytes[at + 1] === LF;
