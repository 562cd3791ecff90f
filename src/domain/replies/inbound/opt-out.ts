import { compiledOnce, type ReplyLanguage } from "./language-guess.ts";
import { chinese } from "./opt-out-words/chinese.ts";
import { dutch } from "./opt-out-words/dutch.ts";
import { english } from "./opt-out-words/english.ts";
import { french } from "./opt-out-words/french.ts";
import { german } from "./opt-out-words/german.ts";
import { italian } from "./opt-out-words/italian.ts";
import { japanese } from "./opt-out-words/japanese.ts";
import { type OptOutLanguage, optOutLanguage, type OptOutWords } from "./opt-out-words/language.ts";
import { moreLanguages } from "./opt-out-words/more-languages.ts";
import { norwegianDanish } from "./opt-out-words/norwegian-danish.ts";
import { polish } from "./opt-out-words/polish.ts";
import { portuguese } from "./opt-out-words/portuguese.ts";
import { russian } from "./opt-out-words/russian.ts";
import { spanish } from "./opt-out-words/spanish.ts";
import { swedish } from "./opt-out-words/swedish.ts";
import { turkish } from "./opt-out-words/turkish.ts";
import { type Sentence, sentencesOf } from "./reply-sentences.ts";

/** `perhaps`: the lead may want no more mail, and a user should read it. */
export type StopWish = "stop" | "perhaps" | "no";

const TABLES: Record<ReplyLanguage, OptOutWords> = {
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  swedish,
  norwegianDanish,
  polish,
  russian,
  japanese,
  chinese,
  turkish,
  other: moreLanguages,
};

const languagesOf = compiledOnce(TABLES, optOutLanguage);

const MAX_TEXT = 1_500;
/** Of what is quoted: our last message. */
const MAX_ANSWERED = 6_000;
/** A word alone asks for something where greetings stand around it; beside more it may mean anything. */
const MAX_WORDS_AROUND = 6;
/** What companies have below their mail of secrecy and of mail that went astray, to its end. */
const FOOTER =
  /\n[^\n]{0,200}(confidential|(received?|erhalten|reçu|recibido|ricevuto|ontvangen) (\p{L}+ ){0,4}(in error|by mistake|irrtümlich|par erreur|por error|per errore|per ongeluk)|intended recipient|vertraulich|confidentiel|confidencial|riservat|vertrouwelijk|konfidentiell|fortrolig|poufn|конфиденциальн|gizlidir|機密|保密)[^]*$/iu;
const MAX_WORDS_OF_A_NAME = 3;
const LONG_LINE_GOES_ON = /(?<=[^\n]{50})\n(?=\p{Ll})/gu;
/** "Leave. Me. Alone." */
const STOP_WITHIN = /(?<=(?:^|[.!?]\s)\p{L}{1,12})[.!]\s(?=\p{L}{1,12}[.!](?:\s|$))/gu;

/**
 * Whether a lead asks in its own words (`visibleReply`) not to be written to any more. Being not
 * interested is no such wish, and neither is talk of newsletters, copies and waiting lists; a reply that asks
 * for less mail, or says too little, is for a user to judge. `whole` is the text with what it quotes: a
 * bare yes may be one to our own offer to stop.
 */
export function asksToStop(visible: string, whole = ""): StopWish {
  const text = visible.slice(0, MAX_TEXT).replace(FOOTER, "").replace(LONG_LINE_GOES_ON, " ");
  // The end of a short line may be that of a sentence, or a program has wrapped it there.
  const readings = new Set([
    text,
    text.replace(/(?<!\n)\n(?!\n)/g, " "),
    text.replace(STOP_WITHIN, " "),
  ]);
  const wishes = new Set<StopWish>();
  const languages = languagesOf(text);
  for (const sentences of [...readings].map(sentencesOf))
    for (const language of languages) {
      wishes.add(wishAlone(language, sentences));
      for (const at of sentences.keys()) wishes.add(wishIn(language, sentences, at));
      wishes.add(yesToOffer(language, sentences, whole));
    }
  return (["stop", "perhaps"] as const).find((wish) => wishes.has(wish)) ?? "no";
}

function wishAlone({ alone, reasons }: OptOutLanguage, sentences: readonly Sentence[]): StopWish {
  const rest = sentences.filter(({ plain }) => !alone.test(plain));
  if (rest.length === sentences.length) return "no";
  const isClear =
    rest.every(({ plain }) => wordCount(plain) <= MAX_WORDS_AROUND) ||
    rest.some(({ plain }) => reasons.test(plain));
  return isClear ? "stop" : "perhaps";
}

/** About two characters are a word where no spaces part them. */
const wordCount = (plain: string): number =>
  plain.replace(/[\u3040-\u9fff]{2}/g, "$& ").split(" ").length;

/** How a yes begins; what it asks to be sent or told is no yes to our silence. */
const YES =
  /^(yes|yeah|yep|yup|please do|ok|oui|ja|jo|si|sim|tak|да|evet|はい|是的?|好的?|对|gerne?|graag|gjerne|volontiers|tamam|olur|claro|vale|certo|ok(ay)?)(?![\p{L}])/u;
const ASKS_FOR_MORE =
  /send|schick|env[io]|mand|stuur|skicka|wysl|przesl|пр[иы]шл|присыл|вышл|gonder|yolla|送|发|發|call|ruf|appel|llam|liga|chiam|bel |ring|dzwon|звон|aray|info|demo|detail|price|preis|prix|preci|prijs|pris|meet|termin|interes/u;
