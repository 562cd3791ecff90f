import { ALPHABET, packNumbers, unpackNumbers, valueAt } from "./packed.ts";
import { hashed } from "./hash.ts";

/** Concepts of words and phrases by the hash of `language:words`; `*` ends what is a beginning only. */
export interface PackedLexicon {
  concepts: string;
  hashes: string;
  /** Of each hash the place of its concept. */
  meanings: string;
}
export type Lexicon = ReadonlyMap<number, readonly string[]>;

const BITS = 22;
export const entryOf = (hash: number): number => hash >>> (32 - BITS);

export function packLexicon(entries: ReadonlyMap<string, readonly string[]>): PackedLexicon {
  const concepts = [...new Set([...entries.values()].flat())].toSorted();
  const pairs = [...entries]
    .flatMap(([key, named]) =>
      named.map((name) => [entryOf(hashed(key)), concepts.indexOf(name)] as const),
    )
    .toSorted(([one, first], [other, second]) => one - other || first - second);
  return {
    concepts: concepts.join(" "),
    hashes: packNumbers(pairs.map(([hash]) => hash)),
    meanings: pairs.map(([, concept]) => ALPHABET[concept]!).join(""),
  };
}

export function unpackLexicon({ concepts, hashes, meanings }: PackedLexicon): Lexicon {
  const names = concepts.split(" ");
  const lexicon = new Map<number, string[]>();
  for (const [at, hash] of unpackNumbers(hashes).entries()) {
    const name = names[valueAt(meanings, at)]!;
    const known = lexicon.get(hash);
    if (known) known.push(name);
    else lexicon.set(hash, [name]);
  }
  return lexicon;
}
