import { fold, wordsOf } from "../normalize-text.ts";
import type { DraftRequest } from "../draft.ts";
import type { Check } from "./check.ts";

/** The commonest small words that tell a language from its neighbours. */
const SMALL_WORDS: Record<string, ReadonlySet<string>> = Object.fromEntries(
  Object.entries({
    en: "the and you your for with that this are have from our would about which they has been what when will could how i'm it is of we",
    de: "der die das und ist nicht ich sie wir mit für auf ein eine einen den dem zu von ihre ihr ihnen haben dass sich auch bei oder wie uns",
    fr: "le la les et est vous nous je des une pour que qui dans votre vos avec sur pas sont du au ce cette notre plus par mais comme",
    es: "el los las y es que una para con su por del se lo como más pero sus usted nos muy nuestro nuestra este esta ha han está",
    it: "il lo gli e è che una per con di del della le sono non si come più ma suo sua nostro nostra questo questa nel alla",
    pt: "o os as e é que uma para com do da dos das em por não se como mais mas seu sua nosso nossa este esta você são no na",
    nl: "de het een en is dat van voor met u uw wij zijn niet op aan ook bij naar maar om we ons jullie deze hebben kan er te",
    sv: "och att det som en är för på med av inte ni er vi har till den om jag era ert detta kan från eller",
    pl: "i w na się z do nie to że jest jak dla po od są ale czy przez pan pani państwa nas nasz o za co",
  }).map(([language, words]) => [language, new Set(words.split(" "))]),
);

/** Whether a word, in lower case, is a function word of any language, and so no name. */
export const isSmallWord = (word: string): boolean =>
  Object.values(SMALL_WORDS).some((words) => words.has(word));

const SCRIPTS: Record<string, RegExp> = {
  Latin: /\p{Script=Latin}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Greek: /\p{Script=Greek}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Han: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Thai: /\p{Script=Thai}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
};
const SCRIPT_OF: Record<string, string> = {
  ...Object.fromEntries("ru uk be bg sr mk kk mn".split(" ").map((each) => [each, "Cyrillic"])),
  ...Object.fromEntries("ar fa ur".split(" ").map((each) => [each, "Arabic"])),
  ...Object.fromEntries("hi mr ne".split(" ").map((each) => [each, "Devanagari"])),
  el: "Greek",
  he: "Hebrew",
  zh: "Han",
  ja: "Han",
  ko: "Hangul",
  th: "Thai",
};

/** Names of languages in a prompt: a customer who names one gets it. */
const NAMED: Record<string, RegExp> = {
  en: /\benglish\b|\benglisch/,
  de: /\bgerman\b|\bdeutsch|\ballemand\b/,
  fr: /\bfrench\b|\bfrançais|\bfranzösisch/,
  es: /\bspanish\b|\bespañol|\bspanisch/,
  it: /\bitalian|\bitalienisch/,
  pt: /\bportuguese\b|\bportuguês/,
  nl: /\bdutch\b|\bnederlands/,
  sv: /\bswedish\b|\bsvenska/,
  pl: /\bpolish\b|\bpolski/,
  ru: /\brussian\b|русск/,
  ja: /\bjapanese\b|日本語/,
  zh: /\bchinese\b|中文/,
};

const MIN_WORDS = 12;
const CLEARLY = 1.5;
const FOREIGN_SHARE = 0.25;

/** Another language, or another script, than that of the template, the sender or the prompt: of the whole, or of one sentence. */
export const isOtherLanguage: Check = ({ text, words }, given) => {
  const wanted = wantedLanguages(given.request);
  if (wanted === null) return false;
  const scripts = new Set(wanted.map((language) => SCRIPT_OF[language] ?? "Latin"));
  if (shareOfOtherScripts(text, scripts) > FOREIGN_SHARE) return true;
  const seen = languageOf(text);
  if (seen !== null && !wanted.includes(seen.language) && isClear(words, seen.hits, wanted))
    return true;
  const known = wanted.filter((language) => language in SMALL_WORDS);
  return text
    .replace(QUOTED, "")
    .split(/[\n。！？]+|(?<=[.!?])\s+/u)
    .some(
      (sentence) =>
        isOtherSentence(sentence, scripts, known) && !given.own.includes(fold(sentence).trim()),
    );
};

