import { fold, wordsOf } from "../../normalize-text.ts";
import type { Foreign } from "../check.ts";
import { isSmallWord } from "../language.ts";
import type { About } from "./about-letters.ts";
import { moodOf, type Told } from "./clauses.ts";
import { type Drafted, OF_SENDER, type Said } from "./drafted.ts";
import { ORDINARY } from "./order-words.ts";
import { sentencesOf } from "./sentences.ts";
import { quotesIn, rowOf, stemsOf } from "./stems.ts";

/** Points of shared words that make a sentence taken over. A word counts one, a name two. */
const NEEDED = 2;
const OF_NAME = 2;
/** On a website orders to visitors are the rule, and most of all where they speak of "us" or "your". */
const NEEDED_OF_PAGE = 3;
const NEEDED_OF_VISITORS = 5;
/** Points of what an order has in quotation marks, where the draft says all of it. */
const WORD_BY_WORD = 3;

/**
 * The first sentence of the draft that says of the sender what a website asks of its visitors, what others state of others, or
 * what a name orders, with both; null where there is none. What else orders something, the model was not shown.
 */
export function plainTaken(
  { name, text, isPage }: Foreign,
  drafted: Drafted,
  { firstName, company }: Pick<About, "firstName" | "company">,
): { said: string; order: string } | null {
  const isPublic = isPage || name === "search";
  for (const sentence of sentencesOf(text)) {
    if (!stemsOf(sentence).some((stem) => drafted.stems.has(stem))) continue;
    // Who quotes what visitors are told, its verb included, does not do it.
    if (isPage && drafted.row.includes(rowOf(sentence))) continue;
    const told = moodOf(unnamed(sentence, company), firstName, isPage);
    if (told.mood === "hint") continue;
    const isStatement = told.mood === "statement";
    if (isStatement && !(isPublic && isOfThird(sentence, company))) continue;
    const isForVisitors = isPage && TO_VISITORS.test(fold(sentence));
    const ofPage = isForVisitors && told.isPlain ? NEEDED_OF_VISITORS : NEEDED_OF_PAGE;
    const needed = isPage && !isStatement ? ofPage : NEEDED;
    const pointsOf = pointsIn(sentence, told, isPage, drafted);
    const said = drafted.sentences.find((each) => {
      if (isStatement && (each.isOfLead || !each.isClaim)) return false;
      return pointsOf(each, isForVisitors) >= needed;
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

const TO_VISITORS =
  /(?<!\p{L})(?:us|our|ours|uns|unser\p{L}*|nous|notre|nos|nosotros|nuestr\p{L}+|noi|nostr\p{L}+|nós|noss\p{L}+|ons|onze|oss|vår\p{L}*|nam|nas|nasz\p{L}*|bize|your|yours|yourself|dein\p{L}*|ihr\p{L}*|votre|vos|tu|tus|su)(?!\p{L})/u;

const MIN_STATEMENT = 5;

/** It states something of neither its own house nor the lead's company. */
const isOfThird = (sentence: string, company: string): boolean =>
  !OF_SENDER.test(fold(sentence)) &&
  (company === "" || !fold(sentence).includes(company)) &&
  wordsOf(sentence).length >= MIN_STATEMENT;

/** How many points a sentence of the draft gets for what it shares with this one. */
function pointsIn(
  sentence: string,
  { mood, at, isPlain }: Told,
  isPage: boolean,
  drafted: Drafted,
): (said: Said, isForVisitors: boolean) => number {
  const order = sentence.slice(at);
  const names = namesWithin(sentence);
  const isOfPage = isPage && mood !== "statement";
  // On a website the verb of an order is no payload.
  const stems = stemsOf(order).slice(isPage ? 1 : 0);
  const quoted = new Set(isPlain ? stemsOf(headIn(drafted, order)) : []);
  const shared = new Set(stems.filter((stem) => drafted.stems.has(stem) && !quoted.has(stem)));
  const payloads = mood === "statement" ? [] : quotesIn(sentence);
  const isVague = isOfPage && names.size === 0 && !hasRun(drafted.row, order);
  return (said, isForVisitors) => {
    if ((isVague || (isOfPage && isForVisitors)) && !said.isClaim) return 0;
    let points = payloads.some((each) => said.row.includes(each)) ? WORD_BY_WORD : 0;
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
export const namesWithin = (sentence: string): Set<string> =>
  new Set([...sentence.matchAll(NAME)].flatMap(([word]) => stemsOf(word)));
