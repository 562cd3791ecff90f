import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|nachrichten?|werbung|newsletter|post|angebote?|spam|werbemails?|werbe-?e-?mails?|zusendungen|anfragen|informationen|kontaktaufnahmen?)";
const ME =
  "(mich|uns|meine (e-?mail|mail|e-?mail-?adresse|mailadresse|adresse|daten|kontaktdaten)|unsere (e-?mail|adresse|daten|mailadresse|kontaktdaten|firma))";
const LIST =
  "(…liste|listen|…verteiler…|datenbank|system|newsletter|datenbestand|datensatz|kartei|…datei)";
const WRITE =
  "(schreiben|anschreiben|kontaktieren|mailen|anmailen|melden|belästigen|anfragen|zuschicken|zusenden|schicken|senden|angeschrieben|kontaktiert|belästigt|behelligen)";

export const german: OptOutWords = {
  alone:
    "abmelden|austragen|abbestellen|abmeldung|abbestellung|stopp?|aufhören|löschen|entfernen|kein interesse,? (bitte )?(abmelden|austragen|löschen)|keine (mails|e-?mails|werbung|weiteren (e-?mails|mails|nachrichten|anfragen))( mehr)?",
  courtesies:
    "bitte|danke|vielen dank|sofort|umgehend|hallo|guten tag|mich|uns|jetzt|herzlichen dank",
  asks: [
    "(möcht…|will|wollen) (das|dies|so etwas|sowas|diese mails|diese e-?mails) nicht (mehr|länger) (bekommen|erhalten|empfangen|haben)",
    `(hör…|hoer…) (sie |ihr )?(bitte |endlich )*auf mit (diesen|den|ihren|euren|dem) … ${MAIL}|(hör…) (sie |ihr )?(bitte |endlich )*auf mit dem spam`,
    `(nehm…|nehmt) (sie )?(bitte )?von … (${MAIL}|kontakt…) … abstand`,
    "(will|möcht…|wollen) nicht dass (sie|ihr) (mir|mich|uns) … (schreib…|kontaktier…|mail…)",
    "(bitte|bitten|verlange|fordere|beantrage|wünsche) … (um )?(die )?(sofortige |umgehende |vollständige )?löschung (meiner|unserer|von) … (daten|adresse|e-?mail…|kontaktdaten)",
    `(schick…|send…|schreib…) (sie |ihr )?(mir|uns) (bitte )?(nichts|nie) (mehr|wieder|weiteres)`,
    `(wünsch…|möcht…|will|wollen) … kein… … (kontakt|kontaktaufnahme|kontaktierung|zusendung…)`,
    `(mich|uns) (bitte )?aus … ${LIST} zu (löschen|streichen|nehmen|entfernen)|(mich|uns) aus … ${LIST} … (löschen|streichen|nehmen|entfernen)`,
    `(fordere|bitte|bitten|ersuche) … (mir|uns) … kein… … ${MAIL} … (senden|schicken|zuzusenden|zu senden|zu schicken)`,
    "(unterlass…) (sie|ihr) (bitte )?(das|dies|diese…)",
    "(nehm…|nehmt|streich…|lösch…) (sie |ihr )?(mich|uns) (bitte )?(raus|heraus)",
    `(lösch…|loesch…|entfern…|streich…|nehm…|nimm|nehmt|werf…) ((sie|ihr|du) )?(bitte )?${ME}( bitte)?( (umgehend|sofort|endlich|wieder|komplett|vollständig))*( (aus|von) … ${LIST}|$)`,
    `${ME} … (aus|von) … ${LIST} … (lösch…|entfern…|streich…|nehm…|austragen|herausnehmen|rausnehmen|zu (löschen|entfernen|streichen|nehmen))`,
    `${ME} (umgehend |bitte |sofort )*(zu )?(löschen|loeschen|entfernen|austragen|abmelden|abzumelden|auszutragen)`,
    `aus (dem|ihrem|eurem|deinem|diesem|ihren|allen) … ${LIST} … (raus|heraus|nehmen|streichen|löschen|entfernen|austragen)`,
    "(trag…|meld…|nehm…|nehmt) ((sie|ihr|du) )?(bitte )?(mich|uns|meine adresse) (bitte )?(… ){0,3}(aus|ab|raus|heraus)",
    `(möcht…|will|wollen|wünsch…|brauch…|bekomme) … kein… … ${MAIL} … (mehr|erhalten|bekommen|von ihnen|von euch|von dir|per e-?mail|zugeschickt|zugesandt|empfangen)`,
    `(wünschen|wünsche) … kein… … ${MAIL}`,
    `^(bitte |und |also )?kein… (weiter… |mehr )?${MAIL}( mehr)?( bitte| danke| an mich| an uns| senden| schicken| zusenden)*$`,
    `(bitte|künftig|mir|uns) … kein… (weiter… |mehr )?${MAIL} (mehr|senden|schicken|zusenden|zuschicken)`,
    `(schick…|send…|schreib…) … (mir|uns) … kein… (weiter… )?${MAIL}( mehr)?`,
    `(schreib…|kontaktier…|mail…|belästig…|behellig…) ((sie|ihr) )?(mir|mich|uns) (bitte )?(künftig |in zukunft )?(nicht (mehr|wieder|weiter|länger)|nie wieder)`,
    `bitte … (nicht (mehr|wieder|weiter)|nie (mehr|wieder)) … ${WRITE}`,
    `(möcht…|will|wollen) … (nicht (mehr|weiter|länger)|nie (mehr|wieder)) … (angeschrieben|kontaktiert|belästigt|von ihnen hören)`,
    `(hör…|hoer…) ((sie|ihr) )?(bitte )?(endlich )?(auf|damit auf) … (schreiben|mailen|schicken|senden|kontaktieren|belästigen|spammen|zu schreiben)`,
    "(unterlass…|unterlaß…) … (kontakt…|zusendung…|mails|e-?mails|werbung|anfragen|schreiben)",
    `(seh…|absehen|abzusehen|verzicht…) … (von|auf) … ${MAIL}( ab)?`,
    `von … ${MAIL} … (absehen|abzusehen|ab)$`,
    "widersprech… … (nutzung|verwendung|verarbeitung|speicherung) … (daten|adresse)",
    "(widerruf…|zieh…) … (einwilligung|zustimmung)",
    "(lassen|lasst|lass) ((sie|ihr) )?(mich|uns) … in ruhe",
    "(möcht…|will|wollen) (mich|uns)? … (abmelden|austragen|abbestellen|abgemeldet werden|ausgetragen werden|gelöscht werden|entfernt werden)",
    "wie … (kann|melde|bestelle) (ich|wir) … (ab|abmelden|abbestellen)",
    "(newsletter|mails|e-?mails) … (abbestellen|abmelden|kündigen)",
  ],
  other: [
    "(lösch…|entfern…|streich…|trag…|meld…) (sie )?(mein…|mich|uns) (… )?nicht|jederzeit|konto",
    "wir (möchten|wollen|würden) … (unsere|unseren|kunden|kontakte)",
    "(anrufe|muster|lieferung|vorjahres…|aufnehmen|verteiler auf)",
    "…(warteliste|gästeliste|teilnehmerliste|preisliste|einkaufsliste|rednerliste)|punkt \\d…|liste (der|mit)",
    "(cc|kopie|loop|einladung|termin…|meeting|besprechung|treffen|webinar|kalender|veranstaltung|anhang|absatz|logo|kurs|schulung)",
    "(nutzer|kunden|empfänger|leser|abonnenten|leute|kontakte|interessenten|mitarbeiter|man|jemand|wer)( …){0,5} (abmelde…|ab|melden|austrag…|abbestell…|löschen|mehr|wollen|keine)",
    "(melden|tragen|wollen|möchten|können) (sich )?(ihre|eure|unsere|deine|die) (nutzer|kunden|empfänger|leser|abonnenten)",
    "(abmelde|abbestell|austrag)…(link…|button|seite|rate|quote|funktion|formular|prozess)|abmelderate",
    "(müssen|brauch…|sollen|solltet|müsst) … (mich|uns) … nicht|nicht (abmelden|austragen|löschen|abbestellen)",
    "wir (verschicken|versenden|schreiben|senden|haben|können|bekommen|erhalten) … (kein…|nicht)|ich habe … (kein…|nicht) … (erhalten|bekommen)|(ich|wir) (kann|können|muss|müssen) (mich |uns )?",
    "(würd…|möcht…) … (gern…|mehr erfahren)",
  ],
  narrower: [
    "erst|bis|vor(erst|läufig)|derzeit|zur ?zeit|im moment|diese woche|diesen monat|dieses jahr",
    "so (oft|viele|häufig)|anhänge?|pdfs?|rechnungen",
  ],
  elsewhere: [
    "stattdessen|lieber|sondern|telefonisch|anrufen|rufen sie|ruf (mich|uns)|per (post|telefon|whatsapp)|andere adresse|an meine … adresse",
  ],
  hints: [
    "schreib… (sie |ihr )?(mir|uns) … (nicht mehr|nie wieder|erst)",
    "abmelden|abbestellen|austragen|abmeldung",
    "(nicht mehr|nie wieder|nicht weiter) … (schreiben|anschreiben|kontaktieren|mailen|kontaktiert|angeschrieben)",
    "dsgvo|uwg|abmahn…|unerwünscht…|unaufgefordert…|belästigung|spam",
    "woher haben sie mein…",
    "(aus|von) … (verteiler|mailingliste)",
  ],
};
