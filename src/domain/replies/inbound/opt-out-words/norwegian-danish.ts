import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?poste?r?|mails?|mailer|mailene|e-?mails?|meldinger|beskeder|henvendelser|nyhetsbrev|nyhedsbreve?|reklame|spam|tilbud|informasjon|information|brev|påminnelser|påmindelser|purringer)";
const MINE =
  "(meg|mig|oss|os|(min|mine|mitt|vår|våre|vores) (e-?post|e-?postadresse|mail|mailadresse|e-?mail|adresse|opplysninger|oplysninger|data|personopplysninger|kontaktinfo…)|denne adressen)";
const LIST =
  "(…liste[nr]?|listerne|listene|…register|registeret|database[nr]?|systemet|system|utsendelser|nyhetsbrevet|nyhedsbrevet|mailinglisten|kartotek|crm)";
const REMOVE =
  "(fjern…|slett|slette|slet|stryk|stryg|avmeld|afmeld|framelde?|meld|ta|tag|avregistrer|afregistrer)";
const WRITE = "(sende|skrive|kontakte|maile|spamme|plage|forstyrre|genere|e-?poste|henvende)";

export const norwegianDanish: OptOutWords = {
  alone:
    "slett meg|slet mig|slett min (e-?post|adresse)|fjern meg fra listen|nok|stopp det|stop det|hold opp|hold op|aldri mer|aldrig mere|ikke (send|skriv|kontakt) (mer|mere)|ikke kontakt (meg|mig)|unsubscribe|meld av|avmelde|afmelde|afmelding|afmeld mig|avslutt|afslut|ut|ud|la meg være|frabedes|avregistrer( meg)?|avmeld( (meg|oss))?|avmelding|afmeld( (mig|os))?|afmelding|frameld( mig)?|meld (meg|oss) av|stopp?|slutt|fjern( (meg|mig|oss|os))?|slett|slet|ingen flere (mails?|mailer|e-?poste?r?)|nei takk til (mer|flere)|avslutt abonnementet",
  courtesies:
    "nei takk|nej tak|ikke interessert|ikke interesseret|ingen interesse|mvh|hilsen|vh|ok|bare|goddag|venlig hilsen|fra listen|takk|tak|vennligst|venligst|hei|hej|nå|nu|straks|på forhånd|nej|nei|vær så snill",
  together: [
    "(ikke|aldri|aldrig) & (vil|ønsker|skal|ville) & (stå|være|finnes|findes|ligge|optræde|figurere) & (register…|liste…|database…|kartotek…|system…)",
    "(kast|smid|ødelegg|ødelæg) & (min|mitt|mit|mine|vår|vores|adressen|nummeret) & (adresse…|adressen|mail…|opplysninger|oplysninger|nummer…|navn…|min|mitt|mit)",
    "(hvis|en gang|næste|neste|én) & (mail…|skriv…|send…|kontakt…|e-?post…) & (anmeld…|block…|blokk…|advokat|spam|politi…)",
    "(slett|slet|fjern|stryk|stryg) & (hans|hennes|hendes|deres) & (adresse…|navn…|opplysninger|oplysninger|mail…|nummer)",
    "(sletting|sletning|fjerning|fjernelse|avmelding|afmelding) & (liste…|register…|opplysninger|oplysninger|adresse…|utsend…|udsend…) & (ber|beder|krever|kræver|ønsker|anmoder|vil|bedes)",
    "(ville|vil|vær…|være|takknemlig…|taknemmelig…|ber|beder|bedes|ønsker|krever|kræver|hilser|vennligst|venligst|må|skal|sett pris|sætter pris) & (slutt…|stop…|stopp…|slippe|ikke|ingen|aldri|aldrig|la være|lad være|avstå|undlad…|undlate|spar|skån) & (mail…|e-?post…|skriv…|send…|kontakt…|reklame…|høre|henvend…|meldinger|beskeder|tilbud|motta|modtage|få) & (mer|mere|flere|oss|os|meg|mig|hit|hertil|igjen|igen|lenger|længere|til|fra|dette|dere|jer|slik…|sådan…)",
    "(spar|skån) & (meg|mig|oss|os|ham|hende|henne) & (mail…|e-?post…|reklame|meldinger|beskeder|for|flere|mer|mere)",
    "(fjern|slett|slet|stryk|stryg|ta|tag) & (skolen|kontoret|foreningen|klinikken|firmaet|butikken|kirken|barnehagen|børnehaven|far|mor|sjefen|chefen|adressen|navnet) & (fra|av|af|ut|ud) & (…liste…|register…|database…|deres|jeres|system…|utsend…|udsend…)",
    "(navn…|adresse…|mail…|opplysninger|oplysninger|nummer) & (mitt|mit|min|mine|vårt|vores|denne|dette) & (bort|væk|vekk|slettes|slettet|fjernes|fjernet|forsvinne|forsvinde) & (liste…|register…|system…|skal|vil|må|deres|jeres|fra|takk|tak)",
    "(lad|lade|la|late|undlad|undgå|unngå|hold|holde|stop|stopp|gider|gidder) & (være|vere|op|opp|med|at|å|venligst|vennligst) & (skrive|sende|maile|kontakte|ringe|henvende|spamme|plage|forstyrre|e-?poste)( (til|mig|meg|oss|os|mer|mere|flere|det|disse|her|hit|hertil|igen|igjen|min|mine|mitt|vores|vår|våre|så|det her|$)|$)",
    "(slett|slet|fjern|destruer) & (alt|alle) & (om (meg|mig|oss|os)|(i|dere|du) (har|lagrer|opbevarer)|lagret|gemt|opplysninger|oplysninger)",
    "(ta|tag|fjern|slett|slet|stryk|stryg|ryd) & (meg|mig|oss|os|denne adressen|denne adresse|min adresse|ham|henne|hende) & (bort|av|af|vekk|væk|ut|ud|herfra|derfra|fra)( (her|der|liste…|dette|det|den|deres|jeres|listen|takk|tak|$)|$)",
    `(fjern…|slett…|slet|slettes|stryk…|stryg…|tag|ta|meld…|afmeld…|avmeld…|framelde…|avregistrer…|slette) & ${MINE} & (fra|av|af|på|ut av|ud af) … ${LIST}`,
    "(slett…|slet…|fjern…|destruer…|slette|sletting|sletning) & (min|mine|mitt|mit|vår|våre|vores|vore) & (opplysninger|oplysninger|data|adresse…|mail…|e-?post…|personopplysninger|personoplysninger|kontakt…|navn|nummer)",
    "(sett|sæt|legg|læg|før) & (svartelist…|sortlist…|reservasjon…|blokkering…|blokerings…|sperreliste…|spærreliste…|robinson…)",
    "(stopp|stop|stoppe|stans|slutt|slut|opphør|ophør|hold op|avslutt|afslut|avstå|undlad|lad være|la være|innstill|indstil|kutt|krever|kræver|nok) & (med|utsending…|udsendelse…|mail…|e-?post…|sende|skrive|kontakt…|henvendelse…|spam…|reklame…|meldinger|beskeder|påminnelser|påmindelser|markedsføring|mase|plage)( (til|meg|mig|oss|os|nå|nu|fra|umiddelbart|straks|øyeblikkelig|her|hertil|hit|at|å|og|med|det|de|disse|dette|$)|$)",
    "(ikke|ingen|aldri|aldrig|frabe…|frabed…|slippe) & (vil|ønsker|ønskes|ber|beder|bedes|frabe…|trenger|behøver|skal|slippe|takker|undgå) & (mail…|e-?post…|henvendelse…|kontakt…|høre|motta…|modtage|få|sende|reklame|meldinger|beskeder|forstyrres|kontaktet|ha|have|stå|utsend…|udsend…)( (mer|mere|fra|av|af|flere|videre|i|lenger|længere|framover|fremover|på|$)|$)",
    "(ikke|ingen|aldri|aldrig) & (mer|mere|flere|fler|igjen|igen|lenger|længere|videre|framover|fremover|fremtiden|framtiden) & (mail…|e-?post…|send…|kontakt…|skriv…|henvend…|meldinger|beskeder|plag…|forstyrr…|reklame)",
    "(glem|mist|slett|slet) & (min|mitt|mine|mit) & (mail…|adresse…|e-?post…|nummer|navn)",
    "(ikke|uten|uden|aldri|aldrig|trekker|trækker|ingen) & (samtykke…|tillatelse|tilladelse) & (gitt|givet|mitt|mit|jeg|vårt|vores|har|tilbake|tilbage)",
  ],
  rights: [
    "(gdpr|personvern…|persondata…|datatilsyn…|markedsføringsloven|artikkel|artikel|art|lov|forbrukertilsyn…|forbrugerombud…) & (innvend…|indsig…|indsigelse|protest…|trekk…|tilbage…|slett…|slet…|krev…|kræv…|samtyk…|anmeld…|klage…|gjør|gør|rett|ret)",
    "(motsetter|modsætter|protesterer|innvendinger|indsigelse) & (behandling…|bruk…|brug…|markedsføring…|profilering)",
  ],
  reasons: [
    "(feil|forkert…|gal) (person|adresse|nummer|mottaker|modtager|mann|mand|dame)|(privatperson|privat…|pensjonist|pensionist)|(aldri|aldrig|ikke) … (meldt|tilmeldt|bedt|samtykket|bestilt)",
    "(andre|anden|tredje|fjerde|femte|siste|sidste|2|3) gang|(allerede|flere ganger|flere gange|to ganger|to gange|tre) … (sagt|bedt|skrevet)",
    "spam|søppelpost|gdpr|datatilsyn…|advokat|anmeld…|trakassering|chikane|ulovlig…|uønsket…|politi…|rapportert|rapporteret",
  ],
  offers: [
    "(slutter jeg|stopper jeg|så stopper|så slutter|jeg stopper|jeg slutter|hører du ikke|skriver jeg ikke|lar jeg|lader jeg|skal jeg (la|ikke|nok)|fjerner jeg|ikke … (skrive|sende|kontakte|plage|forstyrre|høre))",
  ],
  yes: "(ja|jo|jepp|gjerne|gerne|ok|okay|absolutt|absolut|nettopp|netop|stemmer|fint|godt|helt|riktig|rigtigt)( (takk|tak|gjerne|gerne|gjør|gør|det|slik|sådan|helst|ja|vil|jeg|vi|foretrekker|foretrækker|stopp|stop|er|fint|hadde|vært|ville|være|bra|dejligt|venligst|vennligst|enig|da|endelig|meget|heller|hellere|ikke)){0,7}|(gjør|gør) (det|slik|sådan)( takk| tak| gjerne| gerne)*|helst( ikke| det)?( takk| tak)?|det (hadde|ville) … (fint|best|bedst|bra|dejligt|rart)",
  asks: [
    `^(vennligst |venligst |takk |tak |nå |nu |og )*(ingen|ikke|slutt på|slut med|nok) … ${MAIL}( (takk|tak|mer|mere|til|hit|fra|på)( [^ ]+){0,4})?$`,
    `(får|modtager|mottar) … (fortsatt|fremdeles|stadig|stadigvæk|ennå) … (${MAIL}|disse|dem|jeres|deres)|(fortsatt|fremdeles|stadig) … ${MAIL}`,
    "^(vennligst |venligst |nå |nu |og |bare )*(hold opp|hold op|gi dere|gi deg|hold kjeft|forsvinn|forsvind|nå er det nok|nu er det nok|nok nå|nok nu|skrid|kutt ut|legg av|drop det|lad være|la være)( (nå|nu|med det|med dette|med det her|takk|tak|straks|umiddelbart|snart|så))*$|(la|lad) (meg|mig|oss|os|ham|henne|hende) (være|vere)( i fred)?",
    "(frabeder|frabe) … (sig|seg|mig|meg|os|oss)|(frabedes)",
    "(ber|beder|vil|ønsker|krever|kræver) … (ikke|aldri|aldrig|slippe) … (kontakt…|mail…|utsend…|forstyrr…|høre|få|bli|blive|stå|modtage|motta)",
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
    "papir",
    "(våre|vores|deres|jeres) (kunder|verktøy|værktøj|produkt|system)|vi (tilbyr|tilbyder|selger|sælger)",
    "(trenger|behøver|mangler) (ikke|ingen) (noe|noget|flere|mere?)",
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
    "(?<!ikke )skriv til (meg|mig)|overtar|overtager|har sluttet|er stoppet|etterfølger|efterfølger|pensjon|pension",
    "heller|hellere|i stedet|istedenfor|ring (meg|mig|heller)|ringe|på (telefon|whatsapp)|annen adresse|anden adresse",
  ],
  hints: [
    "(færre|mindre|sjeldnere|sjældnere|ikke så) (ofte|mail|e-?post|tit|af)|sjeldnere|sjældnere|(en|én|1) gang (i|om|per) (måneden|måned|kvartalet|året)|(lei|træt|irriterende|trættende)|(bare|kun) (hvis|når|ved)",
    "avmeld…|afmeld…|frameld…|meld(e)? meg av",
    "ikke (send|kontakt|skriv|mail)|(send|kontakt) (meg|mig) ikke",
    "gdpr|spam|uønsket…",
    "fjern (meg|mig|oss|os)",
    "hvor har (du|dere|i) (fått|fået) (min|mitt)",
  ],
};
