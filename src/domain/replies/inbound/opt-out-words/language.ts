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
  /** Asks it too, where all parts of one stand in a clause, in whatever order: `REMOVE & ME & LIST`. */
  together: readonly string[];
  /** The same, where they stand in a sentence: rights that a person invokes, mostly in several clauses. */
  rights: readonly string[];
  /** A reason to want it: beside one of these a word alone is a wish, however much is said. */
  reasons: readonly string[];
  /** What our mail offers, as it is quoted: to write no more to a lead that says so. A bare yes to it is a wish. */
  offers: readonly string[];
  yes: string;
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
  together: readonly (readonly RegExp[])[];
  rights: readonly (readonly RegExp[])[];
  reasons: RegExp;
  offers: RegExp;
  yes: RegExp;
  other: RegExp;
  narrower: RegExp;
  elsewhere: RegExp;
  hints: RegExp;
}

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

const GAP = "(?: [^ ]+){0,4} ";

const unfolded = (source: string): string =>
  plainLetters(source).replaceAll(" … ", GAP).replaceAll("…", "[^ ]*");

/** For texts of plain words with one space between: cheaper to compile than the letters of all scripts. */
export function compiled(sources: readonly string[], isSpaceless: boolean): RegExp {
  if (sources.length === 0) return /(?!)/;
  const source = unfolded(sources.join("|"));
  return new RegExp(isSpaceless ? source : `(?:^|[ '-])(?:${source})(?=$|[ '-])`);
}

/** The whole of a sentence, but for courtesies around it. */
function compiledAlone({ courtesies, spaceless }: OptOutWords, alone: string): RegExp {
  const between = spaceless ? " ?" : " ";
  const around = `(?:${unfolded(courtesies)})`;
  return new RegExp(
    `^(?:${around}${between}){0,2}(?:${unfolded(alone)})(?:${between}${around}){0,3}$`,
  );
}

export function optOutLanguage(words: OptOutWords): OptOutLanguage {
  const isSpaceless = words.spaceless === true;
  const expression = (
    key: "asks" | "reasons" | "offers" | "other" | "narrower" | "elsewhere" | "hints",
  ) => compiled(words[key], isSpaceless);
  const family = (parts: string) => parts.split(" & ").map((part) => compiled([part], isSpaceless));
  return {
    alone: compiledAlone(words, words.alone),
    asks: expression("asks"),
    together: words.together.map(family),
    rights: words.rights.map(family),
    reasons: expression("reasons"),
    offers: expression("offers"),
    yes: compiledAlone(words, words.yes),
    other: expression("other"),
    narrower: expression("narrower"),
    elsewhere: expression("elsewhere"),
    hints: expression("hints"),
  };
}
