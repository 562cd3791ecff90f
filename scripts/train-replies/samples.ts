import { likelyLanguages } from "#src/domain/replies/inbound/language-guess.ts";
import { offerIn } from "#src/domain/replies/inbound/offers.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { featuresOf } from "#src/domain/replies/inbound/understanding/features.ts";
import type { Lexicon } from "#src/domain/replies/inbound/understanding/lexicon.ts";
import { judgedText } from "#src/domain/replies/inbound/understanding/lines.ts";
import { rowOf } from "#src/domain/replies/inbound/understanding/weights.ts";
import type { Example } from "./examples.ts";
import type { Sample } from "./model.ts";

/** How the features that are words or parts of them begin in `features.ts`. */
const OF_WORDS = /^[wbtpkgqx]|^Ow/u;

/** An example as the reader will see it. */
export function sampleOf(example: Example, lexicon: Lexicon): Sample {
  const visible = visibleText(example.text);
  const text = judgedText(visible);
  const offered = offerIn(visible, example.text) === "alone";
  const { sentences, whole } = featuresOf(text, offered, likelyLanguages(text), lexicon);
  const { stop, flag, intent, weight } = example;
  return {
    sentences: sentences.map((each) => Int32Array.from(each, rowOf)),
    meanings: sentences.map((each) =>
      Int32Array.from(
        each.filter((feature) => !OF_WORDS.test(feature)),
        rowOf,
      ),
    ),
    whole: Int32Array.from(whole, rowOf),
    stop,
    flag,
    intent,
    weight,
  };
}
