import { plainLetters } from "../plain-letters.ts";

/** A sentence of a reply as the trained reader sees it. */
export interface SpokenSentence {
  /** In plain letters; an address, a link and a number are each one word that says so. */
  words: readonly string[];
  /** Where a clause ends: the words behind these places begin another. */
  clauseEnds: ReadonlySet<number>;
  /** The places of words that are written as names are. */
  names: ReadonlySet<number>;
  isQuestion: boolean;
  isShouted: boolean;
}

const ADDRESS = /[^\s<>@,;]{1,64}@[^\s<>@,;]{1,190}/gu;
const LINK = /(?:https?:\/\/|www\.)[^\s<>]{1,300}/giu;
const QUOTED =
  /"[^"\n]{0,100}"|„[^“”\n]{0,100}[“”]|“[^”\n]{0,100}”|«[^»\n]{0,100}»|「[^」\n]{0,100}」/gu;
/** "J'arrête" is two words, and "don't" is one. */
const ELISION = /(?<![\p{L}'])((?:[cdjlmnst]|qu|dell|dall|all|nell|sull)')(?=\p{L}{2})/giu;
/** Characters of scripts without spaces are words of one letter. */
const TOKEN =
  /[\u3040-\u30ff\u3400-\u9fff]|[\p{L}\p{M}\p{N}']+|[,;:–—]|\p{Extended_Pictographic}/gu;
const SENTENCE_END = /(?<=[.!?…][)"”']?)\s+|(?<=[。！？])|\n/u;
const MAX_WORDS = 60;

export function spokenSentences(text: string): SpokenSentence[] {
  return text
    .replace(/[’`´]/g, "'")
    .replace(ADDRESS, " Adrx ")
    .replace(LINK, " Lnkx ")
    .replace(QUOTED, " ")
    .replace(ELISION, "$1 ")
    .split(SENTENCE_END)
    .map(spoken)
    .filter(({ words }) => words.length > 0);
}

function spoken(sentence: string): SpokenSentence {
  const words: string[] = [];
  const clauseEnds = new Set<number>();
  const names = new Set<number>();
  for (const [token] of sentence.matchAll(TOKEN)) {
    if (words.length === MAX_WORDS) break;
    if (/^[,;:–—]$/u.test(token)) {
      clauseEnds.add(words.length);
      continue;
    }
    if (words.length > 0 && /^\p{Lu}\p{Ll}/u.test(token) && token.length > 2)
      names.add(words.length);
    words.push(/^\p{N}/u.test(token) ? "0" : plainLetters(token).replace(/^'+|'+$/g, ""));
  }
  return {
    words: words.map((word) => (word === "" ? "'" : word)),
    clauseEnds,
    names,
    isQuestion: /[?？]["')\s]*$/u.test(sentence),
    isShouted: /!|\p{Lu}{4,}/u.test(sentence),
  };
}
