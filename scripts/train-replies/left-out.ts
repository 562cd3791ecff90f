import { likelyLanguages } from "#src/domain/replies/inbound/language-guess.ts";
import { offerIn } from "#src/domain/replies/inbound/offers.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { featuresOf } from "#src/domain/replies/inbound/understanding/features.ts";
import type { Lexicon } from "#src/domain/replies/inbound/understanding/lexicon.ts";
import { judgedText, readingsOfLines } from "#src/domain/replies/inbound/understanding/lines.ts";
import { INTENTS, STOP } from "#src/domain/replies/inbound/understanding/reader.ts";
import { intentScores, wishScore } from "#src/domain/replies/inbound/understanding/scores.ts";
import type { Weights } from "#src/domain/replies/inbound/understanding/weights.ts";
import type { Example } from "./examples.ts";

interface Reader {
  lexicon: Lexicon;
  wishes: Weights;
  intents: Weights;
}

const THRESHOLDS = [0, 0.5, 1, 1.5, 2, 2.5];
const percent = (share: number): string => (share * 100).toFixed(1).padStart(5);

/** How well the texts of an author are read by a reader who never saw one. */
export function judged(
  author: string,
  examples: readonly Example[],
  { lexicon, wishes, intents }: Reader,
  withMisses: boolean,
): string {
  const features = (text: string, offered: boolean) =>
    featuresOf(text, offered, likelyLanguages(text), lexicon);
  const read = examples.map((example) => {
    const visible = visibleText(example.text);
    const text = judgedText(visible);
    const offered = offerIn(visible, example.text) === "alone";
    const score = Math.max(
      ...readingsOfLines(text).map((each) => wishScore(wishes, features(each, offered), STOP)),
    );
    const scores = intentScores(intents, features(text, false));
    return { example, score, intent: scores.indexOf(Math.max(...scores)) };
  });
  const wishing = read.filter(({ example }) => example.stop !== null);
  const asking = wishing.filter(({ example }) => example.stop === 1).length;
  const lines = THRESHOLDS.map((threshold) => {
    const heard = wishing.filter(({ score }) => score > threshold);
    const right = heard.filter(({ example }) => example.stop === 1).length;
    return `  above ${threshold.toFixed(1)}: precision ${percent(right / heard.length)} %, recall ${percent(right / asking)} %`;
  });
  const meaning = read.filter(({ example }) => example.intent !== null);
  const clear = meaning.filter(({ example }) => example.clear);
  const right = clear.filter(({ example, intent }) => intent === example.intent).length;
  const lost = meaning.filter(({ example, intent }) => example.intent === 0 && intent === 2).length;
  if (meaning.length > 0)
    lines.push(`  intents: ${percent(right / clear.length)} % of the clear ones, ${lost} lost`);
  if (withMisses) {
    for (const { example, score } of wishing)
      if (score > 1.5 !== (example.stop === 1))
        lines.push(
          `  ${example.stop === 1 ? "missed" : "wrong"} ${score.toFixed(1)}: ${JSON.stringify(example.text)}`,
        );
    for (const { example, intent } of meaning)
      if (intent !== example.intent)
        lines.push(
          `  ${INTENTS[example.intent!]} read as ${INTENTS[intent]}: ${JSON.stringify(example.text)}`,
        );
  }
  return [`${author}:`, ...lines].join("\n");
}