const QUOTED = /["“„«][^"“”„«»\n]{1,200}["”“»]/gu;
/** Of English, what other languages have as well, and so tells it from none. */
const SHORTER_WORDS = new Set(
  "i a to in on at my me be am was not no or do so if but as an by can too".split(" "),
);
const MIN_FOREIGN_LETTERS = 4;
const MIN_FOREIGN_HITS = 2;

/** One sentence in another script, or with small words of one other language and none of those that were asked for. */
function isOtherSentence(
  sentence: string,
  scripts: ReadonlySet<string>,
  known: readonly string[],
): boolean {
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0;
  const share = shareOfOtherScripts(sentence, scripts);
  if (share > 0.5 && share * letters >= MIN_FOREIGN_LETTERS) return true;
  if (known.length === 0 || !scripts.has("Latin")) return false;
  const words = wordsOf(fold(sentence));
  const isKnown = (word: string) =>
    known.some((language) => SMALL_WORDS[language]!.has(word)) ||
    (known.includes("en") && SHORTER_WORDS.has(word));
  if (words.some(isKnown)) return false;
  return Object.values(SMALL_WORDS).some(
    (small) => new Set(words.filter((word) => small.has(word))).size >= MIN_FOREIGN_HITS,
  );
}

/** Whether a language that was not asked for has clearly more of its small words than those that were. */
function isClear(words: readonly string[], hits: number, wanted: readonly string[]): boolean {
  const known = wanted.filter((language) => language in SMALL_WORDS);
  // Of a wanted language without a list nothing is known but that it is not this one.
  if (known.length < wanted.length) return hits > words.length / 5;
  return hits > CLEARLY * Math.max(...known.map((language) => hitsOf(words, language)));
}

/** Null when the prompt speaks of languages without naming one that is known: then it is the customer's affair. */
function wantedLanguages({ prompt, sender, template }: DraftRequest): string[] | null {
  const own = prompt.source === "default" ? "" : fold(prompt.text);
  const named = Object.keys(NAMED).filter((language) => NAMED[language]!.test(own));
  if (named.length === 0 && /\blanguages?\b|\bsprache|\blangue\b|\bidioma\b/.test(own)) return null;
  const ofTemplate = template === null ? null : languageOf(`${template.subject}\n${template.body}`);
  const tag = (sender["language"] ?? "en").toLowerCase().split("-", 1)[0]!;
  return [...named, tag, ...(ofTemplate === null ? [] : [ofTemplate.language])];
}

export function languageOf(text: string): { language: string; hits: number } | null {
  const script = !NOT_LATIN.test(text)
    ? undefined
    : Object.entries(SCRIPTS).find(
        ([name]) => name !== "Latin" && shareOfOtherScripts(text, new Set([name])) < 0.5,
      )?.[0];
  const ofScript = Object.entries(SCRIPT_OF).find(([, each]) => each === script)?.[0];
  if (script !== undefined && ofScript !== undefined) return { language: ofScript, hits: 0 };
  const words = wordsOf(fold(text));
  if (words.length < MIN_WORDS) return null;
  const ranked = Object.keys(SMALL_WORDS)
    .map((language) => ({ language, hits: hitsOf(words, language) }))
    .toSorted((a, b) => b.hits - a.hits);
  return ranked[0]!.hits >= words.length / 10 ? ranked[0]! : null;
}

const hitsOf = (words: readonly string[], language: string): number => {
  const small = SMALL_WORDS[language]!;
  return words.reduce((sum, word) => sum + Number(small.has(word)), 0);
};

const NOT_LATIN = /(?!\p{Script=Latin})\p{L}/u;

function shareOfOtherScripts(text: string, scripts: ReadonlySet<string>): number {
  if (scripts.has("Latin") && !NOT_LATIN.test(text)) return 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return 0;
  const expected = [...scripts].reduce((sum, name) => sum + countOf(text, SCRIPTS[name]!), 0);
  return (letters - expected) / letters;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** A word of Latin letters with one of another alphabet among them: it looks like a word, and is another. */
export const hasLookAlikes: Check = ({ text }) =>
  NOT_LATIN.test(text) &&
  wordsOf(text).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u.test(word),
  );
