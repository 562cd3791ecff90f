const ZEROS = "0٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐".split("").map((zero) => zero.codePointAt(0)!);

/** A text as it is compared: compatible forms and digits of all scripts made one, small letters, single spaces, plain quotes. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replaceAll("`", "'").replace(/\s+/g, " ");
  return asciiDigits(text.normalize("NFKC"))
    .toLowerCase()
    .replace(/[‘’‚‛`´]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/\s+/g, " ");
}

/** Besides, without the marks on its letters: "Zürich" is "zurich". */
export const foldMarks = (text: string): string =>
  isAscii(text) ? fold(text) : withoutMarks(fold(text));

// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

const withoutMarks = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll("đ", "d")
    .replaceAll("æ", "ae");

/** Words of letters and digits, in the order in which they stand. */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

const asciiDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const zero = ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
