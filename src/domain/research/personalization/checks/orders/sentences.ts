/** Where something stands in a text; the end is exclusive. */
export interface Place {
  start: number;
  end: number;
}

export interface Span extends Place {
  text: string;
}

const ENDS =
  /\n+|(?<=[。！？])|(?<=(?<!\b(?:p\.s|dr|mr|mrs|ms|prof|st|sr|jr|no|nr|vs|e\.g|i\.e|z\.b|avg|approx|inc|ltd|co))[.!?…;]["'”’»)\]]?)\s+/iu;
const LONGEST = 600;

/** The sentences of a text, with what ends them; a longer one in pieces. What has no word is none. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(ENDS)
    .flatMap((each) => (each.length <= LONGEST ? [each] : (each.match(PIECES) ?? [])))
    .map((each) => each.trim())
    .filter((each) => each.length > 2 && /[\p{L}\p{N}]/u.test(each));

/** The same, each with its place. */
export function spansOf(text: string): Span[] {
  let end = 0;
  return sentencesOf(text).map((each) => {
    const start = text.indexOf(each, end);
    end = start + each.length;
    return { text: each, start, end };
  });
}

const PIECES = new RegExp(`[^]{1,${LONGEST}}(?:\\s|$)|[^]{1,${LONGEST}}`, "gu");
