/** RFC 2047: text beyond ASCII in header fields. */

const MAX_WORD = 75;
const encoder = new TextEncoder();

/** What needs no coding inside a Q word, in any place a word may stand (RFC 2047 section 5, rule 3). */
const Q_SAFE = /[A-Za-z0-9!*+/-]/;

/**
 * The text as encoded words of at most 75 characters, none of which splits a character; the first
 * leaves `indent` characters of its line free, because a line that holds a word may not exceed 76.
 * Q or B, whichever is shorter. Readers drop the space between adjacent words (section 6.2).
 */
export function encodedWords(text: string, indent: number): string[] {
  const characters = Array.from(text.toWellFormed(), (character) => {
    const bytes = encoder.encode(character);
    return { bytes, q: qEncode(character, bytes) };
  });
  const byteCount = characters.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const qCount = characters.reduce((sum, { q }) => sum + q.length, 0);
  if (qCount <= Math.ceil(byteCount / 3) * 4)
    return packed(
      characters,
      ({ q }) => q.length,
      (room) => room,
      indent,
    ).map((group) => `=?utf-8?Q?${group.map(({ q }) => q).join("")}?=`);
  return packed(
    characters,
    ({ bytes }) => bytes.length,
    (room) => Math.floor(room / 4) * 3,
    indent,
  ).map((group) => `=?utf-8?B?${base64(group.flatMap(({ bytes }) => [...bytes]))}?=`);
}

function qEncode(character: string, bytes: Uint8Array): string {
  if (character === " ") return "_";
  if (Q_SAFE.test(character)) return character;
  return Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
    "",
  );
}

/** Fills words in order; `capacity` says how many units fit into a word's free characters. */
function packed<T>(
  items: readonly T[],
  size: (item: T) => number,
  capacity: (room: number) => number,
  indent: number,
): T[][] {
  const room = MAX_WORD - "=?utf-8?Q??=".length;
  const groups: T[][] = [[]];
  let limit = capacity(room - Math.max(0, indent - 1));
  let used = 0;
  for (const item of items) {
    if (used + size(item) > limit) {
      groups.push([]);
      limit = capacity(room);
      used = 0;
    }
    groups.at(-1)!.push(item);
    used += size(item);
  }
  return groups;
}

function base64(bytes: readonly number[]): string {
  return btoa(String.fromCharCode(...bytes));
}
