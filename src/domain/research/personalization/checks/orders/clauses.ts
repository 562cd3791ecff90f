import { fold, wordsOf } from "../../normalize-text.ts";
import {
  DUTY,
  isComplement,
  isNoVerb,
  isSaying,
  isSayingForm,
  isVisiting,
  LETTER,
  LETTERS_DO,
  PLEASE_ABROAD,
  SAYING_ABROAD,
  WRITING,
} from "./order-words.ts";

/**
 * What a sentence of a stranger's text is to a letter's writer. `role`: it makes the writer another one, or plays the system.
 * `letter`: it says what is to stand in a letter, or to be said to the lead. `saying`: any other order to say, give or ask something.
 * `imperative`: any other. `hint`: it speaks of letters, of the lead as another person, or of a duty. `statement`: none of these.
 */
export type Mood = "role" | "letter" | "saying" | "imperative" | "hint" | "statement";

const ROLES = [
  /\byou(?:'re| are)(?: hereby)? (?:now|no longer|from now on)\b|\byour (?:new |real |only |sole )*(?:name|role|persona|character|identity|alter ego) (?:is|shall be|will be|becomes)\b|\byour (?:only|sole|one) (?:subject|topic|theme|task|job|goal)\b/,
  /\brole-?play|\b(?:speak|talk|write|address|treat|answer|reply)\b[^.!?\n]{0,30}\bas (?:if|though)\b|\b(?:speak|talk|write|answer|reply|respond|compose it|word it|phrase it)(?: only| just| exclusively| everything| it| this)? (?:as if|as though|as an?|like an?|in the (?:voice|style|manner|role|tone|person)|in (?:rhymes?|verse|riddles?|capitals?|capital letters|all caps|poems?|haiku|emoji|latin|klingon))\b/,
  /\b(?:from (?:here|now|this point) on(?:wards?)?|henceforth)\b[^.]{0,40}\b(?:every|each|all|any|you|your|drafts?|answers?|output)\b|\bwhoever (?:writes|drafts|composes|reads this)|\b(?:note|message|memo|attention|instructions?|hint|reminder) (?:to|for|of) (?:the |any |all )?(?:ai|llm|assistants?|models?|bots?|writers?|drafters?|authors?|copywriters?|systems?|agents?|language models?)\b|\b(?:dear|hey|attention|hello|hi),? (?:ai|llm|assistant|model|bot|writer|copywriter|language model|chatgpt|claude|gemini)\b/,
  /<\/?(?:system|user|assistant|instructions?|tool\w*|developer|prompt|admin|data)\b|\[\/?(?:tool|system|inst|assistant|user|developer|admin|function|sys)\b|<\|?\w+\|>|<<\/?sys>>|```\s*(?:system|assistant|user|developer|tool)|#{2,}\s*(?:assistant|system|user|instructions?|human|tool|response)\b|(?:^|\n|[.!?]\s)\s*(?:assistant|system|human|user|developer|ai|tool|operator|admin|override)\s*(?:\([^)]*\)\s*)?[:>]|"role"\s*:|\b(?:tool|function)_(?:call|result|response|output)|\b(?:tool|function|api|system|model) (?:output|result|response|call|returned|notice|message)s?\b *[(:=]|\bbegin (?:system|prompt|instructions?)\b/,
  /\b(?:required|mandatory|must|system|override|forced?|output|append|style|draft|email|closing|opening|final|brand)_\w{2,30}\s*["']?\s*[:=]/,
  /\bnew (?:task|rules?|instructions?|orders?|system|data|context|input)\b ?[:>]|\bend of (?:data|input|lead|document|context|research|profile|prompt|notes|text)\b/,
  /\b(?:ignore|disregard|forget|override|bypass|discard|ignoriere?n?|vergiss|vergessen sie|missachte|ignore[rz]|oublie[rz]?|ignora|ignore|olvid[ae]|olvide|dimentica|esqueça|negeer|vergeet|zignoruj|zapomnij|забудь(?:те)?|игнорируй(?:те)?)\b[^.\n]{0,60}\b(?:instructions?|rules?|prompts?|above|previous|prior|earlier|everything|guidelines?|template|anweisungen?|regeln|alles|consignes|règles|tout|instrucciones|reglas|todo|istruzioni|regole|tutto|instruções|regras|tudo|instructies|regels|alles|instrukcje|все|инструкции)\b/,
  /\b(?:instead of|rather than) (?:selling|pitching|writing|offering|introducing|the (?:usual|offer|pitch))\b/,
];

/** How a letter is to look; on a website it may be a form. */
const STYLE =
  /\b(?:make|write|answer|turn|put|have|keep|word|compose|phrase|render|translate)\b[^.!?\n]{0,40}\b(?:rhymes?|limerick|haiku|sonnet|verse|poem|all caps|capitals|iambic|klingon|pig latin|morse|emojis?|backwards)\b/;
/** A game, or a thought to begin with: on a website it may be meant for visitors. */
const PLAY =
  /\b(?:pretend|imagine|suppose|assume|picture) (?:to be|being|that you|you(?:'re| are| were)|yourself)\b|\b(?:let's|let us) play\b|\byou (?:play|portray|embody|impersonate|voice)\b|\bin this (?:scene|story|game|play|scenario|role)\b|\b(?:act|behave|pose|sound)(?: only| just)? (?:as if|as though|as an?|like an?|as the)\b|\bplay (?:the )?(?:part|role) of\b|\b(?:impersonate|put yourself in|take on the (?:role|voice|part))\b|\bmake believe\b|\bbe (?:a|an|the|as) \p{L}+ (?:who|that|and)\b|(?:^|[.!?:"] *)you(?: are|'re) (?:an? |the |\p{L}+,)|(?:^|[.!?:,] *)become (?!an? |our |part )\p{L}/u;

/** Whether a text speaks to the machine that reads it, whatever comes of that. */
export const roleIn = (folded: string, isPage: boolean): string | null => {
  for (const pattern of isPage ? ROLES : [...ROLES, STYLE, PLAY]) {
    const found = pattern.exec(folded);
    if (found !== null) return found[0];
  }
  return null;
};

const POLITE =
  /^(?:(?:please|pls|plz|kindly|just|then|and|also|now|always|never|simply|do not|don't|do|so|but|or|first|next|finally|lastly|later|instead|once more|of course|if possible|when you write|in (?:any|every|each|the|your) (?:letter|e-?mail|mail|message|reply|text)|to (?:her|him|them)|be so kind as to|be so good as to|would you(?: please| kindly)?|could you(?: please| kindly)?|can you(?: please)?|you (?:may|can|could|should|must|will|have to|need to)|we (?:ask|want|need|would like) you to|feel free to|make sure to|be sure to|remember to|don't forget to|try to|go ahead and|help us|help us)(?:[,:!]? +| *[:–-] *)|(?:todo|to do|task|note|nb|remark|hint|tip|reminder|important|urgent|ps|p\.s\.?|action|instruction|request) *[:!–-] *)+/;

/** Where an order stands within a sentence: at its beginning, or behind a mark. */
const STARTS =
  /(?:^|[,:;(]\s+|\s[–—-]+\s|["'“”„«»‘’([*>#]\s*|\b(?:and|then|please|but|so|kindly)\s+)(?=[\p{L}])/gu;
const MAX_STARTS = 12;
/** "Tout a commencé" is read as no English. */
const ACCENTED = /[àâäáãåçéèêëíìîïñóòôöõøúùûüýœæßğşıłńśźżąęčřžőű]/iu;
const ENGLISH = /\b(?:the|her|him|them|of|and|with|that|your|our|to|is|it|at|by|for|on)\b/i;
/** "Her" is "each" in Turkish. */
const TURKISH = /[ğış]/i;
export const isAbroad = (sentence: string): boolean =>
  ACCENTED.test(sentence) &&
  !ENGLISH.test(TURKISH.test(sentence) ? sentence.replaceAll(/\b(?:her|on)\b/gi, "") : sentence);

/** The first place at which a sentence orders something, and by which word; null where it orders nothing. */
export function imperativeIn(sentence: string): { at: number; verb: string; next: string } | null {
  if (isAbroad(sentence)) return null;
  let starts = 0;
  for (const match of sentence.matchAll(STARTS)) {
    if (++starts > MAX_STARTS) break;
    const from = match.index + match[0].length;
    const rest = fold(sentence.slice(from, from + 160));
    const polite = POLITE.exec(rest)?.[0] ?? "";
    const [verb = "", next = "", third = ""] = wordsOf(rest.slice(polite.length));
    if (isImperative(verb, next, polite, sentence.slice(from), third))
      return { at: from, verb, next };
  }
  return null;
}

/** "Send It Home": a name, whose small words have capitals as well. */
const TITLE = /^["'“”„«»‘’]?\p{Lu}[\p{L}'’]* \p{Lu}\p{Ll}/u;

/** "Warn of", but no "mention of". */
const OF =
  /^(?:warn|speak|talk|think|dream|boast|brag|remind|assure|accuse|sing|tell|inform|write|beware)$/;
/** "Tell Grandma is in 900 homes": a name, and what it does. */
const NAMED =
  /^(?:\p{Lu}[\p{L}'’]* ){1,4}(?:(?:is|are|was|were|has|had) |\p{Ll}{2,}[^s\W]s (?=\d|(?:an?|the|its|our|your|every) ))/u;
const NO_FORM = /(?:[^s]s|ed|ing)$/;
/** Of nouns, unless the next word is an article. */
const NOUN_FORM = /(?:tion|ly|ment|ness|ity|er|or)$/;
const ARTICLE =
  /^(?:an?|the|her|his|their|our|my|your|this|that|these|those|every|each|any|all|no|something|anything|nothing|it|them)$/;
const VERBS_ANYWAY =
  /^(?:offer|answer|cover|deliver|render|wander|remember|consider|refer|alter|enter|order|utter|pepper|conquer|register|whisper|mirror|honou?r|favou?r|labor|need|feed|embed|bring|sing|apply|reply|imply|supply|rely|compliment|comment|mention|question|caution|auction|function|position|condition|sanction|transition|pass|press|stress|address|express|toss|confess|discuss|guess|bless|dismiss|access|cross|focus)$/;

function isImperative(
  verb: string,
  next: string,
  polite: string,
  rest: string,
  third: string,
): boolean {
  if (verb.length < 2 || isNoVerb(verb)) return false;
  if (NAMED.test(rest)) return false;
  if (verb === "be") return next !== "";
  if (TITLE.test(rest) && isComplement(next) && next !== "i") return false;
  if (isSaying(verb))
    return (
      !/^(?:is|are|was|were|has|have|had|and|will|does|can)$/.test(next) &&
      (next !== "of" || OF.test(verb))
    );
  const isNoun = NO_FORM.test(verb) || (NOUN_FORM.test(verb) && !ARTICLE.test(next));
  if (isNoun && !VERBS_ANYWAY.test(verb)) return false;
  if (
    polite !== "" &&
    /please|pls|plz|kindly|would you|could you|do not|don't|never|always/.test(polite)
  )
    return true;
  if (/^of$/.test(next)) return false;
  if (/^\p{L}+ ["'“„«‘]/u.test(rest)) return true;
  if (/^\p{L}+[:,;.!?]/u.test(rest)) return false;
  return (
    isComplement(next) && !/^(?:is|are|was|were|has|have)$/.test(third) && /^\p{L}/u.test(rest)
  );
}

const LEAD_AS_OBJECT =
  /\b(?:her|him|them|hers|himself|herself|the (?:reader|recipient|lead|addressee|prospect|contact|customer|lady|gentleman|person|woman|man)|th(?:is|at) (?:contact|lead|person|customer|prospect|account|recipient|reader)|readers|recipients|everyone|everybody|anyone)\b/;
/** On a website "they" are mostly named before, unless they are the first to be spoken of. */
const LEAD_OF_PAGE =
  /^(?:\p{L}+ ){1,2}(?:to )?(?:her|him|them)\b|(?<!\b(?:over|onto|against|into|at|on) )the (?:reader|recipient|lead|addressee|prospect|lady|gentleman)\b|\breaders\b|\brecipients\b/u;
const THAT = /^(?:\p{L}+ ){1,4}that\b/u;
/** The person who is told, where no other word is spelled so. */
export const HER_ABROAD =
  /(?<!\p{L})(?:ihr|ihm|lui|gli|ona|jej|henne|honom|haar|ей|ему|їй)(?!\p{L})|彼女|她|그녀/u;
export const THAT_ABROAD =
  /(?<!\p{L})(?:que|qu'\p{L}+|dass|daß|che|dat|att|at|że|что|що|že|hogy|că|ότι|että)(?!\p{L})/u;
/** "It is good style to", "would love it if you", "she must hear that": an order put as a custom, a wish or a duty. */
const CUSTOMS = [
  /\bit (?:pays|helps|works|never hurts|does no harm) (?:to|if|when)\b|\bit(?:'s|'d|'ll| is| was| has been| has become| would| might| may| could| will)\b (?:\p{L}+ ){1,4}(?:to|if|when|that)\b|\b(?:would|might|could) (?:be|help|do|make)\b[^.!?]{0,30}\b(?:if|to|when|that)\b/u,
  /\b(?:finds?|likes?|loves?|appreciates?|enjoys?|expects?|wants?|wishes|hopes?)\b (?:it )?(?:\p{L}+ ){0,3}(?:when|if|that|to|whoever)\b|\bprefers? (?:it )?(?:\p{L}+ ){0,3}(?:when|if|that|whoever|to be)\b/u,
  /\b(?:those|anyone|anybody|people|everybody|everyone|someone|whoever|all|people) (?:who|that)\b|\bwhoever\b|\bwho(?:m)?ever\b/u,
];
const IF_YOU = /\b(?:if|that|when|whenever|once|and|so|unless|because) you\b/;
const MUST_LEARN =
  /\b(?:she|he|they|\p{L}+)(?: really| also)? (?:must|should|shall|ought to|ha(?:s|ve) to|needs? to|will want to|deserves? to) (?:hear|know|learn|be told|be informed|understand|believe|find out|get to know|read)\b|\b(?:wants?|wishes|would like) to (?:hear|know|learn|be told|read) that\b/u;

/** "To anyone of that title promise that": the verb of the order does not begin it. */
const INVERTED =
  /^(?:to|for|with|in|at|on) (?:[\p{L}-]+ ){1,8}(?<!\b(?:an?|the|his|her|their|its|our|your|no|this|that|to) )(?:say|tell|promise|state|write|mention|announce|confirm|guarantee|admit|declare|insist) (?:that|her|him|them|how|why)\b/u;

/** What an order is, and where. */
export interface Told {
  mood: Mood;
  /** Where the order begins; 0 where the whole sentence is one. */
  at: number;
  /** It is put as an imperative, as orders to visitors are. */
  isPlain: boolean;
}

const told = (mood: Mood, at = 0, isPlain = false): Told => ({ mood, at, isPlain });

/** Something in quotation marks, of more than one word. */
const QUOTE =
  /["“„«「『][^"”“»」』\n]{4,200}["”“»」』]|(?<![\p{L}\p{N}])['‘][^'’\n]{4,200}['’](?![\p{L}\p{N}])/u;
const NEAR = 4;

/** "Slip it in": what is meant stands before. */
const REFERRING =
  /^(?:\p{L}+ ){1,3}(?:it|so|this|that|these|those|both|them)(?= (?:in|into|at|to|as|for|back|too|down|on|once|twice)\b|[.!]|$)/u;

/** Whether the lead's name stands close behind a verb of saying. */
const isToldTo = (words: readonly string[], name: string): boolean =>
  name !== "" &&
  words.some(
    (word, at) => word === name && words.slice(Math.max(0, at - NEAR), at).some(isSayingForm),
  );

/** Of one sentence, without its neighbours. `name` is the lead's first name, folded. */
export function moodOf(sentence: string, name: string, isPage: boolean): Told {
  const folded = fold(sentence);
  if (roleIn(folded, true) !== null) return told("role");
  const words = wordsOf(folded);
  const says = words.some(isSayingForm);
  const abroad = SAYING_ABROAD.test(folded);
  const ofLetter = LETTER.test(folded);
  const isDuty = DUTY.test(folded);
  const isLeadIn = (text: string) =>
    !isAbroad(sentence) && (isPage ? LEAD_OF_PAGE : LEAD_AS_OBJECT).test(text);
  const toLead = isLeadIn(folded) || isToldTo(words, name);
  if (isDuty && (ofLetter || WRITING.test(folded) || (toLead && says))) return told("letter");
  if (LETTERS_DO.test(folded) || PLAY.test(folded) || MUST_LEARN.test(folded))
    return told("letter");
  if (ofLetter && (QUOTE.test(sentence) || /\b(?:please|pls|plz|kindly)\b/.test(folded)))
    return told("letter");
  if (abroad && (ofLetter || HER_ABROAD.test(folded) || THAT_ABROAD.test(folded)))
    return told("letter");
  if (!isPage && INVERTED.test(folded)) return told("letter");
  const isCustom = CUSTOMS.some((each) => each.test(folded));
  if ((isCustom || IF_YOU.test(folded)) && says && (toLead || ofLetter)) return told("letter");
  if (isCustom && ofLetter) return told("letter");
  const order = imperativeIn(sentence);
  if (order !== null) {
    const { at, verb } = order;
    const rest = fold(sentence.slice(at));
    const from = REFERRING.test(rest) ? 0 : at;
    const isToLead = isLeadIn(rest) || (name !== "" && wordsOf(rest).includes(name));
    const device = isPage ? /\b(?:over|onto|against|into|at) the reader\b/ : /(?!)/;
    if (LETTER.test(rest.replace(device, "")) || isToLead || THAT.test(rest))
      return told("letter", from, true);
    const isSaid = isSaying(verb) && !(isPage && isVisiting(verb));
    return told(isSaid || abroad ? "saying" : "imperative", from, true);
  }
  if (abroad || PLEASE_ABROAD.test(folded) || ((isDuty || isCustom) && says)) return told("saying");
  const isHint = isDuty || ofLetter || toLead || /\b(?:you|she|he)\b/.test(folded);
  return told(isHint ? "hint" : "statement");
}
