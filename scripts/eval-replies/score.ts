import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asksToStop } from "#src/domain/replies/inbound/opt-out.ts";
import { visibleText } from "#src/domain/replies/inbound/reply-text.ts";

/**
 * A line of a corpus file, such as `+ Hi,\n\nplease remove me.`: `+` asks for no more mail, `-` does not,
 * `?` asks for less, or perhaps; `\n` is a line break. One file for each language.
 */
export interface LabelledReply {
  label: "+" | "-" | "?";
  text: string;
}

export interface Score {
  asking: number;
  heard: number;
  /** Of those that ask, shown to a person as perhaps asking. */
  doubted: number;
  others: number;
  /** Taken for a wish that it is not. */
  wrong: number;
  flagged: number;
  /** Of those taken for a wish, the share that is one. */
  precision: number;
  recall: number;
  misses: string[];
}

export function readCorpus(folder: string) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .toSorted()
    .map((file) => ({
      language: file.replace(/\.txt$/, ""),
      replies: readFileSync(join(folder, file), "utf8").trimEnd().split("\n").map(labelled),
    }));
}

function labelled(line: string): LabelledReply {
  const [, label, text] = /^([+?-]) (.+)$/.exec(line) ?? [];
  if (text === undefined) throw new Error(`Neither "+", "-" nor "?" begins the line: ${line}`);
  return { label: label as LabelledReply["label"], text: text.replaceAll("\\n", "\n") };
}

export function scoreOf(replies: readonly LabelledReply[]): Score {
  const read = replies.map((reply) => ({
    ...reply,
    wish: asksToStop(visibleText(reply.text), reply.text),
  }));
  const count = (isIn: (reply: (typeof read)[number]) => boolean) => read.filter(isIn).length;
  return withShares({
    asking: count(({ label }) => label === "+"),
    heard: count(({ label, wish }) => label === "+" && wish === "stop"),
    doubted: count(({ label, wish }) => label === "+" && wish === "perhaps"),
    others: count(({ label }) => label !== "+"),
    wrong: count(({ label, wish }) => label !== "+" && wish === "stop"),
    flagged: count(({ label, wish }) => label !== "+" && wish === "perhaps"),
    misses: read
      .filter(({ label, wish }) => (label === "+") !== (wish === "stop"))
      .map(({ label, wish, text }) => `${label} read as ${wish}: ${JSON.stringify(text)}`),
  });
}

export function total(scores: readonly Score[]): Score {
  const sum = (key: "asking" | "heard" | "doubted" | "others" | "wrong" | "flagged") =>
    scores.reduce((before, score) => before + score[key], 0);
  return withShares({
    asking: sum("asking"),
    heard: sum("heard"),
    doubted: sum("doubted"),
    others: sum("others"),
    wrong: sum("wrong"),
    flagged: sum("flagged"),
    misses: scores.flatMap(({ misses }) => misses),
  });
}

const withShares = (counts: Omit<Score, "precision" | "recall">): Score => ({
  ...counts,
  precision: counts.heard + counts.wrong === 0 ? 1 : counts.heard / (counts.heard + counts.wrong),
  recall: counts.asking === 0 ? 1 : counts.heard / counts.asking,
});
