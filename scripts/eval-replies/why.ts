import { offerIn } from "#src/domain/replies/inbound/offers.ts";
import { readIntent } from "#src/domain/replies/inbound/intent.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";
import { judgedText } from "#src/domain/replies/inbound/understanding/lines.ts";
import {
  INTENTS,
  readFeatures,
  STOP,
  theReader,
} from "#src/domain/replies/inbound/understanding/reader.ts";
import { weighedMost } from "#src/domain/replies/inbound/understanding/scores.ts";

/** How a text is read, and which of its words and meanings weighed most. */
export function whyOf(text: string): string[] {
  const visible = visibleText(text);
  const wish = asksToStop(visible, text);
  const intent = readIntent(visible, wish);
  const { wishes, intents } = theReader();
  const features = readFeatures(judgedText(visible), offerIn(visible, text) === "alone");
  const listed = (weighed: readonly [string, number][]) =>
    weighed.map(([feature, weight]) => `  ${weight.toFixed(2).padStart(6)}  ${feature}`);
  return [
    `wish to hear no more: ${wish}`,
    ...listed(weighedMost(wishes, features, STOP)),
    `intent: ${intent}`,
    ...listed(weighedMost(intents, features, INTENTS.indexOf(intent))),
  ];
}
