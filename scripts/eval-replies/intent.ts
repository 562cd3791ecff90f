import { readFileSync } from "node:fs";
import { readIntent } from "#src/domain/replies/inbound/intent.ts";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";

export interface LabelledIntent {
  id: string;
  language: string;
  text: string;
  intent: string;
  /** False where a careful person would hesitate. */
  clear: boolean;
}

export interface IntentScore {
  all: number;
  right: number;
  clear: number;
  clearRight: number;
  /** Interest read as none, the one mistake that must not happen. */
  lost: number;
  misses: string[];
}

export const readIntents = (path: string): LabelledIntent[] =>
  JSON.parse(readFileSync(path, "utf8")) as LabelledIntent[];

export function scoreOfIntents(replies: readonly LabelledIntent[]): IntentScore {
  const score: IntentScore = { all: 0, right: 0, clear: 0, clearRight: 0, lost: 0, misses: [] };
  for (const { id, text, intent, clear } of replies) {
    const visible = visibleText(text);
    const read = readIntent(visible, asksToStop(visible, text));
    const isRight = read === intent;
    score.all++;
    if (clear) score.clear++;
    if (isRight) score.right++;
    if (isRight && clear) score.clearRight++;
    if (intent === "interested" && read === "not_interested") score.lost++;
    if (!isRight)
      score.misses.push(
        `${id}${clear ? "" : " (open)"}: ${intent} read as ${read}: ${JSON.stringify(text)}`,
      );
  }
  return score;
}
