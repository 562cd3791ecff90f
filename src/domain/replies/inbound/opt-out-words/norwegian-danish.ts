import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?poste?r?|mails?|mailer|mailene|e-?mails?|meldinger|beskeder|henvendelser|nyhetsbrev|nyhedsbreve?|reklame|spam|tilbud|informasjon|information|brev)";
const MINE =
  "(meg|mig|oss|os|(min|mine|mitt|vår|våre|vores) (e-?post|e-?postadresse|mail|mailadresse|e-?mail|adresse|opplysninger|oplysninger|data|personopplysninger|kontaktinfo…)|denne adressen)";
const LIST =
  "(…liste[nr]?|listerne|listene|…register|registeret|database[nr]?|systemet|system|utsendelser|nyhetsbrevet|nyhedsbrevet|mailinglisten|kartotek|crm)";
const REMOVE =
  "(fjern…|slett|slette|slet|stryk|stryg|avmeld|afmeld|framelde?|meld|ta|tag|avregistrer|afregistrer)";
const WRITE = "(sende|skrive|kontakte|maile|spamme|plage|forstyrre|genere|e-?poste|henvende)";

export const norwegianDanish: OptOutWords = {
  alone:
    "avmeld( (meg|oss))?|avmelding|afmeld( (mig|os))?|afmelding|frameld( mig)?|meld (meg|oss) av|stopp?|slutt|fjern( (meg|mig|oss|os))?|slett|slet|ingen flere (mails?|mailer|e-?poste?r?)|nei takk til (mer|flere)|avslutt abonnementet",
  courtesies: "takk|tak|vennligst|venligst|hei|hej|nå|nu|straks|på forhånd|nej|nei|vær så snill",
  asks: [
    "vil ikke (at|ha at) (dere|du|i) … (sender|skriver|kontakter|mailer)",
    `(vil|ønsker|ønskes) ikke (… )?(ha|have|motta|modtage|få) (flere|mer|mere|noen|nogen)? ?${MAIL}`,
    `stop (med )?(de|disse|jeres|dine|at sende|å sende|den|det) … ${MAIL}|stop med at (skrive|maile|kontakte)( …){0,2}`,
    `send (meg|mig|oss|os)? ?(ikke|aldrig|aldri) (flere|mer|mere)( ${MAIL})?`,
    "stop med at (skrive|sende|maile)( …){0,3}",
    `${REMOVE} ${MINE}( (takk|tak|nå|nu|straks|omgående|venligst))*( (fra|av|ut av) … ${LIST}|$)`,
    `(slett|slette|slet|fjern|fjerne) (min|mine|mitt|vår|våre|vores) … (adresse|e-?postadresse|data|opplysninger|oplysninger|mailadresse|mail|e-?post|personopplysninger)`,
    "(avmeld|afmeld|frameld) (meg|mig|oss|os)|meld (meg|oss) av|(afmelde|framelde) (mig|os)",
    `(slutt|slut|stop|stopp|hold op|lad være) (nå |nu |venligst )?(med )?(å |at )${WRITE}( …){0,2} (meg|mig|oss|os|${MAIL}|hit|hertil)`,
    `(slutt|stop|stopp|hold op) (med )?(å |at )(kontakte|maile|spamme|plage)`,
    `(ikke|aldri|aldrig) (send|kontakt|skriv|mail|forstyrr|ring)( …){0,2} (meg|mig|oss|os|flere|mer|mere|igen|igjen|${MAIL})`,
    `(send|kontakt|skriv|mail|forstyrr|forstyr)( …){0,2} (ikke|aldri|aldrig)( …){0,2} (igen|igjen|mer|mere|flere|lenger|længere|${MAIL})`,
    `(kontakt|mail|forstyrr|forstyr) (meg|mig|oss|os) (ikke|aldri|aldrig)`,
    `(ønsker|vil|behøver|trenger) (ikke|ingen) (lenger |længere )?(å |at )?(… )?(motta|modtage|få|bli kontakt…|blive kontakt…|ha|have|høre|stå|flere|mer|mere|${MAIL})( …){0,3}( ${MAIL}| fra (dere|jer|deg|dig)|$| mer| mere| på … ${LIST})`,
    `(ønsker|vil) ikke (… ){0,3}(kontakt…|kontaktet)`,
    `(ønsker|vil gjerne|vil gerne|kan jeg) (å |at )?(… )?(melde meg av|afmeldes|avmeldes|fjernes|slettes|afmelde mig|bli fjernet|blive fjernet|framelde mig)`,
    `^(vennligst |venligst )?ingen (flere|fler) ${MAIL}( takk| tak| fra (dere|jer))*$`,
    "la (meg|oss) være i fred|lad (mig|os) være i fred",
    "hvordan (melder jeg meg av|afmelder jeg|avmelder jeg)",
    "frabe(r|der) (meg|mig|oss|os)",
  ],
  other: [
    "ikke (slett|slet|fjern|meld|stryk)|når som helst|konto…",
    "(vi|jeg) vil (gerne |gjerne )?(stoppe|slutte)|gamle (aftale|avtale)|side to|kampanjen|kampagnen|ring ikke|ikke ring",
    "(kopi|kopifeltet|cc|møtet|mødet|arrangement…|gjestelisten|gæstelisten|ventelisten|invitasjon…|invitation…|kalender|webinar|bildet|billedet|logo|logoen|avsnitt|afsnit|kontrakten|punkt)",
    "(brukere|brukerne|brugere|brugerne|kunder|mottakere|modtagere|abonnenter|leads|folk|de)( …){0,4} (av|afmelder|melder|avmelder|frameld…|slutter|vil)",
    "(afmelder|avmelder|melder) (sig|seg)|(avmeldings|afmeldings)…|(jeres|deres) (afmelding|avmelding)",
    "(trenger|behøver|skal) (ikke )?(å |at )?(ikke )?(fjerne|slette|avmelde|afmelde)|stop ikke|slutt ikke|ikke (stop|slutt|afmeld|avmeld)",
    "vi (sender|har|mailer|skriver)|jeg har ikke (fått|fået|modtatt|modtaget)|jeg får ikke|melde avbud",
    "slutt å (bekymre|tenke|jobbe)|hold op med at (bekymre|tænke)",
  ],
  narrower: [
    "før|inntil|indtil|foreløpig|foreløbig|denne (uken|måneden|uge|måned)",
    "så (ofte|mange)|pdf…|vedlegg|bilag|faktura…",
  ],
  elsewhere: [
    "heller|hellere|i stedet|istedenfor|ring (meg|mig|heller)|ringe|på (telefon|whatsapp)|annen adresse|anden adresse",
  ],
  hints: [
    "avmeld…|afmeld…|frameld…|meld(e)? meg av",
    "ikke (send|kontakt|skriv|mail)|(send|kontakt) (meg|mig) ikke",
    "gdpr|spam|uønsket…",
    "fjern (meg|mig|oss|os)",
    "hvor har (du|dere|i) (fått|fået) (min|mitt)",
  ],
};
