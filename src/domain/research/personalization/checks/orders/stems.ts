import { fold, wordsOf } from "../../normalize-text.ts";
import { isSmallWord } from "../language.ts";
import { ORDINARY } from "./order-words.ts";

/** The forms of a word are one: "renounced", "renounces". */
export const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:(?<=.{3})(?:ing|ed|es|e|d)|s)$/, "").slice(0, 12) : word;

const ordinary = new Set([...ORDINARY].map(stemOf));

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words of a text without the small ones, by their stems; of scripts without blanks, each three letters in a row. */
const allStemsOf = (text: string): string[] =>
  wordsOf(fold(text)).flatMap((word) => {
    if (UNSPACED.test(word)) return threesOf([...word]);
    return (word.length < 3 ? !/\d\d/.test(word) : isSmallWord(word)) ? [] : [stemOf(word)];
  });

/** Those that say something which not every letter says. */
export const stemsOf = (text: string): string[] =>
  allStemsOf(text).filter((stem) => !ordinary.has(stem));

const threesOf = (letters: readonly string[]): string[] =>
  letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(""));

/** Folded, and lines kept apart. */
export const foldLines = (text: string): string => text.split("\n").map(fold).join("\n");

/** A text as words with a blank on each side, for runs of words to be found in. */
export const rowOf = (text: string): string => ` ${wordsOf(fold(text)).join(" ")} `;

const QUOTED =
  /["“”„«]([^"“”„«»\n]{4,200})["“”»]|(?<![\p{L}\p{N}])['‘‚]([^'‘’\n]{4,200})['’](?![\p{L}\p{N}])|「([^」]{2,200})」|『([^』]{2,200})』/gu;

export const quotesIn = (sentence: string): string[] =>
  [...sentence.matchAll(QUOTED)]
    .map(([, ...parts]) => rowOf(parts.find((part) => part !== undefined)!))
    .filter((row) => row.trim() !== "");
