import { fold } from "../normalize-text.ts";
import type { Foreign, Given, Read } from "./check.ts";
import { languageOf } from "./language.ts";
import { moodOf, roleIn, sentencesOf } from "./orders/clauses.ts";
import { type Drafted, isNoLetterOf, isOffSubject, readDraft } from "./orders/drafted.ts";
import { hiddenIn } from "./orders/hidden-texts.ts";
import { letterOrder } from "./orders/letter-orders.ts";
import { isToVisitors, plainTaken } from "./orders/plain-orders.ts";
import { foldLines, stemsOf } from "./orders/stems.ts";

/** A sentence of a draft, and the stranger's that it does as told by. */
export interface TakenOrder {
  /** The draft's sentence; "" where the order is one to its writer, whatever was written. */
  said: string;
  order: string;
  /** The lead's field, or the source, by its name. */
  from: string;
}

/**
 * The first sentence that a draft took over from a stranger's text as an order; null where there is none. What a stranger
 * states may be said; what is ordered may not, be it hidden or plain: words that a sentence of the draft shares with an
 * order, and that stand neither in the customer's own texts nor in the lead's names, are held against it.
 */
export function takenOrder(draft: Read, given: Given): TakenOrder | null {
  const drafted = readDraft(draft, given);
  const { first_name: firstName = "", company = "" } = given.request.lead;
  const house = fold(company);
  const isOtherLanguage = languageOf(draft.text)?.language === "en";
  const isOdd = isOffSubject(draft, given) || isNoLetterOf(draft, given);
  for (const foreign of given.foreign) {
    // A name that is itself the order is not left out of it.
    const person = { firstName: fold(firstName), company: foreign.name === "company" ? "" : house };
    const sentences = sentencesOf(foreign.text);
    const hidden = hiddenIn(foreign.text, sentences);
    const taken =
      toWriter(foreign, [foreign.text, ...hidden]) ??
      hiddenTaken(hidden, drafted) ??
      plainTaken(foreign, sentences, drafted, person) ??
      beside(letterOrder({ ...foreign, isOtherLanguage }, sentences, person)) ??
      beside(
        letterOrder({ isPage: false, isOtherLanguage }, hidden.flatMap(sentencesOf), person),
      ) ??
      (isOdd ? anyOrder(foreign, sentences) : null);
    if (taken !== null) return { ...taken, from: foreign.name };
  }
  return null;
}

type Taken = Omit<TakenOrder, "from">;

const beside = (order: string | null): Taken | null =>
  order === null ? null : { said: "", order };

function toWriter({ isPage }: Foreign, texts: readonly string[]): Taken | null {
  for (const text of texts) {
    const order = roleIn(foldLines(text), isPage);
    if (order !== null) return { said: "", order };
  }
  return null;
}

/** A stem of so many letters is one wherever it stands in what is hidden; in words that run together, of fewer. */
const WITHIN = 6;
const WITHIN_RUN = 4;

/** What is hidden is meant for nobody but a machine: one word is enough. */
function hiddenTaken(hidden: readonly string[], { sentences }: Drafted): Taken | null {
  for (const order of hidden) {
    const stems = new Set(stemsOf(order));
    const letters = fold(order).replace(/[^\p{L}\p{N}]+/gu, "");
    const least = /\S{12}/.test(order) ? WITHIN_RUN : WITHIN;
    const isOrdered = (stem: string) =>
      /\p{L}{3}/u.test(stem) &&
      (stems.has(stem) || (stem.length >= least && letters.includes(stem)));
    const said = sentences.find((each) => [...each.stems].some(isOrdered));
    if (said !== undefined) return { said: said.text, order };
  }
  return null;
}

/** Beside a draft that is about something else, or no letter of the sender's: an order, to anybody. */
function anyOrder({ isPage }: Foreign, sentences: readonly string[]): Taken | null {
  const order = sentences.find((each) => {
    const { mood } = moodOf(each, "", isPage);
    return mood !== "statement" && mood !== "hint" && !(isPage && isToVisitors(each));
  });
  return order === undefined ? null : { said: "", order };
}
