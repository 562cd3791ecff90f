import { fold } from "../../normalize-text.ts";
import { languageOf } from "../language.ts";
import { hasAim, isApproach, isApproachOfNote, speaksToReaders } from "./approaches.ts";
import { HER_ABROAD, isAbroad, type Mood, moodOf, THAT_ABROAD } from "./clauses.ts";
import { DUTY, LETTER, LETTERS_DO, PLEASE_ABROAD, SAYING_ABROAD } from "./order-words.ts";
import { quotesIn } from "./stems.ts";

/** Letters and their parts. */
const MAIL =
  /(?<!\p{L})(?:e-?mails?|mail(?:s|ed|ing)?|letters?|messages?|correspondence|correspondents?|subject lines?|subjects?|salutations?|greetings?|sign-?offs?|sign(?:s|ed)? (?:off|as|with)|signatures?|postscripts?|p\.?s\.?|drafts?|repl(?:y|ies|ied)|wording|phrases?|phrased?|sentences?|paragraphs?|footnotes?|outreach|recipients?|addressees?|copywriters?|rhymes?|(?:opening|first|last|closing|subject) lines?|prompts?|mail assistants?|chatbots?|llms?|exclamation marks?|brief(?:e|en)|schreiben|nachricht\p{L}*|courriels?|courrier|correos?|lettere?|cartas?|brev\p{L}*|mejl\p{L}*|wiadomo\p{L}+|письм\p{L}*|mektup\p{L}*|e-posta\p{L}*)(?!\p{L})|メール|手紙|邮件|郵件/u;
/** Besides, in a note or in what a search found. */
const WRITING =
  /(?<!\p{L})(?:writers?|writ(?:e|es|ing)|word it|worded|texts?|pitch(?:es)?|poems?|template|quote|capitals|capital letters|tone|assistants?|bots?|ai|models?|draft(?:ed|ing))(?!\p{L})/u;
/** Those who may write a letter. */
const WRITERS =
  /(?<!\p{L})(?:suppliers?|vendors?|sellers?|bidders?|applicants?|senders?|newcomers|agencies|sales (?:people|reps?)|salespeople|strangers|whoever|whomever|anyone|anybody|everyone|everybody|those who|people who|all who|firms that|companies that|(?:if|when|whenever) you (?:writ|contact|approach|sell)\p{L}*|by reading|assistants?|writers?|bidders?|offers? (?:reaching|to)|congratulators)(?!\p{L})/u;
/** The label of a part of a letter, in data that a machine reads. */
const LABEL =
  /(?:greeting|salutation|signature|subject|closing|opening|ps_text|must_\w+|mail-?writers?|mail assistants?)["']? ?[:=]|\b(?:say|state|tell|write|mention|include)s?["']? ?[:=]|["”“'] ?= ?|\bmail-?writers?\b/u;
/** Money, and what gives access: no letter is written about it. */
const SECRETS =
  /(?<!\p{L})(?:iban|payee|deposit|wallets?|(?:to|into|on) account|account (?:no|number|\d)\p{L}*|passwords?|passports?|security question|log-?in|pin|bank cards?|credit cards?|verify themselves)(?!\p{L})/u;
/** Verbs of telling a person something, in the forms of an order, a duty or a habit. */
const TELLING =
  /(?<!\p{L})(?:belongs? in|belongs? into|describes?|reads?|tells?|informs?|mentions?|says?|states?|promises?|assures?|announces?|confirms?|discloses?|reveals?|confess(?:es)?|admits?|apologi[sz]es?|reminds?|congratulates?|claims?|declares?|pledges?|guarantees?|warns?|threatens?|repeats?|quotes?|cites?|recites?|recommends?|praises?|compliments?|insults?|blames?|accuses?|thanks?|names?|address(?:es)?|greets?|calls? (?:her|him|them|it)|asks?|offers?|invites?|bring (?:up|it)|let (?:her|him|them|slip|it slip)|make (?:it )?clear|hints?|insinuates?|introduces?|pretends?|hear|heard that|learn that|throw in|slip in|work in|put|sign|begins?|starts?|ends?|closes?|opens?|repeat|speak|talk|write|act|know that|told|said|spell(?:ed|ing|s)?|shout|dedicate|convince|persuade|imply|pass(?:es)? (?:it|the news|this|that)? ?on|take a stand|attributes?|include[sd]?|contains?|carr(?:y|ies)|refers?|referred)(?!\p{L})/u;
