/** RFC 2045 section 6.7. */

const MAX_LINE = 76;
const HEX = Uint8Array.from("0123456789ABCDEF", (character) => character.charCodeAt(0));
const EQUALS = 61;
const DOT = 46;
const SPACE = 32;
const TAB = 9;
const CR = 13;
const LF = 10;
const encoder = new TextEncoder();
/** 1 for each byte that stays as it is wherever it stands but at the start of a line. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  isLiteral(byte) && byte !== SPACE && byte !== TAB ? 1 : 0,
);

/**
 * Text as quoted-printable with CRLF lines of at most 76 characters. Lines that would begin with
 * "." or "From " are escaped, so that nothing on the way has a reason to change a signed body, and no
 * soft break falls inside a character.
 */
export function quotedPrintable(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  const out = new Uint8Array(bytes.length * 3 + Math.ceil((bytes.length * 3) / 64) * 3 + 2);
  let at = 0;
  let column = 0;

  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    // Most bytes: no line begins here, and none can end.
    if (PLAIN[byte] === 1 && column > 0 && column < MAX_LINE - 1) {
      out[at++] = byte;
      column++;
      continue;
    }
    if (byte === LF || byte === CR) {
      if (byte === CR && bytes[index + 1] === LF) index++;
      out[at++] = CR;
      out[at++] = LF;
      column = 0;
      continue;
    }
    const next = bytes[index + 1];
    const endsLine = next === undefined || next === LF || next === CR;
    const length = sequenceLength(byte);
    let width = length * 3;
    if (length === 1 && isLiteral(byte) && !(endsLine && (byte === SPACE || byte === TAB)))
      width = 1;
    // A soft break needs the last column for its "=", unless the line ends here anyway.
    if (column + width > MAX_LINE - (endsLine && length === 1 ? 0 : 1)) {
      out[at++] = EQUALS;
      out[at++] = CR;
      out[at++] = LF;
      column = 0;
    }
    if (column === 0 && width === 1 && (byte === DOT || startsFrom(bytes, index))) width = 3;
    if (width === 1) {
      out[at++] = byte;
      column++;
      continue;
    }
    for (let offset = 0; offset < length; offset++) {
      const value = bytes[index + offset]!;
      out[at++] = EQUALS;
      out[at++] = HEX[value >> 4]!;
      out[at++] = HEX[value & 15]!;
    }
    column += length * 3;
    index += length - 1;
  }
  // A part needs a line of its own even when it is empty.
  if (column > 0 || at === 0) {
    out[at++] = CR;
    out[at++] = LF;
  }
  return out.subarray(0, at);
}

function isLiteral(byte: number): boolean {
  return (byte > 32 && byte < 127 && byte !== EQUALS) || byte === SPACE || byte === TAB;
}

/** Bytes of the UTF-8 sequence that this byte begins. */
function sequenceLength(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function startsFrom(bytes: Uint8Array, index: number): boolean {
  return (
    bytes[index] === 70 &&
    bytes[index + 1] === 114 &&
    bytes[index + 2] === 111 &&
    bytes[index + 3] === 109 &&
    bytes[index + 4] === SPACE
  );
}
