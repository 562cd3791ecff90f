import { compiledOnce, type ReplyLanguage } from "./language-guess.ts";
import { compiled } from "./phrases.ts";
import { sentencesOf } from "./reply-sentences.ts";

/** How our mail offers, as it is quoted, to write no more to a lead that says so. */
const OFFERS: Partial<Record<ReplyLanguage, readonly string[]>> = {
  english: [
    "(i|we)('ll| will| can| shall| would|'d) (then |gladly |happily |of course |simply |just )?(stop|leave you|be gone|be off|go away|back off|take you off|remove you|close your file|cross you off|never|not|let you be|drop you|quit|cease|end)",
    "(i|we) (won't|will not|shall not|wouldn't) … (write|e-?mail|bother|contact|reach|follow|mail|send|trouble|message|disturb)",
    "(tell me|let me know|say so|just say|say the word|reply) … (i|we)('ll| will) (stop|leave)|(should|shall) (i|we) (stop|take you off|remove you|close)|want me to (stop|take you off|remove you|go away|leave)",
  ],
  german: [
    "(höre|hör|melde|schreibe|schreib|lasse|lass|belästige|behellige|störe|mail|maile|kontaktiere|nehme|streiche|lösche) ich … (auf|nicht (mehr|weiter|wieder)|nie wieder|in ruhe|aus … (liste|verteiler))|(werde|will) ich … (nicht (mehr|wieder|weiter)|aufhören|in ruhe)|hören sie … (nichts|nie) … mehr|ich höre (dann )?auf|keine (mails?|nachrichten|weiteren …) mehr",
  ],
  french: [
    "(j'arrête|je m'arrête|j'arrêterai|je m'arrêterai|j'en resterai|j'en reste|je cesse…|je vous laisse…|je vous retire…|je vous supprime…|je n'insiste…|nous (arrêt…|cess…))|je ne vous … (plus|pas)|vous ne recevrez plus|n'entendrez plus",
  ],
  spanish: [
    "(lo dejo|dejo de|dejaré|paro|pararé|no insist…|no te … (más|molest…|escrib…)|no le … (más|molest…|escrib…)|no volver…|no os … más|te borro|le borro|te quito|me retiro|me callo|te elimino|lo dejamos)",
  ],
  portuguese: [
    "(paro|deixo de|não (volto|insisto|incomodo|escrevo|envio|mando)|não (te|o|a|lhe|vos) … mais|retiro-…|removo|vou parar|paramos|pararei|deixarei|não voltarei|não volto)",
  ],
  italian: [
    "(smetto|mi fermo|la smetto|non (scrivo|insisto|disturbo|mando|la contatt…|ti contatt…|le scriv…|ti scriv…|vi scriv…)|(non|mai) … (più|disturb…|scriver…)|la cancello|ti cancello|la tolgo|ti tolgo|smetterò|mi fermerò|non scriverò|smettiamo)",
  ],
  dutch: [
    "(stop ik|hou ik op|houd ik op|laat ik (u|je|jullie)|mail ik (u|je|jullie)|schrijf ik|zal ik … (niet|stoppen|ophouden)|dan (stop|stoppen)|haal ik|hoort u … niets|hoor je … niets|ik stop|niet meer (mailen|schrijven|benaderen|lastig))",
  ],
  swedish: [
    "(slutar jag|slutar vi|så slutar|jag slutar|hör jag inte av|mejlar jag inte|skriver jag inte|lämnar jag|ska jag inte|tar jag bort|inte … (mejla|skriva|höra av|störa)|låter jag)",
  ],
  norwegianDanish: [
    "(slutter jeg|stopper jeg|så stopper|så slutter|jeg stopper|jeg slutter|hører du ikke|skriver jeg ikke|lar jeg|lader jeg|skal jeg (la|ikke|nok)|fjerner jeg|ikke … (skrive|sende|kontakte|plage|forstyrre|høre))",
  ],
  polish: [
    "(przestan…|nie będę … (pisa…|niepoko…|wysyła…|zawraca…)|więcej nie|zaprzestan…|usun…|dam spokój|już nie (napisz…|będ…)|nie napisz…|zamilkn…|nie będziemy)",
  ],
  russian: [
    "(перестан…|больше не (буд…|побеспоко…|напиш…|потревож…)|не буду … (писать|беспоко…|слать|отвлекать)|удалю|уберу|прекращ…|отстан…|не стану)",
  ],
  turkish: [
    "(yazmam|yazmayacağım|yazmayız|bırakırım|bırakacağım|rahatsız etmem|rahatsız etmeyeceğim|göndermem|göndermeyeceğim|dururum|duracağım|silerim|sileceğim|çıkarırım|çıkaracağım|keserim|bir daha … (yazma|rahatsız)…|bırakayım|durayım|sileyim|keseyim|çıkarayım|yazmayayım|ısrar etmem|ısrar etmeyeceğim|durdururum)",
  ],
  japanese: [
    "(以後|今後|これ以上|もう|二度と).{0,12}(送|連絡|ご連絡|差し上げ|ご案内|控え|いたしません|しません)|(停止|終了|中止|控えさせて|やめ|止め)(し|いた|ます|致)|(お送り|ご連絡|連絡)(いた|は|を)?(いたし|致し|し)?ません",
  ],
  chinese: [
    "(我|我们|我們)?(就|便|会|會|将|將)?(不再|不会再|不會再|停止|不再给|不再给您)(打扰|打擾|发|發|联系|聯絡|来信|叨扰|发送)|就(停|不发|此打住|不打扰)",
  ],
};

const SPACELESS: ReadonlySet<readonly string[]> = new Set([OFFERS.japanese!, OFFERS.chinese!]);
const offersOf = compiledOnce(OFFERS, (sources) => compiled(sources, SPACELESS.has(sources)));

/** "Would you rather not hear from me?" is the first half of an offer to stop. */
const ASKS_WHETHER_NOT =
  /(?<!\p{L})(rather not|no (more|longer)|not hear|stop|nicht|kein\p{L}*|lieber|plus|pas|geen|niet|ikke|inte|slipp\p{L}*|fri|non|nao|nie|не|prefier\p{L}*|preferi\p{L}*)(?!\p{L})|no quier|ない|不|istem/u;
/** Of what is quoted: our last message. */
const MAX_ANSWERED = 6_000;

/** `beside`: what is answered asks something else as well, which a yes may be for. */
export type Offer = "none" | "alone" | "beside";

/** Whether what a reply answers offers to write no more. */
export function offerIn(visible: string, whole: string): Offer {
  if (whole === "") return "none";
  const answered = sentencesOf(whole.slice(0, MAX_ANSWERED).replace(visible, " "));
  const offers = offersOf(whole.slice(0, MAX_ANSWERED));
  const offered = answered.findIndex(({ plain }) => offers.some((each) => each.test(plain)));
  if (offered === -1) return "none";
  const asks = answered.some(
    ({ isQuestion, plain }, at) =>
      isQuestion && at !== offered && !(at === offered - 1 && ASKS_WHETHER_NOT.test(plain)),
  );
  return asks ? "beside" : "alone";
}
