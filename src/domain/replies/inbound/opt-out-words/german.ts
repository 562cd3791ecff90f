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
    "(bitte )?(raus|weg|runter)|nicht mehr (schreiben|mailen|kontaktieren|anschreiben|melden)|aufhören damit|hören sie auf|hör auf|schluss( damit| jetzt)?|es reicht|genug|raus aus dem verteiler|sperren|streichen|kein kontakt( mehr)?|unsubscribe|verteiler löschen|daten löschen|lassen sie das|unterlassen|abmelden|austragen|abbestellen|abmeldung|abbestellung|stopp?|aufhören|löschen|entfernen|kein interesse,? (bitte )?(abmelden|austragen|löschen)|keine (mails|e-?mails|werbung|weiteren (e-?mails|mails|nachrichten|anfragen))( mehr)?",
  courtesies:
    "nein|nein danke|kein interesse|danke|mfg|gruß|grüße|ja|ok|endlich|pls|hier|mal|sehr geehrte damen und herren|moin|servus|bitte|danke|vielen dank|sofort|umgehend|hallo|guten tag|mich|uns|jetzt|herzlichen dank",
  together: [
    `(lösch…|loesch…|entfern…|streich…|nehm…|nimm|tilg…|vernicht…|austrag…|abmeld…|raus|herausnehm…|sperr…|gesperrt|gestrichen|gelöscht|entfernt|heraus|runter) & ${ME} & (aus|von|im|auf) … ${LIST}`,
    "(lösch…|löschung|loesch…|entfern…|vernicht…|tilg…|sperr…) & (sämtliche|alle|meine…|unsere…|personenbezogene…|person|gespeicherte…|mich|uns|mir) & (daten|adresse…|angaben|e-?mail…|mailadresse…|kontaktdaten|informationen|einträge)",
    "(setz…|nehm…|nimm|aufnehm…|schreib…|pack…) & (sperrliste|blacklist|robinson…|blockliste|sperrvermerk)",
    "(unterlass…|unterlaß…|einstell…|stell…|beend…|stopp…|aufhör…|hör…|hoer…|verzicht…|absehen|abzusehen|schluss|untersag…|verbiet…|verbitt…|verbeten|verboten|unterbinde…) & (zusendung…|zuschrift…|werbung|werbe…|mails?|e-?mails?|nachrichten|kontakt…|anschreiben|schreiben|belästig…|akquise…|anfragen|spam|newsletter|ansprache|post|kommunikation|mailerei|bombardement|erinnerungen)",
    "(kein…|nicht|nie…) & (wünsch…|möcht…|will|wollen|wünscht|gewünscht|erwünscht|brauch…|leg…|erbet…) & (werbung|mails?|e-?mails?|nachrichten|kontakt…|zusendung…|zuschriften|post|angebote|schreiben|angeschrieben|kontaktiert|informationen|anfragen|belästigt|newsletter|hören|wert)( (mehr|will|wollen|möchte|möchten|wünsche|von|bekommen|erhalten|an|zu|werden|ihrerseits|durch|per|$)|$)",
    "(nicht|nie|kein…) & (mehr|wieder|weiter…|länger|künftig…|zukünftig…|nochmal…|erneut|in zukunft) & (anschreib…|angeschrieben|kontaktier…|kontaktaufnahme…|belästig…|behellig…|zusend…|zuschick…|mailen|anmail…|gemailt|schreib…|schick…|send…|melden|meldet|anrufen|stören)( (sie|ihr|mich|mir|uns|bitte|werden|lassen|zu|möchte|will|an|als|per|und)|$)",
    "(dsgvo|ds-gvo|bdsg|uwg|datenschutz…|art|artikel|§) & (widersprech…|widerruf…|widerspruch|verlang…|forder…|mach… … gebrauch|mache … geltend|untersag…|lösch…|löschung|einwilligung)",
    "(kein…|ohne|nie) & (einwilligung|zustimmung|erlaubnis) & (erteilt|gegeben|vor|gehabt|haben|liegt)",
    "(widersprech…|widerspruch|untersag…|verbiet…) & (nutzung|verwendung|verarbeitung|speicherung|werbung|kontakt…|zusendung|direktwerbung|profiling|nutzen|verwenden)",
    "(vergess…|vergiss) & (adresse|e-?mail…|mailadresse|mich|nummer)",
    "(lass…|lasst) & (mich|uns) & (ruhe|frieden)",
  ],
  reasons: [
    "falsche(r|n)? (person|adresse|nummer|ansprechpartner…|empfänger)|(rentner|privat…|verwechs…|verstorben)|(nie|nicht) … (angemeldet|bestellt|zugestimmt|eingewilligt|angefordert)",
    "(zweit…|dritt…|viert…|fünft…|letzt…|x-?t…) (mal|aufforderung|bitte|mahnung)|(mehrfach|mehrmals|schon|bereits) … (gebeten|gesagt|geschrieben|mitgeteilt)|zum (zweiten|dritten|vierten|fünften|letzten|wiederholten)( mal)?",
    "spam|anwalt…|abmahn…|dsgvo|uwg|belästigung|anzeige|unerwünscht…|unerlaubt…|rechtlich…|gemeldet",
  ],
  offers: [
    "(höre|hör|melde|schreibe|schreib|lasse|lass|belästige|behellige|störe|mail|maile|kontaktiere|nehme|streiche|lösche) ich … (auf|nicht (mehr|weiter|wieder)|nie wieder|in ruhe|aus … (liste|verteiler))|(werde|will) ich … (nicht (mehr|wieder|weiter)|aufhören|in ruhe)|hören sie … (nichts|nie) … mehr|ich höre (dann )?auf|keine (mails?|nachrichten|weiteren …) mehr",
  ],
  yes: "(ja|jo|gern|gerne|genau|richtig|ok|okay|einverstanden|unbedingt|bitte|stimmt|korrekt)( (bitte|gern|gerne|genau|das|machen|mach|tun|tu|sie|so|darum|ich|bitten|wäre|ist|mir|uns|lieber|recht|nett|es|wie|angeboten|aufhören|unbedingt|dann|ja|hören|hör|auf|möchte|würde|nicht)){0,7}|(machen|mach|tun|tu) (sie )?(das|es)( bitte)?( so)?|(das )?wäre (mir |uns )?(sehr )?(lieb|recht|nett|lieber|gut|schön)|lieber nicht",
  asks: [
    `(^|… )kein… (werbung|mails?|e-?mails?|weiter… … ${MAIL}|post|zusendungen|anfragen|nachrichten)( mehr)? an (dies…|mein…|uns…|mich)|^(bitte |und |also |ab sofort |künftig )*kein… (weiter… |mehr )*(… )?${MAIL}( (mehr|bitte|danke|an|von|ihrerseits|erwünscht|senden|schicken|zusenden)( [^ ]+){0,3})*$`,
    "unterlass… … (jede…|jegliche…|weiter…|solche…|ihr…|diese…|künftig…)|(verbitte|verbitten) (ich )?(mir|uns)|(erwünscht|unerwünscht)$",
    `(bekomme|erhalte|kriege) (ich )?(immer noch|noch immer|trotzdem|weiterhin) … ${MAIL}|(immer noch|noch immer|schon wieder) … ${MAIL} (obwohl|trotz)`,
    "(schluss|genug|feierabend) (jetzt |damit|mit|nun)|es reicht( jetzt)?$|hören sie auf$|hör… (sie |ihr |du )?(bitte |endlich |sofort |doch )*auf (mit|damit|mir|uns|mich)|hör… (sie |ihr )?(bitte |endlich |sofort )*(damit |auf)( auf)?$|geben sie ruhe|verschonen sie (mich|uns)|verschont (mich|uns)|(schreib…|kontaktier…|mail…|belästig…) (sie |ihr )?(mir|mich|uns) (bitte )?nicht( an)?$|(möcht…|bitt…|wünsch…) … (nicht|keinen) … (kontaktiert|angeschrieben|kontakt|belästigt)( … werden| zu werden)?",
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
    "(unsere|unseren|ihre|euer) (kunden|mandanten)|ihr (tool|produkt|system)|ihre (software|lösung)|wir (bieten|beraten|verkaufen)",
    "(ich|wir) (kann|können|konnte|darf|werde|werden) … nicht mehr",
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
    "(ausgeschieden|in rente|im ruhestand|nicht mehr bei uns|in elternzeit)|übernehme|übernommen|nachfolge…|(?<!nicht )(schreiben|schreib|wenden) (sie )?(mir|sich) (bitte )?(direkt|künftig|ab jetzt)",
    "stattdessen|lieber|sondern|telefonisch|anrufen|rufen sie|ruf (mich|uns)|per (post|telefon|whatsapp)|andere adresse|an meine … adresse",
  ],
  hints: [
    "(weniger|seltener|nicht so) (oft|häufig|mails?|e-?mails?|davon)|seltener|schon wieder (sie|ihr|eine)|(nervt|nervig|lästig|reicht)|woher haben (sie|ihr)|(einmal|1x|1 mal) (im|pro) (monat|quartal|jahr)|nur (noch )?(wenn|bei)",
    "schreib… (sie |ihr )?(mir|uns) … (nicht mehr|nie wieder|erst)",
    "abmelden|abbestellen|austragen|abmeldung",
    "(nicht mehr|nie wieder|nicht weiter) … (schreiben|anschreiben|kontaktieren|mailen|kontaktiert|angeschrieben)",
    "dsgvo|uwg|abmahn…|unerwünscht…|unaufgefordert…|belästigung|spam",
    "woher haben sie mein…",
    "(aus|von) … (verteiler|mailingliste)",
  ],
};
