import { asksInMoreLanguages } from "./more-languages.ts";
import { offerIn } from "./offers.ts";
import { plainLetters } from "./plain-letters.ts";
import { judgedText, readingsOfLines } from "./understanding/lines.ts";
import { FLAG, readFeatures, STOP, theReader } from "./understanding/reader.ts";
import { wishScore } from "./understanding/scores.ts";

/** `perhaps`: the lead may want no more mail, and a user should read it. */
export type StopWish = "stop" | "perhaps" | "no";

/** Above it 98 of 100 that are heard do ask, by authors who were left out of the training. */
const SURE = 1.5;
/** Above it a person should look: of a wish that is sure, and of one that is sure or doubtful. */
const LIKELY = 0;
const DOUBTFUL = 0;

/**
 * Whether a lead asks in its own words (`visibleReply`) not to be written to any more. Being not
 * interested is no such wish, and neither is talk of newsletters, copies and waiting lists; a reply that asks
 * for less mail, or says too little, is for a user to judge. `whole` is the text with what it quotes: a
 * bare yes may be one to our own offer to stop.
 */
export function asksToStop(visible: string, whole = ""): StopWish {
  const text = judgedText(visible);
  if (asksInMoreLanguages(plainLetters(text))) return "stop";
  const offer = offerIn(visible, whole);
  const wish = wishIn(text, offer === "alone");
  // A mail that asks something besides may have its yes for that.
  if (wish === "no" && offer === "beside" && wishIn(text, true) === "stop") return "perhaps";
  return wish;
}

function wishIn(text: string, offered: boolean): StopWish {
  const { wishes } = theReader();
  const read = readingsOfLines(text).map((each) => readFeatures(each, offered));
  const most = (column: number) => Math.max(...read.map((each) => wishScore(wishes, each, column)));
  const sure = most(STOP);
  if (sure > SURE) return "stop";
  return sure > LIKELY || most(FLAG) > DOUBTFUL ? "perhaps" : "no";
}
