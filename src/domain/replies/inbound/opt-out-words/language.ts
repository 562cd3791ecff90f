import { folded } from "../calendar-words.ts";

/**
 * How one language asks for no more mail. The sources are regular expressions in natural spelling,
 * without upper case and backslashes, in which `…` at a word is the rest of it and ` … ` up to four
 * words between. Each matches whole words, but for languages that put no spaces between them.
 */
export interface OptOutWords {
  /** Words that opt out where they stand alone, or beside a courtesy. */
  alone: string;
  courtesies: string;
  /** Phrases that ask the sender to write no more. */
  asks: readonly string[];
  /** With one of these the sentence is about something else: a copy, a waiting list, their own mail, a product. */
  other: readonly string[];
  /** With one of these in what follows less is asked for: mail of one kind, or until some day. */
  narrower: readonly string[];
  /** Another way to write, in the rest of the text. */
  elsewhere: readonly string[];
  /** Says too little to act on, and enough for a person to look. */
  hints: readonly string[];
  /** The language is written without spaces. */
  spaceless?: true;
}

export interface OptOutLanguage {
  alone: RegExp;
  asks: RegExp;
  other: RegExp;
  narrower: RegExp;
  elsewhere: RegExp;
  hints: RegExp;
}

const LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", æ: "ae", ß: "ss", ё: "е" };

/** Lower case without diacritics, and the letters that have none apart: people leave them out. */
export const plainLetters = (text: string): string =>
  folded(text).replace(/[łøæßё]/g, (letter) => LETTERS[letter]!);

const GAP = "(?: [^ ]+){0,4} ";

const unfolded = (source: string): string =>
  plainLetters(source).replaceAll(" … ", GAP).replaceAll("…", "[^ ]*");

/** For texts of plain words with one space between: cheaper to compile than the letters of all scripts. */
function compiled(sources: readonly string[], isSpaceless: boolean): RegExp {
  const source = unfolded(sources.join("|"));
  return new RegExp(isSpaceless ? source : `(?:^|[ '-])(?:${source})(?=$|[ '-])`);
}

function compiledAlone({ alone, courtesies, spaceless }: OptOutWords): RegExp {
  const between = spaceless ? " ?" : " ";
  const around = `(?:${unfolded(courtesies)})`;
  return new RegExp(
    `^(?:${around}${between}){0,2}(?:${unfolded(alone)})(?:${between}${around}){0,3}$`,
  );
}

export function optOutLanguage(words: OptOutWords): OptOutLanguage {
  const expression = (key: "asks" | "other" | "narrower" | "elsewhere" | "hints") =>
    compiled(words[key], words.spaceless === true);
  return {
    alone: compiledAlone(words),
    asks: expression("asks"),
    other: expression("other"),
    narrower: expression("narrower"),
    elsewhere: expression("elsewhere"),
    hints: expression("hints"),
  };
}
