import { folded } from "./calendar-words.ts";

const LETTERS: Readonly<Record<string, string>> = {
  ł: "l",
  ø: "o",
  æ: "ae",
  ß: "ss",
  ё: "е",
  ı: "i",
};

/** Lower case without diacritics, and the letters that have none apart: people leave them out. */
export const plainLetters = (text: string): string =>
  folded(text).replace(/[łøæßёı]/g, (letter) => LETTERS[letter]!);