/** "Would you rather not hear from me?" is the first half of an offer to stop. */
const ASKS_WHETHER_NOT =
  /(?<!\p{L})(rather not|no (more|longer)|not hear|stop|nicht|kein\p{L}*|lieber|plus|pas|geen|niet|ikke|inte|slipp\p{L}*|fri|non|nao|nie|не|prefier\p{L}*|preferi\p{L}*)(?!\p{L})|no quier|ない|不|istem/u;
/** Two courtesies, and no yes. */
const NO_THANKS =
  /^(?:no|nope|nah|nein|nee|nej|nei|non|nao|nie|нет|hayir)(?: (?:thanks|thank|you|thx|danke|vielen|dank|tack|takk|tak|merci|gracias|obrigad[oa]|grazie|u|je|bedankt|dziekuj\p{L}*|dzieki|спасибо|tesekkur\p{L}*|ederim|sag|ol\p{L}*))*$/u;
const MAX_WORDS_OF_A_YES = 6;

const isBareYes = (plain: string): boolean =>
  YES.test(plain) && wordCount(plain) <= MAX_WORDS_OF_A_YES && !ASKS_FOR_MORE.test(plain);

/** A mail that asks something besides may have its yes for that. */
function yesToOffer(
  { yes, offers }: OptOutLanguage,
  sentences: readonly Sentence[],
  whole: string,
): StopWish {
  const isYes = (plain: string) => (yes.test(plain) && !NO_THANKS.test(plain)) || isBareYes(plain);
  const rest = sentences.filter(({ plain }) => !isYes(plain));
  if (rest.length === sentences.length || whole === "") return "no";
  if (rest.some(({ plain }) => wordCount(plain) > MAX_WORDS_OF_A_NAME)) return "no";
  const answered = sentencesOf(whole.slice(0, MAX_ANSWERED));
  const offered = answered.findIndex(({ plain }) => offers.test(plain));
  if (offered === -1) return "no";
  const others = answered.filter(
    ({ isQuestion, plain }, at) =>
      isQuestion && at !== offered && !(at === offered - 1 && ASKS_WHETHER_NOT.test(plain)),
  );
  return others.length > 0 ? "perhaps" : "stop";
}

/** "Could you take us off": a wish that is put as a question, and no question about what a product does. */
const REQUEST =
  /(?<!\p{L})(?:(?:can|could|will|would|may) (?:you|u|i|we)|please|pls|kindly|bitte|konn(?:t|te)en sie|wurden sie|konnten sie|pouvez|pourriez|merci de|veuillez|por favor|porfa|podria\p{L}*|puede\p{L}*|poderia\p{L}*|pode|podem|per favore|potete|potreste|puo|kunt u|kun je|kunnen jullie|wilt u|graag|aub|alsjeblieft|kan ni|kan du|kan dere|kan i|kunne du|vil du|vil i|gider du|snalla|venligst|vennligst|prosze|prosimy|czy moglib\p{L}*|mozecie|moze pan\p{L}*|пожалуйста|можете|могли бы|можно|lutfen|\p{L}*(?:misiniz|misin|musunuz|musun))(?!\p{L})|请|請|能不能|可以|行吗|好吗|ください|下さい|いただけ|頂け|もらえ|くれ/u;

/** Another way to write is refused, and mail is not. */
const MAIL_IS_WELCOME =
  /(?<!\p{L})(?:prefer\p{L}*|prefier\p{L}*|lieber|liever|hellre|heller|hellere|luego|plutot) (?:\p{L}+ ){0,2}(?:e-?mails?|mails?|correos?|mejl|e-?post)|(?<!\p{L})(?:e-?mails?|mails?|mailen|correos?|mejl|e-?post) (?:\p{L}+ ){0,1}(?:fine|better|ok|okay|best|instead|genugt|reicht|suffit|basta|prima|bra|fint|fine|va bene|wystarczy|bastara)(?!\p{L})|メールで(?:お願い|ください|結構)|发邮件(?:就|即可)/u;
/** Who writes of their own retirement names no other person to write to. */
const OWN_RETIREMENT =
  /(?<!\p{L})(?:i'm|i am|we are|ich bin|bin|je suis|soy|estoy|sono|sou|estou|ik ben|jag ar|jag har|jeg er|jestem|ben|я)(?: \p{L}+){0,3} (?:retired|rente|rentner\p{L}*|ruhestand|retrait\p{L}*|jubilad\p{L}*|reformad\p{L}*|aposentad\p{L}*|pension\p{L}*|pensioen|emerytur\p{L}*|emekli\p{L}*|пенси\p{L}*)/u;

/** The wish of a clause: about the things that the clause names, and narrowed by the words that follow it. */
function wishIn(
  { asks, together, rights, other, narrower, elsewhere, hints }: OptOutLanguage,
  sentences: readonly Sentence[],
  at: number,
): StopWish {
  const { own, clauses, isQuestion } = sentences[at]!;
  const hasAll = (text: string, families: OptOutLanguage["together"]) =>
    families.some((parts) => parts.every((part) => part.test(text)));
  const first = clauses.findIndex((each) => asks.test(each) || hasAll(each, together));
  if (first === -1 && !asks.test(own) && !hasAll(own, rights))
    return hints.test(own) && !other.test(own) ? "perhaps" : "no";
  const asking = clauses[first] ?? own;
  const on = first === -1 ? own : clauses.slice(first).join(" ");
  const isDoubtful =
    // Words that only stand together are a question about something, more often than not.
    (isQuestion && !asks.test(asking) && !REQUEST.test(asking)) ||
    other.test(asking) ||
    narrower.test(on) ||
    [on, ...sentences.slice(at + 1).map(({ plain }) => plain)].some(
      (each) => elsewhere.test(each.replace(OWN_RETIREMENT, " ")) || MAIL_IS_WELCOME.test(each),
    );
  return isDoubtful ? "perhaps" : "stop";
}
