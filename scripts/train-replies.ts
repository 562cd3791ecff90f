/**
 * `npm run train:replies`: trains how replies are understood, of the texts in `scripts/eval-replies` and the words in
 * `scripts/train-replies/concepts`, and writes `src/domain/replies/inbound/understanding/trained.ts`. The same texts
 * make the same file. With `-- --left-out` nothing is written: each author in turn is left out and judged.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { packLexicon, unpackLexicon } from "#src/domain/replies/inbound/understanding/lexicon.ts";
import { INTENTS, WISHES } from "#src/domain/replies/inbound/understanding/reader.ts";
import { packWeights, unpackWeights } from "#src/domain/replies/inbound/understanding/weights.ts";
import { readExamples } from "./train-replies/examples.ts";
import { judged } from "./train-replies/left-out.ts";
import { readLexicon } from "./train-replies/lexicon.ts";
import { COLUMNS, type Sample, trainPruned } from "./train-replies/model.ts";
import { sampleOf } from "./train-replies/samples.ts";

const FILE = join(import.meta.dirname, "../src/domain/replies/inbound/understanding/trained.ts");
const { values } = parseArgs({
  options: {
    "left-out": { type: "boolean", default: false },
    author: { type: "string" },
    misses: { type: "boolean", default: false },
  },
});
const packedLexicon = packLexicon(readLexicon());
const lexicon = unpackLexicon(packedLexicon);
const examples = readExamples();
const samples = examples.map((example) => sampleOf(example, lexicon));
console.log(`${examples.length} texts, ${lexicon.size} words and beginnings`);
if (values["left-out"]) leaveOut();
else write();

function trained(of: readonly Sample[]) {
  const weights = trainPruned(of);
  const columns = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => from + at);
  return {
    lexicon: packedLexicon,
    wishes: packWeights(weights, columns(0, WISHES), COLUMNS),
    intents: packWeights(weights, columns(WISHES, COLUMNS), COLUMNS),
  };
}

function leaveOut(): void {
  const authors = [...new Set(examples.map(({ author }) => author))];
  for (const author of authors) {
    if (author === "training" || (values.author !== undefined && author !== values.author))
      continue;
    const { wishes, intents } = trained(samples.filter((_, at) => examples[at]!.author !== author));
    console.log(
      judged(
        author,
        examples.filter((example) => example.author === author),
        {
          lexicon,
          wishes: unpackWeights(wishes, WISHES),
          intents: unpackWeights(intents, INTENTS.length),
        },
        values.misses,
      ),
    );
  }
}

function write(): void {
  const all = trained(samples);
  const text = `// Written by \`npm run train:replies\`: the words of the languages and what each feature weighs.
import type { PackedLexicon } from "./lexicon.ts";
import type { PackedWeights } from "./weights.ts";

export const TRAINED: { lexicon: PackedLexicon; wishes: PackedWeights; intents: PackedWeights } =
  ${JSON.stringify(all)};
`;
  writeFileSync(FILE, text);
  const size = (part: unknown) => `${(gzipSync(JSON.stringify(part)).length / 1000).toFixed(1)} kB`;
  console.log(
    `gzipped: words ${size(all.lexicon)}, wishes ${size(all.wishes)}, intents ${size(all.intents)}, all ${size(all)}`,
  );
}
