import { spellings } from "../names/letters.ts";
import { isSameGivenName } from "../names/nicknames.ts";
import { joinServantBeforeFamily } from "../names/servant-names.ts";
import type { PersonName } from "../names/read-name.ts";
import { jaroWinkler } from "./jaro-winkler.ts";

const SHARE = { family: 0.6, given: 0.4 };
/** A name of which one half is another's is another name, however well the other half fits. */
const SAME = 0.8;
const OTHER_NAME = 0.3;
const NICKNAME = 0.95;
const SLIP = 0.9;
const INITIAL = 0.6;
const HALF = 0.82;

/** How well a name fits the person: 1 the same; under 0.3 another one. */
export function nameLikeness(asked: PersonName, shown: string): number {
  const words = wordsOf(shown);
  if (words.length === 0) return sameLetters(asked, shown) ? 1 : 0;
  const family = bestFamily(asked, words);
  const given = bestGiven(asked, words.toSpliced(family.at, family.count));
  const mean = SHARE.family * family.likeness + SHARE.given * given;
  return Math.min(family.likeness, given) < SAME ? OTHER_NAME * mean : mean;
}

/** In a-z, each in all of its spellings. */
type Word = readonly string[];

function wordsOf(text: string): Word[] {
  const bare = joinServantBeforeFamily(text.replace(/[’'`´]/g, "").slice(0, 200));
  const words = bare.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words
    .slice(0, 12)
    .map(spelled)
    .filter((word) => word.length > 0);
}

const spelled = (word: string): Word => spellings(word, "").map(({ text }) => text);

/** Scripts whose letters do not tell are compared as they stand. */
function sameLetters({ given, particles, family }: PersonName, shown: string): boolean {
  const letters = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}]/gu, "");
  const [first, last] = [given.join(""), [...particles, ...family].join("")].map(letters);
  const there = letters(shown);
  return there !== "" && (there === `${first}${last}` || there === `${last}${first}`);
}

/** The family name can be two words there and one here, and has its small words or not. */
function bestFamily({ particles, family }: PersonName, words: readonly Word[]) {
  const parts = family.flatMap((word) => word.replaceAll("'", "").split("-"));
  const whole = spelled(parts.join(""));
  const withParticles = spelled([...particles, ...parts].join(""));
  let best = { likeness: 0, at: 0, count: 0 };
  for (const [at] of words.entries())
    for (let count = 1; count <= Math.min(5, words.length - at); count++) {
      const joined = joinWords(words.slice(at, at + count));
      const likeness = Math.max(
        likenessOf(whole, joined),
        likenessOf(withParticles, joined),
        // One of two family names: she may have taken or left one.
        ...(parts.length > 1 && count === 1
          ? parts.map((part) => HALF * Number(likenessOf(spelled(part), joined) === 1))
          : []),
      );
      if (likeness > best.likeness) best = { likeness, at, count };
    }
  return best;
}

const joinWords = (words: readonly Word[]): Word => [
  words.map((word) => word[0]).join(""),
  words.map((word) => word.at(-1)).join(""),
];

/**
 * The first name is looked for in every place. A second one counts only where it stands first there: behind the first, the
 * "second name" of one field may be half of a family name, which a whole family shares.
 */
function bestGiven({ given, calledBy }: PersonName, words: readonly Word[]): number {
  const fit = (name: string | null | undefined, word: Word) =>
    name == null ? 0 : givenLikeness(spelled(name.replaceAll("-", "")), word);
  const [front, ...behind] = words;
  if (front === undefined) return 0;
  const compound = spelled(given.slice(0, 2).join("").replaceAll("-", ""));
  if (words.length > 1 && likenessOf(compound, joinWords(words.slice(0, 2))) === 1) return 1;
  return Math.max(
    fit(given[0], front),
    SLIP * fit(given[1], front),
    NICKNAME * fit(calledBy, front),
    ...behind.map((word) => SLIP * fit(given[0], word)),
  );
}

function givenLikeness(asked: Word, shown: Word): number {
  const likeness = likenessOf(asked, shown);
  if (likeness === 1) return 1;
  if (asked.some((a) => shown.some((b) => isSameGivenName(a, b)))) return NICKNAME;
  const isInitial = asked.some((a) =>
    shown.some((b) => (a.length === 1 || b.length === 1) && a[0] === b[0]),
  );
  return isInitial ? INITIAL : likeness;
}

/** 1 the same in one of their spellings, 0.9 for a slip of the pen, else less than anything that counts. */
function likenessOf(a: Word, b: Word): number {
  if (a.some((one) => b.includes(one))) return 1;
  const slips = a.some((one) => b.some((two) => isSlip(one, two)));
  return slips
    ? SLIP
    : 0.5 * Math.max(0, ...a.flatMap((one) => b.map((two) => jaroWinkler(one, two))));
}

/** Martin is no slip of Martina: what differs in its last vowel is a name of its own. */
const isSlip = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 4 && jaroWinkler(a, b) > 0.93 && stemOf(a) !== stemOf(b);

const stemOf = (word: string): string => word.replace(/[aeiouy]+$/, "");
