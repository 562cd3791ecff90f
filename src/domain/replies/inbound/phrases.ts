import { plainLetters } from "./plain-letters.ts";

const GAP = "(?: [^ ]+){0,4} ";

const unfolded = (source: string): string =>
  plainLetters(source).replaceAll(" … ", GAP).replaceAll("…", "[^ ]*");

/**
 * One expression of several in natural spelling, without upper case and backslashes, in which `…` at a word is the
 * rest of it and ` … ` up to four words between. For texts of plain words with one space between: cheaper to compile
 * than the letters of all scripts.
 */
export function compiled(sources: readonly string[], isSpaceless: boolean): RegExp {
  const source = unfolded(sources.join("|"));
  return new RegExp(isSpaceless ? source : `(?:^|[ '-])(?:${source})(?=$|[ '-])`);
}
