import { folded } from "./calendar-words.ts";

/** A message that is little else; folded. */
const ALONE =
  /^\W*((please|pls|kindly|bitte|merci de|por favor|si us plau|per favore) )?(stop|stopp?|unsubscribe|unsub|remove|remove me|opt ?-?out|take me off|no more|abmelden|austragen|abbestellen|desabonnement|desinscription|desabonner|baja|dar(me)? de baja|cancelar|remover|descadastrar|cancellami|disiscrivimi|rimuovimi|afmelden|uitschrijven|avregistrera|avanmal\w*|afmeld|avmeld|wypisz|odhlasit|отписаться|отпишите|退订|退訂|配信停止|수신거부)( (me|us|mich|now|please|bitte|all|merci|thanks|thank you|emails?|mails?|this|it|danke))*\W*$/u;

/** What says "do not write to me" within a sentence, in a dozen languages; folded. */
const SENTENCES: readonly RegExp[] = [
  /\b(unsubscribe|unsub|remove|delete|erase|take|opt|drop|exclude) (me|us|my (name|e-?mail|address|details|data|contact)|this (address|e-?mail)|our (address|e-?mail|company))\b/,
  /\b(want|wish|like|ask|asked|need|request|please|how (do|can) (i|we)|let me|trying|tried) (to )?(be )?(unsubscribed?|opt(ed)?[- ]?out|(be )?removed)\b|\bunsubscribe (from|please|immediately|asap)\b|^unsubscribe\b/,
  /\b(stop|quit|cease) (sending|e-?mailing|mailing|contacting|writing|spamming|messaging|bothering|soliciting|harassing|these|your (e-?mails|messages|spam))\b/,
  /\b(do not|don'?t|never|please not) (ever )?(e-?mail|mail|contact|write( to)?|message|send( me| us)?( any)?( more)?( of)?( (these|your|such))? ?(e-?mails?|mails?|messages?|spam)?) ?(me|us|here|this address|again|any ?more|any further|in the future)\b/,
  /\b(no|any) (more|further|future) (e-?mails?|mails?|messages?|contact|communication|correspondence|solicitation)s?\b(?! (address|about that))/,
  /\b(take|remove|get|strike|drop|delete|scrub|me|us)( \S+){0,4} (off|from) (of )?(your|the|this|all|any) (\S+ )?(list|lists|database|sequence|campaign|mailings?)\b(?! of)/,
  /\b(bitte )?(loschen|entfernen|streichen|nehmen) sie (mich|meine|uns|unsere)\b|\b(losch|entfern|streich)\w* (mich|meine)\b|aus (dem|ihrem|eurem|deinem) (verteiler|newsletter|adress)|keine (weiteren? )?(e-?mails?|mails?|nachrichten|werbung|post|angebote)( \S+){0,3} (mehr|erhalten|schicken|senden|zusenden)|(nicht mehr|nie wieder|nicht weiter) (an)?(schreiben|kontaktieren|kontaktiert|anschreiben|angeschrieben)|\b(mich|uns) (ab|aus)(zu)?(melden|tragen)|(melden|tragen) sie (mich|uns) (\S+ )?(ab|aus)\b/,
  /\b(me |nous )?(desabonner|desinscrire|retirer) |(desabonnez|desinscrivez|retirez|supprimez|effacez|radiez)[- ](moi|nous|mon|mes|notre)|ne (plus )?(m'|nous )?\w*[- ]?(envoye[rz]|contacte[rz]|ecri(re|vez)|recevoir|sollicite[rz])( \S+){0,3}|arrete[rz] de (m'|me |nous )/,
  /\b(darme|darnos|me den|denme|dar) de baja|(eliminen?|borren?|quiten?|saquen?)(me| mi| mis|nos)|(no (me |nos )?(envien?|manden?|escriban?|contacten?)\w*( \S+){0,3} mas)|dej(e|en|a) de (enviar|escribir|mandar|contactar)/,
  /\b(me )?(remov|retir|descadastr|exclu)(a|am|er|ir)?(-me| me| meu| nosso)|(me|nos) (remov|retir|descadastr|exclu)(a|am)\b|par(e|em|ar) de (me )?(enviar|mandar|escrever)|nao (me )?(envie|mande|escreva|contate)m?( \S+){0,2} mais|nao (quero|desejo) (mais )?receber/,
  /\b(cancella|rimuovi|disiscrivi|togli|elimina)(te|re)?(mi|ci| il mio| la mia)|non (scriv|contatt|invi|mand)\w*( \S+){0,2} piu|non (voglio|desidero) (piu )?ricevere|smett(ete|i|a|ere) di/,
  /\b(verwijder|haal|schrijf) (mij|me|ons|mijn)( \S+){0,3}|(stuur|mail|schrijf) (mij|me|ons) (niet|geen)( \S+){0,2}|geen (verdere |e-?)?mails? meer|(mij|me|ons) (af|uit)(te )?(melden|schrijven)/,
  /\b(ta bort|avregistrera|avprenumerera|stryk) (mig|oss|min)|sluta (skicka|maila|kontakta)|(fjern|slet|afmeld|avmeld|meld) (mig|meg|os|oss|min|mit)\b|(ikke|inte) (\S+ )?(flere|fler|mer) (mails?|e-?post|e-?mails?|henvendelser)|stop med at (sende|skrive|kontakte)/,
  /(usun|wypis|skresl)\w* (mnie|moj|nas|nasz)|prosz\S+ (o )?(usunieci|wypisani|nie (wysyla|pisa|kontaktowa))|nie (zycze|chce) (sobie )?(\S+ )?(otrzymywa|dostawa|wiadomosc|mail|kontakt)/,
  /(удалит|отпишит|исключит|уберит)\p{L}* (меня|нас|мо|наш)|не (пишит|присылаит|отправляит|шлит|беспокои)\p{L}*( \S+){0,3}|(прекратит|перестан)\p{L}* (\S+ )?(присыл|слать|рассыл|писать|отправл)|хочу отписат|отписаться от/u,
  /配信(を)?(停止|中止|不要)|(メール|連絡)(は|を)?(不要|やめ|止め|送らない)|不要再(给我)?(发|寄|聯絡|联系|發)|别再(发|联系|給)|取消(订阅|訂閱)|메일(을)? (그만|보내지)|aboneli(gi|kten)|listeden cikar/,
];

/** What looks like it and is not: a denial, or talk about the thing. */
const DENIED =
  /\b(don'?t|do not|didn'?t|did not|never|not|no need to|without|instead of|before you|rather than) (\S+ ){0,3}(unsubscribe|remove me|opt out|take me off|stop (sending|writing|emailing))|\b(our|their|an|the|your|missing|no) (own )?(unsubscribe|opt-?out) (link|button|page|rate|feature|list|header|process|flow)|unsubscribe (link|button|rate|page|feature)s?\b(?!.*(me|please))|(remove|take|drop|delete) (me|us) (a|an|as|at|from the (cc|loop|thread)|off (cc|the thread)|to|out)\b|stop by\b/;

const MAX_TEXT = 1_500;

/**
 * Whether someone asks in their own words (`visibleReply`) not to be written to any more. Being not
 * interested is no such wish, and neither is talk of newsletters.
 */
export function asksToStop(visible: string): boolean {
  const text = folded(visible.slice(0, MAX_TEXT)).replace(/[’`´]/g, "'");
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.slice(0, 3).some((line) => ALONE.test(line)) && lines.length <= 6) return true;
  const sentences = text.replace(/\s+/g, " ").split(/(?<=[.!?。!?])\s+|(?<=[。！？])/u);
  return sentences.some((sentence) => {
    const clean = sentence.trim();
    return SENTENCES.some((each) => each.test(clean)) && !DENIED.test(clean);
  });
}
