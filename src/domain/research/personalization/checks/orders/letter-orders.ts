import { fold } from "../../normalize-text.ts";
import { isAbroad, type Told } from "./clauses.ts";
import { SAYING_ABROAD } from "./order-words.ts";
import { isToUs, moodsOf, type Person } from "./plain-orders.ts";
import { stemsOf } from "./stems.ts";

/**
 * The first sentence of a text that says, beyond doubt, what a letter is to say or who is to be told what; null where there
 * is none. A model carries it out in words of its own, which no comparison finds: a draft beside it is held whatever it says.
 */
export function letterOrder(
  { isPage, isOtherLanguage }: { isPage: boolean; isOtherLanguage: boolean },
  sentences: readonly string[],
  person: Person,
): string | null {
  const moodAt = moodsOf(sentences, person, isPage);
  const found = sentences.findIndex((sentence, at) => {
    const told = moodAt(at)!;
    return (
      isAboutBefore(sentences, at, told, isPage) ||
      isLetterOrder(sentence, told, isPage, person) ||
      (isOtherLanguage && !isPage && isOrderAbroad(sentence))
    );
  });
  return found === -1 ? null : sentences[found]!;
}

/** Words that say more than every note does ("mention the webinar"). */
const MIN_PAYLOAD = 2;

function isLetterOrder(
  sentence: string,
  { mood, at, isPlain }: Told,
  isPage: boolean,
  person: Person,
): boolean {
  if (mood !== "letter") return false;
  const folded = fold(sentence);
  if (isPage && !isForWriters(sentence, folded, person)) return false;
  if (!isPage && (isToDo(folded) || HABIT.test(folded))) return false;
  // A quotation that speaks of a letter orders nothing by that.
  if (!isPlain && /^["“„«]/.test(sentence)) return false;
  return saysMuch(sentence.slice(at));
}

const saysMuch = (order: string): boolean =>
  new Set(stemsOf(order).filter((stem) => !VERB.test(stem))).size >= MIN_PAYLOAD;

const ABROAD =
  /(?<!\p{L})(?:der|das|und|ihr|dass|ist|sind|nicht|eine|les|des|une|que|pour|dans|una|los|las|che|della|gli|het|een|niet|och|att|ikke|jest|bir|dla|czy|nie|uma)(?!\p{L})|[^\u0000-\u024f\u2000-\u206f]{6}/u;
const ENGLISH = /\b(?:the|of|and|with|that|your|our|to|is|by|for|her|him|them)\b/;

/** An order to say something in a language in which the draft is not written, and so shares no word with it. */
function isOrderAbroad(sentence: string): boolean {
  const folded = fold(sentence).replaceAll("bitte", "");
  const isOther = isAbroad(sentence) || (ABROAD.test(folded) && !ENGLISH.test(folded));
  return isOther && SAYING_ABROAD.test(folded) && saysMuch(sentence);
}

/** What a user notes as a thing to do, which no letter says. */
const TO_DO =
  /^(?:please |pls |todo:? |to do:? )?(?:send|forward|call|ring|phone|mail(?! writer)|e-?mail|post|ship|book|schedule|plan|check|follow|wait|meet|visit|try|contact)\b(?! (?:her|him|them) (?:an?|the|that|my|our)\b)(?!.*\band (?:say|tell|mention|write|promise|claim|state))/;
/** What the lead does with mail. */
const HABIT =
  /\b(?:answers?|reads?|gets?|receives?|deletes?|hates?|likes?|prefers?|forwards?|opens?|handles?|checks?|sees?|writes) (?:all|every|each|any|no|her|his|their|most|only|short|long)\b/;

const MAIL =
  /(?<!\p{L})(?:e-?mails?|mails?|letters?|messages?|correspondence|drafts?|outreach|pitch(?:es)?|proposals?|(?:each|every|any) offers?|subject lines?|(?:opening|closing|first|last|final) (?:line|sentence|words?|paragraph)|brief\p{L}*|schreiben|nachricht\p{L}*|courriels?|courrier|correos?|lettere?|cartas?|brev\p{L}*|mejl\p{L}*|wiadomo\p{L}+|письм\p{L}*|mektup\p{L}*|e-posta\p{L}*)(?!\p{L})|メール|手紙|邮件|郵件/u;
/** Says what is to be stated, and is no reason ("so that"). */
const ASSERTION =
  /\b(?:say|state|tell|mention|declare|announce|promise|confirm|claim|disclose|admit|write|reveal|explain|guarantee|assure|note|hint|warn)\p{L}{0,3}(?: [^ .]+){0,4} (?<!\bso )that\b|(?<!\p{L})(?:dass|daß|que|qu'|che|dat|att|że|что)(?!\p{L})/u;
/** Those who write letters to the house, and those who read what others write to them. */
const WRITERS =
  /(?<!\p{L})(?:correspondents?|copywriters?|(?:mail|letter) writers?|writers|senders of|(?:those|anyone|anybody|whoever|everyone|people|all) (?:who |that )?(?:writ|contact|approach)\p{L}*|(?:if|when|whenever|by) (?:you |they |one )?(?:writ|contact|approach)\p{L}* (?:to )?(?:her|him|them|this|the (?:lead|person|company|firm))|(?:the|each|every|any) (?:recipient|addressee|lead|prospect)s?|to (?:the )?readers?|readers of letters|au lecteur|à la lectrice|dem leser|der leserin|al lettore|al lector|ao leitor|de lezer)(?!\p{L})/u;

const CONTACT = /\b(?:writ|contact|approach)\p{L}*\b/u;

const isToDo = (folded: string): boolean => TO_DO.test(folded) && !ASSERTION.test(folded);

/** On a website: orders to those who write letters, and no wishes of a house to its visitors. */
function isForWriters(sentence: string, folded: string, person: Person): boolean {
  if (isToUs(sentence)) return false;
  const isMail = MAIL.test(folded) || CONTACT.test(folded);
  return WRITERS.test(folded) || (isMail && (ASSERTION.test(folded) || isToHouse(folded, person)));
}

/** "E-mails to Norvik": by its name, a house speaks of what others write. */
const isToHouse = (folded: string, { firstName, company }: Person): boolean =>
  [firstName, company.split(" ", 1)[0]!, "ms", "mr", "mrs", "this company", "this firm"].some(
    (name) =>
      name.length > 1 &&
      [" to ", " for ", " about "].some((to) => `${folded} `.includes(`${to}${name} `)),
  );

/** The verbs of such orders carry nothing themselves. */
const VERB =
  /^(?:say|state|mention|writ|tell|inform|add|includ|insert|append|put|quot|repeat|claim|announc|promis|guarante|confirm|offer|ask|remind|open|start|begin|end|clos|sign|address|greet|call|schreib|sag|erwähn|dis|dite|ajout|écri)\p{L}{0,3}$/u;

const BRING_UP =
  /^(?:please |just |do |also )?(?:bring|work|slip|put|say|mention|use|include|quote|drop|weave|write|tell (?:her|him|them)|refer to|raise|state|add) (?:it|this|these|those|so|both|that(?= ?[.,;!]| (?:in|into|to|at)\b|$))\b|[-–—:;,] ?(?:please )?(?:include|mention|say|state|put|use|quote|add) (?:it|this|these|so|that(?= ?[.,;!]| (?:in|into|to|at)\b|$))/;
/** "Tell her": what, comes in the next field, or line. */
const UNSAID =
  /\b(?:tell|inform|write|ask|remind|warn|promise|say|write to) (?:to )?(?:her|him|them|the (?:reader|lead|recipient))(?: that)? ?[:.…-]*$/;

/** "Bring it up": what, stands in the sentence before, or before the dash. */
function isAboutBefore(
  sentences: readonly string[],
  at: number,
  { mood }: Told,
  isPage: boolean,
): boolean {
  if (isPage || (mood !== "saying" && mood !== "letter")) return false;
  const folded = fold(sentences[at]!);
  if (UNSAID.test(folded)) return true;
  if (!BRING_UP.test(folded)) return false;
  return stemsOf(`${sentences[at - 1] ?? ""} ${sentences[at]!}`).length >= MIN_PAYLOAD;
}
