import { likelyLanguages } from "../language-guess.ts";
import { type Features, featuresOf } from "./features.ts";
import { type Lexicon, unpackLexicon } from "./lexicon.ts";
import { TRAINED } from "./trained.ts";
import { unpackWeights, type Weights } from "./weights.ts";

/** The columns of the wish to hear no more: a sure one, and a sure or doubtful one. */
export const STOP = 0;
export const FLAG = 1;
export const WISHES = 2;
/** The columns of the intents. */
export const INTENTS = [
  "interested",
  "not_now",
  "not_interested",
  "referral",
  "question",
  "unclear",
] as const;

interface Reader {
  lexicon: Lexicon;
  wishes: Weights;
  intents: Weights;
}
let reader: Reader | null = null;

/** Unpacked for the first reply, and not at each start. */
export function theReader(): Reader {
  reader ??= {
    lexicon: unpackLexicon(TRAINED.lexicon),
    wishes: unpackWeights(TRAINED.wishes, WISHES),
    intents: unpackWeights(TRAINED.intents, INTENTS.length),
  };
  return reader;
}

/** `offered`: what it answers offers to write no more. */
export const readFeatures = (text: string, offered: boolean): Features =>
  featuresOf(text, offered, likelyLanguages(text), theReader().lexicon);
