import { fold, wordsOf } from "../../normalize-text.ts";
import type { Foreign } from "../check.ts";
import { isSmallWord } from "../language.ts";
import { type Mood, moodOf, type Told } from "./clauses.ts";
import { type Drafted, OF_SENDER, type Said } from "./drafted.ts";
import { ORDINARY } from "./order-words.ts";
import { allStemsOf, rowOf, stemsOf } from "./stems.ts";

/** The lead, as orders may speak of it; folded. */
export interface Person {
  firstName: string;
  company: string;
}

/** Points of shared words that make a sentence taken over. A word counts one, a name two. */
const NEEDED: Record<Mood, number> = {
  ...{ role: 1, letter: 1, saying: 2, imperative: 2, hint: 2, statement: Infinity },
};
const OF_NAME = 2;
/** On a website orders to visitors are the rule. */
const NEEDED_OF_PAGE = 3;
const MORE_OF_VISITORS = 2;
/** Points of what an order has in quotation marks or behind a colon, where the draft says all of it. */
const WORD_BY_WORD = 3;
/** What is a statement by itself, and is ordered to be said near by, or stated by a third party and said of the sender. */
const NEEDED_OF_STATEMENT = 2;

/** The mood of the sentence at each place, read once; null beyond the last. */
export function moodsOf(
  sentences: readonly string[],
  { firstName, company }: Person,
  isPage: boolean,
): (at: number) => Told | null {
  const moods = new Map<string, Told>();
  return (at) => {
    const sentence = sentences[at];
    if (sentence === undefined) return null;
    const known = moods.get(sentence) ?? moodOf(unnamed(sentence, company), firstName, isPage);
    moods.set(sentence, known);
    return known;
  };
}

/** The first sentence of the draft that does as a sentence of the text says, with both; null where there is none. */
export function plainTaken(
  { name, isPage }: Foreign,
  sentences: readonly string[],
  drafted: Drafted,
  person: Person,
): { said: string; order: string } | null {
  const isPublic = isPage || name === "search";
  const moodAt = moodsOf(sentences, person, isPage);
  for (const [at, sentence] of sentences.entries()) {
    if (!stemsOf(sentence).some((stem) => drafted.stems.has(stem))) continue;
    const told = moodAt(at)!;
    // Who quotes what visitors are told, its verb included, does not do it.
    if (isPage && told.mood !== "letter" && drafted.row.includes(rowOf(sentence))) continue;
    const beside = neededBeside(sentences, at, moodAt, isPage);
    const ofThird = isPublic && told.mood === "statement" && isOfThird(sentence, person.company);
    const needed = neededOf(told, sentence, isPage);
    const least = Math.min(needed, beside, ofThird ? NEEDED_OF_STATEMENT : Infinity);
    if (least === Infinity) continue;
    const pointsOf = pointsIn(sentence, told, { isPage, isWhole: beside < Infinity }, drafted);
    const said = drafted.sentences.find((each) => {
      if (beside === Infinity && told.mood === "hint" && isPublic && !each.isOfSender) return false;
      if (beside === Infinity && (told.mood === "hint" || ofThird) && each.isOfLead) return false;
      if (beside === Infinity && ofThird && !each.isClaim) return false;
      return pointsOf(each) >= least;
    });
    if (said !== undefined) return { said: said.text, order: sentence };
  }
  return null;
}

/** A company may be called like an order: "Skip the Queue". */
const unnamed = (sentence: string, company: string): string =>
  company !== "" && fold(sentence).startsWith(company)
    ? "it".padEnd(company.length).slice(0, company.length) + sentence.slice(company.length)
    : sentence;

/** Of other languages every imperative is one of saying. */
const isOfVisitors = ({ mood, isPlain }: Told): boolean =>
  mood === "imperative" || (mood === "saying" && !isPlain);

function neededOf(told: Told, sentence: string, isPage: boolean): number {
  const { mood, isPlain } = told;
  const needed = isPage && isOfVisitors(told) ? NEEDED_OF_PAGE : NEEDED[mood];
  const toVisitors = mood === "letter" ? TO_US : TO_VISITORS;
  const folded = fold(sentence);
  const isOfMail = YOUR_MAIL.test(folded);
  return isPage && isPlain && !isOfMail && toVisitors.test(folded)
    ? needed + MORE_OF_VISITORS
    : needed;
}

