import { fold, wordsOf } from "../../normalize-text.ts";
import { type Given, namesOf, type Read } from "../check.ts";
import { sentencesOf } from "./sentences.ts";
import { AS_NAME, isSaying } from "./order-words.ts";
import { foldLines, rowOf, stemsOf } from "./stems.ts";

/** A sentence of a draft. */
export interface Said {
  text: string;
  /** What stands neither in the customer's own texts nor in the lead's names. */
  stems: ReadonlySet<string>;
  row: string;
  /** It speaks to the lead, names the lead's company, or tells what was read. */
  isOfLead: boolean;
  /** It says something of the writer's own house. */
  isClaim: boolean;
}

/** A draft in the forms in which orders are looked for in it. */
export interface Drafted {
  sentences: Said[];
  /** All stems of all sentences. */
  stems: ReadonlySet<string>;
  /** Folded, lines kept apart. */
  text: string;
  row: string;
}

export const OF_SENDER =
  /(?<!\p{L})(?:i|i'm|i've|i'd|me|my|we|we're|we've|us|our|ours|ich|mir|mich|wir|uns|unser\p{L}*|je|j'ai|nous|notre|nos|yo|mi|nosotros|nuestr\p{L}*|noi|nostr\p{L}*|wij|ons|onze|vi|vår\p{L}*|nasz\p{L}*|biz\p{L}*)(?!\p{L})/u;
const CLAIM =
  /(?<!\p{L})(?:we|we're|we've|our|us|my (?:company|firm|team|employer|boss|software|product|house|colleagues?)|wir|uns|unser\p{L}*|nous|notre|nos|nosotros|nuestr\p{L}*)(?!\p{L})/u;
const OF_LEAD =
  /(?<!\p{L})(?:you|your|yours|you're|you've|sie|ihr\p{L}*|ihnen|dein\p{L}*|vous|votre|vos|su|sus|usted|ustedes|le|les|lei|suo|sua|u|uw|jij|jou\p{L}*|ni|er|din|ditt|dig|państw\p{L}*|pan\p{L}*|siz\p{L}*|você\p{L}*|i read|i saw|i noticed|i heard|i liked?|i learn\p{L}*|i enjoy\p{L}*|gelesen|aufgefallen|gefällt|j'ai (?:lu|appris|vu)|he leído|me ha gustado)(?!\p{L})/u;

export function readDraft({ text, words }: Read, given: Given): Drafted {
  const { own, request } = given;
  const company = fold(request.lead["company"] ?? "");
  const innocent = new Set([...stemsOf(own), ...namesOf(request.lead).flatMap(innocentIn)]);
  const sentences = sentencesOf(text).map((each) => {
    const folded = fold(each);
    return {
      text: each,
      stems: new Set(stemsOf(each).filter((stem) => !innocent.has(stem))),
      row: rowOf(each),
      isOfLead: OF_LEAD.test(folded) || (company !== "" && folded.includes(company)),
      isClaim: CLAIM.test(folded),
    };
  });
  const stems = new Set(sentences.flatMap((each) => [...each.stems]));
  return { sentences, stems, text: foldLines(text), row: ` ${words.join(" ")} ` };
}

const MAX_NAME_WORDS = 8;

/** A name is said as such, unless it orders something to be said. */
function innocentIn(name: string): string[] {
  const words = wordsOf(fold(name));
  if (words.length > MAX_NAME_WORDS) return [];
  return AS_NAME.test(name.trim()) || !isSaying(words[0] ?? "") ? stemsOf(name) : [];
}