const YOU = /(?<!\p{L})(?:you|your|yourself|yours)(?!\p{L})/u;
const HER = /(?<!\p{L})(?:her|him|them|herself|himself|she'd|he'd|she|he|they)(?!\p{L})/u;
const LEAD_OF_PAGE = /\b(?:she|he|her|him|ms|mr|mrs)\b/;
const WISH =
  /(?<!\p{L})(?:would|wouldn't|could|should|shall|must|mustn't|ought|ha(?:s|ve) to|needs? to|had better|supposed|expects?|expected|wants?|wishes|hopes?|loves?|likes? it|appreciates?|prefers?|melts?|used to it|funny|only polite|on condition|always|never|every|each|any|please|kindly|bitte|no-go)(?!\p{L})/u;

/** The moods of sentences that order something in a letter, or something to be said. */
export const ORDERS: ReadonlySet<Mood> = new Set(["role", "letter", "saying"]);

export function speaksToWriters(sentence: string): boolean {
  const folded = fold(sentence);
  return [MAIL, WRITERS, LABEL].some((each) => each.test(folded)) || speaksToReaders(folded);
}

/** What a text is: another field of a lead than its names, what a search found, or a website, which orders things of its visitors. */
export type TextKind = "field" | "search" | "page";

/** The lead that a text is about, and the language of its texts. */
export interface About {
  /** Folded. */
  firstName: string;
  /** Folded. */
  company: string;
  /** Of all that is known of the lead. */
  language: string;
}

/**
 * Whether a sentence may order something of the writer of a letter: in doubt it does. A website's slogans, and what it asks of
 * its visitors, do not; in a note or a find any order does, and whatever speaks of letters or of what is to be said.
 */
export function mayOrder(
  sentence: string,
  kind: TextKind,
  { firstName, company, language }: About,
): boolean {
  const isPage = kind === "page";
  const folded = fold(sentence);
  // A company may be called like an order: "Skip the Queue".
  const isNamed = company !== "" && folded.startsWith(company);
  const said = isNamed ? `it ${sentence.slice(company.length)}` : sentence;
  const { mood } = moodOf(said, firstName, isPage);
  const isOther = isOtherThan(language, sentence, folded);
  const isSlogan =
    isPage && mood === "saying" && language !== "en" && !isOther && quotesIn(sentence).length === 0;
  if (ORDERS.has(mood) && !isSlogan) return true;
  if (isOrderAbroad(folded, isOther, isPage)) return true;
  if (MAIL.test(folded) || SECRETS.test(folded) || LABEL.test(folded)) return true;
  if (isApproach(folded, firstName)) return true;
  return isPage ? ofPage(folded) : mood === "imperative" || ofNote(folded);
}

function isOrderAbroad(folded: string, isOther: boolean, isPage: boolean): boolean {
  const isTold = HER_ABROAD.test(folded);
  const isThat = THAT_ABROAD.test(folded);
  if (!isPage && isTold && isThat) return true;
  if (!isOther) return false;
  const words = [SAYING_ABROAD, DUTY, PLEASE_ABROAD, LETTER];
  return words.some((each) => each.test(folded)) || (!isPage && (isTold || isThat));
}

const ofPage = (folded: string): boolean =>
  ((WRITERS.test(folded) || hasAim(folded)) && TELLING.test(folded)) ||
  (speaksToReaders(folded) && DUTY.test(folded)) ||
  (LEAD_OF_PAGE.test(folded) && DUTY.test(folded));

const ofNote = (folded: string): boolean =>
  isApproachOfNote(folded) ||
  [WRITING, LETTER, LETTERS_DO, YOU, DUTY].some((each) => each.test(folded)) ||
  (TELLING.test(folded) &&
    (hasAim(folded) || [WISH, HER, WRITERS].some((each) => each.test(folded))));

const ABROAD =
  /(?<!\p{L})(?:der|das|und|ihr|dass|ist|nicht|eine|les|des|une|que|pour|dans|una|los|las|che|della|gli|het|een|niet|dat|och|att|ikke|jest|bir|dla|czy|nie|uma|että|zdanie|ona)(?!\p{L})|[^\u0000-\u024f\u2000-\u206f]{3}/u;

/** Whether a sentence is in another language than this one. */
function isOtherThan(language: string, sentence: string, folded: string): boolean {
  if (language === "en") return isAbroad(sentence) || ABROAD.test(folded);
  const own = languageOf(sentence)?.language;
  return own !== undefined && own !== language;
}
