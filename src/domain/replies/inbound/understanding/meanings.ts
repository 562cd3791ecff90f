import type { ReplyLanguage } from "../language-guess.ts";
import { extended, extendedBy, HASH_START, mixed } from "./hash.ts";
import { entryOf, type Lexicon } from "./lexicon.ts";

/** What a word, or a phrase that begins with it, means, and how many words it takes. */
export interface Meaning {
  concept: string;
  length: number;
}

const MAX_PHRASE = 3;
const MAX_SPACELESS = 6;
const SPACELESS = /^[\u3040-\u30ff\u3400-\u9fff]/u;
const SPACE = " ".charCodeAt(0);
const STAR = "*".charCodeAt(0);
const MIN_BEGINNING = 2;
/** Of the words that are known in one language as many must be known in another that counts beside it. */
const AS_LIKELY = 0.75;
const NONE: readonly Meaning[] = [];

/** The longest phrase of a language at a place, else the word, else the longest beginning of it. */
function meaningsIn(
  lexicon: Lexicon,
  start: number,
  words: readonly string[],
  at: number,
): readonly Meaning[] {
  const word = words[at]!;
  const isSpaceless = SPACELESS.test(word);
  const longest = Math.min(isSpaceless ? MAX_SPACELESS : MAX_PHRASE, words.length - at);
  let state = start;
  let found: readonly Meaning[] = NONE;
  const named = (hash: number, length: number) =>
    lexicon.get(entryOf(mixed(hash)))?.map((concept) => ({ concept, length }));
  for (let end = 0; end < word.length; end++) {
    state = extended(state, word.charCodeAt(end));
    if (!isSpaceless && end + 1 >= MIN_BEGINNING) found = named(extended(state, STAR), 1) ?? found;
  }
  found = named(state, 1) ?? found;
  for (let length = 2; length <= longest; length++) {
    const next = words[at + length - 1]!;
    state = extendedBy(isSpaceless ? state : extended(state, SPACE), next);
    found = named(state, length) ?? found;
  }
  return found;
}

/**
 * What the words of sentences mean, for each place. Of the languages that a text may be in those count of which
 * most words are known: a short text says too little for small words alone.
 */
export function meaningsOf(
  lexicon: Lexicon,
  likely: Iterable<ReplyLanguage>,
  sentences: readonly (readonly string[])[],
): (readonly Meaning[])[][] {
  const read = [...likely].map((language) => {
    const start = extendedBy(HASH_START, `${language}:`);
    let known = 0;
    const places = sentences.map((words) =>
      words.map((_, at) => {
        const meanings = meaningsIn(lexicon, start, words, at);
        if (meanings.length > 0) known++;
        return meanings;
      }),
    );
    return { language, places, known };
  });
  const most = Math.max(...read.map(({ known }) => known));
  const counted = read.filter(
    ({ language, known }) => known > 0 && (language === "other" || known >= most * AS_LIKELY),
  );
  return sentences.map((words, sentence) =>
    words.map((_, at) => {
      const longest = new Map<string, Meaning>();
      for (const { places } of counted)
        for (const each of places[sentence]![at]!)
          if ((longest.get(each.concept)?.length ?? 0) < each.length)
            longest.set(each.concept, each);
      return [...longest.values()];
    }),
  );
}
