/**
 * The filled body may have 1,024 characters; our templates' own words are at most 400 of them, which
 * the test of the registered bodies holds.
 */
export const PARAMETER_ROOM = 600;
/** The API takes no empty parameter. */
const NOTHING = "–";

/**
 * Parameters as the API takes them: no newline, no tab, no run of spaces, none empty, all of them
 * together within the room. Where they are too long, the longest are cut first: a campaign's name
 * stays whole beside a long reply.
 */
export function fitParameters(parameters: readonly string[], room = PARAMETER_ROOM): string[] {
  const texts = parameters.map((text) => onOneLine(text) || NOTHING);
  const longest = fairShare(
    texts.map(({ length }) => length),
    room,
  );
  return texts.map((text) => shorten(text, longest));
}

/** Controls and line ends are spaces; marks that turn the direction of what follows would outlive the parameter. */
function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
}

/** The greatest length that every text may have while all of them fit. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return room;
}

/** Cut between characters, with an ellipsis in the last place. */
function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = text.slice(0, Math.max(0, longest - 1));
  const isInsidePair = /[\ud800-\udbff]$/.test(end);
  return `${(isInsidePair ? end.slice(0, -1) : end).trimEnd()}…`;
}