const OURS =
  "us|our|ours|uns|unser\\p{L}*|nous|notre|nos|nosotros|nuestr\\p{L}+|noi|nostr\\p{L}+|nós|noss\\p{L}+|ons|onze|oss|vår\\p{L}*|nam|nas|nasz\\p{L}*|bize";
const YOURS = "your|yours|yourself|dein\\p{L}*|ihr\\p{L}*|votre|vos|tu|tus|su";
const TO_VISITORS = new RegExp(`(?<!\\p{L})(?:${OURS}|${YOURS})(?!\\p{L})`, "u");
const TO_US = /(?<!\p{L})(?:us|uns|nous|nos|noi|ci|ons|oss|nam|bize|newsletters?|form)(?!\p{L})/u;

/** Whether a sentence of a website asks its visitors to write to those whose it is. */
export const isToUs = (sentence: string): boolean => TO_US.test(fold(sentence));

/** What a visitor of a website does not write to its readers. */
const YOUR_MAIL =
  /\byour (?:\p{L}+ )?(?:subject|letter|e-?mail|mail|message|pitch|text|line|greeting|signature|sentence|paragraph|opening|closing)\b/u;

/** Whether an imperative, the `Told` of it apart, is one to the visitors of a website. */
export const isToVisitors = (sentence: string): boolean => TO_VISITORS.test(fold(sentence));

/** What stands in another sentence is meant, there or here. */
const POINTING =
  /\b(?:both|above|below|following|parts?|named|accordingly|such|pieces?|likewise|what you (?:remember|noted|learned)|remembered|do (?:so|the same)|(?:this|that) (?:name|word|phrase|line|sentence|code|number)|these (?:words|names|lines|facts)|(?:say|do|use|repeat|quote|mention|write|put|slip|work|add|include) (?:so|it|this|these|the same|that(?= ?(?:[.,;!]|$|in |to |at |as |into )))|like (?:that|this|it|those|these|hers|his)|that one|with it|\d+ (?:and|then|plus|before|after) \d+|followed by|together|join (?:them|both|the (?:two|parts|words|halves))|combin\p{L}*)\b|:\s*$/u;
const REFERRING =
  /^(?:\p{L}+ ){1,3}(?:it|this|that|these|those|both|so)(?= (?:in|into|at|to|as|for|back|too)\b|[.!]|$)|\bhow to \p{L}+ it\b/u;

/** Points that make a sentence taken over because one near it orders what is to be done with it. */
function neededBeside(
  sentences: readonly string[],
  at: number,
  moodAt: (at: number) => Told | null,
  isPage: boolean,
): number {
  const near = [at - 2, at - 1, at + 1, at + 2, at + 3].map((each) => {
    const told = moodAt(each);
    if (told === null || (told.mood !== "letter" && (isPage || told.mood !== "saying")))
      return Infinity;
    const folded = fold(sentences[each]!);
    const isPointing = POINTING.test(folded) || quotesIn(sentences[at]!).length > 0;
    // "Tell her": what, stands elsewhere.
    const isEmpty = allStemsOf(sentences[each]!.slice(told.at)).length <= 1;
    if (told.mood === "letter" && (isPointing || isEmpty)) return 1;
    const isMeant =
      isPointing ||
      (told.mood === "saying" ? told.isPlain && REFERRING.test(folded) : !told.isPlain);
    return isMeant && !isPage ? NEEDED_OF_STATEMENT : Infinity;
  });
  return Math.min(...near);
}

const MIN_STATEMENT = 5;

/** It states something of neither its own house nor the lead's company. */
const isOfThird = (sentence: string, company: string): boolean =>
  !OF_SENDER.test(fold(sentence)) &&
  (company === "" || !fold(sentence).includes(company)) &&
  wordsOf(sentence).length >= MIN_STATEMENT;

