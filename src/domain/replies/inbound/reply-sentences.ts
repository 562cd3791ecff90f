import { plainLetters } from "./plain-letters.ts";

/** A sentence of a reply, in plain letters. */
export interface Sentence {
  plain: string;
  /** Without what it quotes, which is not what its writer asks for. */
  own: string;
  clauses: readonly string[];
  isQuestion: boolean;
}

/** Sentences are parted by marks and by line ends. */
export function sentencesOf(text: string): Sentence[] {
  return plainLetters(text)
    .replace(/[’`´]/g, "'")
    .replace(MISSPELT, "unsubscribe")
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n/u)
    .map((sentence) => {
      const clauses = sentence
        .replace(QUOTED, " ")
        .split(/[,;:]|\s[-–—]\s/u)
        .map(words);
      return {
        plain: words(sentence),
        own: clauses.join(" "),
        clauses,
        isQuestion: /[?？]\s*$/.test(sentence),
      };
    })
    .filter(({ plain }) => plain !== "");
}

/** In a hurry a letter of it is lost. */
const MISSPELT = /\bunsu[bs]{1,3}[scr]{0,3}[ri]{1,2}be?\b/g;

const QUOTED = /"[^"]{0,100}"|„[^“”]{0,100}[“”]|“[^”]{0,100}”|«[^»]{0,100}»|「[^」]{0,100}」/gu;

/** The words of a sentence or clause, with one space between. */
const words = (text: string): string => text.replace(/[^\p{L}\p{N}'-]+/gu, " ").trim();
