import { wordsOf } from "../../normalize-text.ts";
import { isSmallWord } from "../language.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

type Reading = (text: string) => string;
const turned: Reading = (text) => [...text].toReversed().join("");
const turnedWords: Reading = (text) => text.replaceAll(/[\p{L}\p{N}'’]+/gu, turned);
/** "Ellohay": so many consonants went to the end. */
const pigLatin =
  (consonants: number): Reading =>
  (text) =>
    text.replaceAll(
      new RegExp(`\\b([a-z]*?)([bcdfghjklmnpqrstvxz]{${consonants}}|)-?[wy]?ay\\b`, "gi"),
      "$2$1",
    );

const alphabets = [
  ...Array.from({ length: 25 }, (_, at) => ALPHABET.slice(at + 1) + ALPHABET.slice(0, at + 1)),
  turned(ALPHABET),
];
const shiftedTo =
  (alphabet: string): Reading =>
  (text) =>
    text.replaceAll(/[a-z]/gi, (letter) => {
      const to = alphabet[letter.toLowerCase().charCodeAt(0) - 97]!;
      return letter === letter.toLowerCase() ? to : to.toUpperCase();
    });
const backFrom = (alphabet: string): string =>
  [...ALPHABET].map((letter) => ALPHABET[alphabet.indexOf(letter)]!).join("");

const COMMON =
  "the and you your for with that this are her she his him our is of to in we it on say as at der die das und dass les des que los".split(
    " ",
  );

/** Common words as they look in each disguise, so that one look at each word tells which it may be. */
const DISGUISED = new Map<string, Reading[]>();
function disguise(hide: Reading, read: Reading): void {
  for (const word of COMMON) {
    const hidden = hide(word);
    if (!isSmallWord(hidden)) DISGUISED.set(hidden, [...(DISGUISED.get(hidden) ?? []), read]);
  }
}
disguise(turned, turned);
disguise(turned, turnedWords);
for (const count of [1, 2])
  disguise((word) => word.replace(/^([^aeiou]*)(.*)$/, "$2$1ay"), pigLatin(count));
for (const alphabet of alphabets) disguise(shiftedTo(backFrom(alphabet)), shiftedTo(alphabet));

const FEW_WORDS = 12;

/** How a sentence reads that has more common words when it is turned round, or when its alphabet is shifted. */
export function ciphersIn(sentence: string): string[] {
  const words = wordsOf(sentence.toLowerCase());
  const hits = new Map<Reading, number>();
  for (const word of words)
    for (const read of DISGUISED.get(word) ?? []) hits.set(read, (hits.get(read) ?? 0) + 1);
  return [...hits]
    .filter(([, count]) => count >= 2 || words.length <= FEW_WORDS)
    .map(([read]) => read(sentence))
    .filter((plain) => smallIn(plain) >= smallIn(sentence) + 2);
}

const smallIn = (text: string): number => wordsOf(text.toLowerCase()).filter(isSmallWord).length;
