import { INTENTS } from "#src/domain/replies/inbound/understanding/reader.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readIntents } from "../eval-replies/intent.ts";
import { readCorpus } from "../eval-replies/score.ts";
import { readingsOf, thrower } from "./expand.ts";

/** A text, and what its author says of it; null is not said. */
export interface Example {
  author: string;
  language: string;
  text: string;
  stop: number | null;
  flag: number | null;
  intent: number | null;
  weight: number;
  /** False where a careful person would hesitate. */
  clear: boolean;
}

const CORPUS = join(import.meta.dirname, "../eval-replies");
const OPT_OUTS: readonly (readonly [author: string, folder: string])[] = [
  ["first", "tune"],
  ["first", "held-out"],
  ["second", "another-hand/opt-out/tune"],
  ["second", "another-hand/opt-out/held-out"],
  ["third", "third-hand/opt-out/held-out"],
  ["fourth", "fourth-hand/opt-out/tune"],
  ["fourth", "fourth-hand/opt-out/held-out"],
  ["sixth", "sixth-hand/opt-out"],
  ["seventh", "seventh-hand/opt-out"],
  ["eighth", "eighth-hand/opt-out"],
  ["ninth", "ninth-hand/opt-out"],
  ["tenth", "tenth-hand/opt-out"],
];
const INTENT_FILES: readonly (readonly [author: string, file: string])[] = [
  ["second", "another-hand/intent/tune.json"],
  ["second", "another-hand/intent/held-out.json"],
  ["third", "third-hand/intent/held-out.json"],
  ["fourth", "fourth-hand/intent/tune.json"],
  ["fourth", "fourth-hand/intent/held-out.json"],
  ["sixth", "sixth-hand/intent/all.json"],
  ["seventh", "seventh-hand/intent/all.json"],
  ["eighth", "eighth-hand/intent/all.json"],
  ["ninth", "ninth-hand/intent/all.json"],
  ["tenth", "tenth-hand/intent/all.json"],
];

export function readExamples(): Example[] {
  const all: Example[] = [];
  for (const [author, folder] of OPT_OUTS) {
    if (!existsSync(join(CORPUS, folder))) continue;
    for (const { language, replies } of readCorpus(join(CORPUS, folder)))
      for (const { label, text } of replies)
        all.push({
          author,
          language,
          text,
          stop: label === "+" ? 1 : 0,
          flag: label === "-" ? 0 : 1,
          intent: null,
          clear: true,
          weight: AUTHORS_WEIGHT,
        });
  }
  for (const [author, file] of INTENT_FILES)
    for (const { language, text, intent, clear } of readIntents(join(CORPUS, file)))
      all.push({
        author,
        language,
        text,
        stop: null,
        flag: null,
        intent: INTENTS.indexOf(intent as (typeof INTENTS)[number]),
        clear,
        weight: clear ? AUTHORS_WEIGHT : AUTHORS_WEIGHT / 2,
      });
  all.push(...trainingExamples());
  return all;
}

/** How many readings a line has in training, and how many of them stand among other sentences. */
const READINGS = 16;
const SHARE_AMONG_OTHERS = 0.5;
/** A text that an author wrote counts as much as eight readings of a line that has many. */
const AUTHORS_WEIGHT = 4;
const READING_WEIGHT = 0.5;
/** A line that has few readings counts with each of them more, up to so many times. */
const MAX_TIMES = 4;
const LINE = /^([+?-]|\w+:) (.+)$/;

const linesOf = (path: string): string[] => readFileSync(path, "utf8").trim().split("\n");

/**
 * Lines of the training texts: `+`, `-` and `?` as in the other corpora, or an intent and a colon; a line with
 * `{this|that}` is read in several ways, and some of these stand among the sentences of `around`.
 */
function trainingExamples(): Example[] {
  const folder = join(CORPUS, "training");
  const random = thrower(11);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".txt"))
    .toSorted()
    .flatMap((file) => {
      const language = file.replace(/(-opt-out|-not|-intent)?\.txt$/, "");
      const around = linesOf(join(folder, "around", `${language}.txt`));
      return linesOf(join(folder, file)).flatMap((line) => {
        const [, label = "", source = ""] = LINE.exec(line) ?? [];
        const intent = INTENTS.indexOf(label.slice(0, -1) as (typeof INTENTS)[number]);
        if (source === "" || (intent === -1 && !/^[+?-]$/.test(label)))
          throw new Error(`Neither a sign nor an intent begins the line of ${file}: ${line}`);
        const readings = readingsOf(source, READINGS, random);
        const weight = READING_WEIGHT * Math.min(MAX_TIMES, READINGS / readings.length);
        return readings.map((text) => ({
          author: "training",
          language,
          text: amongOthers(text.replaceAll("\\n", "\n"), around, intent !== -1, random),
          stop: label === "+" ? 1 : 0,
          flag: label === "+" || label === "?" ? 1 : 0,
          intent: intent === -1 ? null : intent,
          clear: true,
          weight,
        }));
      });
    });
}

/** Greetings and courtesies change no intent; what else is said around a wish may. */
function amongOthers(
  text: string,
  around: readonly string[],
  isIntent: boolean,
  random: () => number,
): string {
  if (text.includes("\n") || random() > SHARE_AMONG_OTHERS) return text;
  const pick = (lines: readonly string[], share: number): string[] => {
    if (random() > share || lines.length === 0) return [];
    return readingsOf(lines[Math.floor(random() * lines.length)]!.slice(2), 1, random);
  };
  const before = around.filter((line) => line.startsWith("<"));
  const after = around.filter((line) => line.startsWith(">"));
  const [fact] = isIntent
    ? []
    : pick([...around.filter((line) => line.startsWith("~")), ...before.slice(2)], 0.35);
  const parts = [
    ...pick(before.slice(0, 1), 0.5),
    ...pick(before.slice(1, 2), 0.4),
    ...(isIntent ? [] : pick(before.slice(2), 0.4)),
    fact === undefined ? text : besideFact(text, fact, random),
    ...pick(after.slice(0, 1), 0.6),
    ...pick(after.slice(1), 0.4),
  ];
  return parts.join(random() < 0.4 ? "\n" : " ");
}

/** In one sentence with something that says nothing about it. */
function besideFact(text: string, fact: string, random: () => number): string {
  const bare = text.replace(/[.!]$/, "");
  const said = fact.replace(/\.$/, "");
  const mark = [", ", ": ", ". ", " - ", " "][Math.floor(random() * 5)]!;
  return random() < 0.5 ? `${bare}${mark}${said}.` : `${said}${mark}${text}`;
}
