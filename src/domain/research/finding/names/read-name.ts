import { plainSpelling } from "./letters.ts";
import { joinServant, joinServantBeforeFamily } from "./servant-names.ts";
import { isTurnedAround } from "./vietnamese.ts";

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** In front of a name and no part of it, in a-z and without dots. */
const TITLES = setOf(
  "mr mrs ms miss mx dr prof professor sir dame lord lady rev hon judge capt col gen lt sgt herr frau dipl ing dipling mag med phil " +
    "eng engr arch lic licda ca adv dott dottssa sig sigra mme mlle m me don dona sr sra srta dra pan pani",
);
/** A person can be called so, so these count as titles only with their dot. */
const TITLES_WITH_DOT = setOf("m me don lady lord arch ca pan sr med gen col ing mag hon");

/** Behind a name and no part of it. */
const SUFFIXES = setOf(
  "jr sr ii iii iv phd ph md dds dvm mba msc bsc llm llb esq cpa cfa cissp pmp pe rn frcs mbe obe kbe ba bs ms",
);
/** These are family names too, so they count as suffixes only behind a comma. */
const SUFFIXES_BEHIND_COMMA = setOf("ba bs ms pe ph md sr rn");

/** Small words that belong to the family name behind them. */
const PARTICLES = setOf(
  "van von der den de del della dello degli dei di da do dos das du des la le les lo los las af av zu zum zur vom ten ter te op in t " +
    "bin ibn bint al el ben abu mac st saint san santa e y und",
);

/** A name as its bearer wrote it, taken apart. Words keep their letters; hyphens and apostrophes stay inside them. */
export interface PersonName {
  /** First names in their order; an initial is one letter. */
  given: string[];
  /** What stood in brackets or quotes: the name that the person goes by. */
  calledBy: string | null;
  /** `van der`, `de la`: small words in front of the family name. */
  particles: string[];
  family: string[];
}

const MAX_WORDS = 8;

export function readName(firstName: string, lastName: string): PersonName {
  const { rest, calledBy } = takeCalledBy(joinServant(firstName));
  const given = withoutTitles(wordsOf(rest));
  const [family, behindComma] = splitAtComma(lastName);
  const last = withoutSuffixes(withoutTitles(wordsOf(family)), behindComma);
  // "Ludwig van" "Beethoven": the small words were put into the wrong field.
  const moved = trailingParticles(given);
  const { particles, words } = leadingParticles([...moved, ...last].flatMap(withoutArticle));
  const read = {
    given: given.slice(0, given.length - moved.length),
    calledBy,
    particles,
    family: words,
  };
  return isTurnedAround(read) ? { ...read, given: words, family: read.given } : read;
}

/** One text with the whole name, `First Last` or `Last, First`: the last word and the small words before it are the family's. */
export function readFullName(name: string): PersonName {
  const [before, behindComma] = splitAtComma(joinServantBeforeFamily(name));
  const behind = withoutSuffixes(wordsOf(behindComma), "");
  const isReversed = behind.length > 0 && !behind.every((word) => SUFFIXES.has(plain(word)));
  if (isReversed) return readName(behindComma, before);
  const { rest, calledBy } = takeCalledBy(before);
  const words = withoutSuffixes(withoutTitles(wordsOf(rest)), "");
  const start = words.findIndex((word, at) => at > 0 && PARTICLES.has(plain(word)));
  const at = start > 0 && start < words.length - 1 ? start : words.length - 1;
  const read = readName(words.slice(0, at).join(" "), words.slice(at).join(" "));
  return { ...read, calledBy };
}

const plain = (word: string): string => plainSpelling(word);

function takeCalledBy(text: string): { rest: string; calledBy: string | null } {
  const found = /["“„(]\s*([^"”“()]{1,40}?)\s*["”)]/u.exec(text);
  if (found === null) return { rest: text, calledBy: null };
  return { rest: text.replace(found[0], " "), calledBy: wordsOf(found[1]!)[0] ?? null };
}

/** `Lind, PhD`: what stands behind the comma is a suffix, whatever it is. */
function splitAtComma(text: string): [string, string] {
  const at = text.indexOf(",");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function wordsOf(text: string): string[] {
  const words = text
    .normalize("NFKC")
    .replace(/[’‘`´ʼ′]/g, "'")
    .replace(/[‐-―−]/g, "-")
    .replace(/\bph\.\s?d\b/gi, "phd")
    // "J.R." are two initials, "Dr." is a word with its dot.
    .replace(/(?<=^|[\s.])(\p{L})\.(?=\p{L})/gu, "$1. ")
    .match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*\.?|'t(?=\s)/gu);
  return (words ?? []).slice(0, MAX_WORDS);
}

const withoutDot = (word: string): string => word.replace(/\.$/, "");

function withoutTitles(words: string[]): string[] {
  const isTitle = (word: string) =>
    TITLES.has(plain(word)) && (word.endsWith(".") || !TITLES_WITH_DOT.has(plain(word)));
  const start = words.findIndex((word) => !isTitle(word));
  return (start > 0 ? words.slice(start) : words).map(withoutDot);
}

function withoutSuffixes(words: string[], behindComma: string): string[] {
  let end = words.length;
  const isSuffix = (word: string) =>
    SUFFIXES.has(plain(word)) && (behindComma !== "" || !SUFFIXES_BEHIND_COMMA.has(plain(word)));
  while (end > 1 && isSuffix(words[end - 1]!)) end--;
  return words.slice(0, end).map(withoutDot);
}

function trailingParticles(words: string[]): string[] {
  let start = words.length;
  while (start > 1 && PARTICLES.has(plain(words[start - 1]!)) && words[start - 1]!.length > 1)
    start--;
  return words.slice(start);
}

/** `al-Masri`: the article is a small word like any other. */
const withoutArticle = (word: string): string[] => {
  const [, article, rest] = /^([ae]l)-(.+)$/iu.exec(word) ?? [];
  return article === undefined ? [word] : [article, rest!];
};

function leadingParticles(words: string[]): { particles: string[]; words: string[] } {
  let count = 0;
  while (count < words.length - 1 && PARTICLES.has(plain(words[count]!))) count++;
  return { particles: words.slice(0, count), words: words.slice(count) };
}
