/** RFC 2047: text beyond ASCII in header fields. */

import { toBase64 } from "#src/platform/encoding.ts";

const MAX_WORD = 75;
const encoder = new TextEncoder();

/** What needs no coding inside a Q word, in any place a word may stand (RFC 2047 section 5, rule 3). */
const Q_SAFE = /[A-Za-z0-9!*+/-]/;
/** How each byte is written inside a Q word. */
const Q: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === " ") return "_";
  return Q_SAFE.test(character) ? character : `=${hex(byte)}`;
});

/**
 * The text as encoded words of at most 75 characters, none of which splits a character; the first
 * leaves `indent` characters of its line free, because a line that holds a word may not exceed 76.
 * Q or B, whichever is shorter. Readers drop the space between adjacent words (section 6.2).
 */
export function encodedWords(text: string, indent: number): string[] {
  const bytes = encoder.encode(text);
  const qCount = bytes.reduce((sum, byte) => sum + Q[byte]!.length, 0);
  if (qCount <= Math.ceil(bytes.length / 3) * 4)
    return packed(
      bytes,
      (byte) => Q[byte]!.length,
      (room) => room,
      indent,
    ).map((word) => `=?utf-8?Q?${Array.from(word, (byte) => Q[byte]).join("")}?=`);
  return packed(
    bytes,
    () => 1,
    (room) => Math.floor(room / 4) * 3,
    indent,
  ).map((word) => `=?utf-8?B?${toBase64(word)}?=`);
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

/** Fills words in order with whole characters; `capacity` says how many units fit into a word's free characters. */
function packed(
  bytes: Uint8Array,
  unitsOf: (byte: number) => number,
  capacity: (room: number) => number,
  indent: number,
): Uint8Array[] {
  const room = MAX_WORD - "=?utf-8?Q??=".length;
  const words: Uint8Array[] = [];
  let limit = capacity(room - Math.max(0, indent - 1));
  let wordFrom = 0;
  let used = 0;
  for (let at = 0; at < bytes.length;) {
    const characterFrom = at;
    let units = 0;
    do units += unitsOf(bytes[at++]!);
    while (isContinuation(bytes[at]));
    if (used + units > limit) {
      words.push(bytes.subarray(wordFrom, characterFrom));
      limit = capacity(room);
      wordFrom = characterFrom;
      used = 0;
    }
    used += units;
  }
  return [...words, bytes.subarray(wordFrom)];
}

/** A byte of a UTF-8 sequence that is not its first. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80;
