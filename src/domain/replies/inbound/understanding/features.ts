import type { ReplyLanguage } from "../language-guess.ts";
import type { Lexicon } from "./lexicon.ts";
import { type Meaning, meaningsOf } from "./meanings.ts";
import { type SpokenSentence, spokenSentences } from "./words.ts";

/** The features of a reply: of each sentence by itself, and of the whole. */
export interface Features {
  sentences: readonly (readonly string[])[];
  whole: readonly string[];
}

interface Told {
  concept: string;
  at: number;
  negated: boolean;
}

const MAX_SENTENCES = 25;
const CJK = /^[\u3040-\u30ff\u3400-\u9fff]$/u;

/** `offered`: what it answers offers to write no more. */
export function featuresOf(
  text: string,
  offered: boolean,
  languages: Iterable<ReplyLanguage>,
  lexicon: Lexicon,
): Features {
  const bySound = new Map(spokenSentences(text).map((each) => [each.words.join(" "), each]));
  const sentences = [...bySound.values()].slice(0, MAX_SENTENCES);
  const meanings = meaningsOf(
    lexicon,
    languages,
    sentences.map(({ words }) => words),
  );
  const told = sentences.map((sentence, at) => conceptsIn(sentence, meanings[at]!));
  const whole = new Set<string>(["1"]);
  const count = sentences.reduce((sum, { words }) => sum + words.length, 0);
  whole.add(`n${Math.min(9, Math.floor(Math.log2(count + 1) * 1.5))}`);
  whole.add(`s${Math.min(4, sentences.length)}`);
  if (sentences.some(({ isQuestion }) => isQuestion)) whole.add("?");
  if (offered) whole.add("O");
  for (const [at, each] of told.entries())
    for (const { concept, negated } of each) {
      whole.add(`d${concept}${negated ? "-" : ""}`);
      if (at === 0) whole.add(`f${concept}`);
      if (at === told.length - 1) whole.add(`l${concept}`);
    }
  return {
    sentences: sentences.map((sentence, at) => [...sentenceFeatures(sentence, told[at]!, offered)]),
    whole: [...whole],
  };
}

function conceptsIn(
  { words, clauseEnds, names }: SpokenSentence,
  meaningsAt: readonly (readonly Meaning[])[],
): Told[] {
  const told: Told[] = [];
  let negatedUntil = -1;
  let covered = 0;
  for (let at = 0; at < words.length; at++) {
    if (clauseEnds.has(at)) negatedUntil = -1;
    if (words[at] === "adrx") told.push({ concept: "ADDR", at, negated: false });
    if (words[at] === "0") told.push({ concept: "NUM", at, negated: false });
    if (at < covered) continue;
    const meanings = meaningsAt[at]!;
    for (const { concept, length } of meanings) {
      covered = Math.max(covered, at + length);
      told.push({ concept, at, negated: at <= negatedUntil });
      if (concept === "NOT") negatedUntil = at + 6;
    }
    if (meanings.length === 0 && names.has(at)) told.push({ concept: "NAME", at, negated: false });
  }
  return told;
}

function sentenceFeatures(
  { words, isQuestion, isShouted }: SpokenSentence,
  told: readonly Told[],
  offered: boolean,
): Set<string> {
  const found = new Set<string>();
  const add = (feature: string) => found.add(feature);
  const stems = words.map((word) => word.slice(0, 5));
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "$";
    add(`w${word}`);
    add(`b${word} ${next}`);
    if (at === 0) add(`b^ ${word}`);
    add(`t${word} ${next} ${words[at + 2] ?? "$"}`);
    if (word.length > 5) add(`p${stems[at]}`);
    for (const gap of [2, 3, 4]) {
      const other = stems[at + gap];
      if (other !== undefined) add(`k${stems[at]} ${other}`);
    }
    if (CJK.test(word)) add(`q${word}${next}${words[at + 2] ?? "$"}${words[at + 3] ?? "$"}`);
    else if (word.length > 3)
      for (let from = 0; from + 4 <= word.length; from++) add(`g${word.slice(from, from + 4)}`);
  }
  const marks = told.map(({ concept, negated }) => (negated ? `${concept}-` : concept));
  for (const [at, mark] of marks.entries()) {
    add(`c${mark}`);
    if (isQuestion) add(`?${mark}`);
    const next = marks[at + 1] ?? "$";
    add(`C${mark} ${next}`);
    if (at === 0) add(`C^ ${mark}`);
    add(`T${mark} ${next} ${marks[at + 2] ?? "$"}`);
    for (let other = at + 1; other < Math.min(marks.length, at + 12); other++)
      add(`P${mark} ${marks[other]}`);
    add(`x${mark} ${words[told[at]!.at + 1] ?? "$"}`);
    if (offered) add(`O${mark}`);
  }
  if (marks.length <= 6) add(`S${marks.join(" ")}${isQuestion ? "?" : ""}`);
  add(`N${Math.min(6, Math.floor(Math.log2(words.length) * 1.5))}${isQuestion ? "?" : ""}`);
  if (isShouted) add("!");
  if (offered) {
    add(`O${marks.join(" ")}`);
    for (const word of words) add(`Ow${word}`);
  }
  return found;
}
