import type { ReplyIntent } from "#db/schema/index.ts";
import type { StopWish } from "./opt-out.ts";
import { judgedText } from "./understanding/lines.ts";
import { INTENTS, readFeatures, theReader } from "./understanding/reader.ts";
import { intentScores } from "./understanding/scores.ts";

/** A no must be so much likelier than interest: read as none, interest would be lost. */
const SURELY_NOT = 0.3;

/**
 * What a lead seems to want by its own words (`visibleReply`): a suggestion for the users who read the reply.
 */
export function readIntent(visible: string, wish: StopWish): ReplyIntent {
  if (wish === "stop") return "not_interested";
  const text = judgedText(visible);
  if (text.trim() === "") return "unclear";
  const scores = intentScores(theReader().intents, readFeatures(text, false));
  const scoreOf = (intent: ReplyIntent) => scores[INTENTS.indexOf(intent as "interested")]!;
  const likeliest = INTENTS[scores.indexOf(Math.max(...scores))]!;
  const isDoubtful = scoreOf("not_interested") - scoreOf("interested") < SURELY_NOT;
  return likeliest === "not_interested" && isDoubtful ? "unclear" : likeliest;
}