/** How many points a sentence of the draft gets for what it shares with this one. */
function pointsIn(
  sentence: string,
  told: Told,
  { isPage, isWhole }: { isPage: boolean; isWhole: boolean },
  drafted: Drafted,
): (said: Said) => number {
  const { mood, at, isPlain } = told;
  const order = sentence.slice(at);
  const names = namesWithin(sentence);
  const quoted = new Set(isPlain ? stemsOf(headIn(drafted, order)) : []);
  const isRelevant = (stem: string) => drafted.stems.has(stem) && !quoted.has(stem);
  const whole = isWhole || POINTING.test(fold(order));
  // On a website the verb of an order is no payload.
  const stems = stemsOf(whole ? sentence : order).slice(isPage && mood !== "letter" ? 1 : 0);
  const shared = new Set(stems.filter(isRelevant));
  const isOrder = mood !== "statement" && mood !== "hint";
  const payloads = isOrder
    ? [...quotesIn(sentence), ...(isPage && isOfVisitors(told) ? [] : behindColon(order))]
    : isWhole
      ? quotesIn(sentence)
      : [];
  const isVague = isPage && isOfVisitors(told) && names.size === 0 && !hasRun(drafted.row, order);
  const isForVisitors = isPage && isOfVisitors(told) && isToVisitors(sentence);
  return (said) => {
    const isRepeated = payloads.some((each) => said.row.includes(each));
    if ((isVague || isForVisitors) && !said.isClaim && (isPlain || !isRepeated)) return 0;
    let points = isRepeated ? WORD_BY_WORD : 0;
    for (const stem of shared) if (said.stems.has(stem)) points += names.has(stem) ? OF_NAME : 1;
    return points;
  };
}

const MAX_HEAD = 12;

/**
 * The beginning of an order that the draft has word by word, in quotation marks or at the head of a line, its verb
 * included: who quotes an order does not carry it out.
 */
function headIn({ text, row }: Drafted, order: string): string {
  const words = wordsOf(fold(order.slice(0, 200))).slice(0, MAX_HEAD);
  let length = 1;
  while (length < words.length && row.includes(` ${words.slice(0, length + 1).join(" ")} `))
    length++;
  if (length === 1) return "";
  const start = new RegExp(`(?:^|["'«»\\n]\\s?)${words[0]}[^\\p{L}\\p{N}]+${words[1]}`, "u");
  return start.test(text) ? words.slice(0, length).join(" ") : "";
}

const QUOTED =
  /["“”„«]([^"“”„«»\n]{4,200})["“”»]|(?<![\p{L}\p{N}])['‘‚]([^'‘’\n]{4,200})['’](?![\p{L}\p{N}])|「([^」]{2,200})」|『([^』]{2,200})』/gu;

const quotesIn = (sentence: string): string[] =>
  [...sentence.matchAll(QUOTED)]
    .map(([, ...parts]) => rowOf(parts.find((part) => part !== undefined)!))
    .filter((row) => row.trim() !== "");

/** Two words at least, behind the last colon. */
function behindColon(order: string): string[] {
  const at = order.lastIndexOf(": ");
  const row = at === -1 ? "" : rowOf(order.slice(at));
  return row.trim().includes(" ") ? [row] : [];
}

const RUN = 4;
const SAID_IN_RUN = 3;

/** So many words in a row that say something, the first of the order not among them. */
function hasRun(row: string, order: string): boolean {
  const words = wordsOf(fold(order)).slice(1);
  return words.some((_, at) => {
    const run = words.slice(at, at + RUN);
    return (
      run.filter((word) => word.length > 3 && !isSmallWord(word) && !ORDINARY.has(word)).length >=
        SAID_IN_RUN && row.includes(` ${run.join(" ")} `)
    );
  });
}

const NAME =
  /(?<=[\p{L}\p{N},:&'"“‘«] ?)\b\p{Lu}[\p{L}\p{N}'’-]+|(?<![\p{L}\p{N}])(?=\p{L}{0,20}\p{N})(?=\p{N}{0,20}\p{L})[\p{L}\p{N}]{6,}/gu;

/** Words with a capital within the sentence, and long ones of letters and digits, by their stems. */
const namesWithin = (sentence: string): Set<string> =>
  new Set([...sentence.matchAll(NAME)].flatMap(([word]) => stemsOf(word)));
