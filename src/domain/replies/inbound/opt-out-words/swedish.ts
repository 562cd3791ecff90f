import type { OptOutWords } from "./language.ts";

const MAIL =
  "(mejl|mail|mails|e-?post|e-?mail|meddelanden?|utskick|nyhetsbrev|reklam|spam|erbjudanden?|information|brev)";
const MINE =
  "(mig|oss|(min|mina|vår|våra) (e-?post|e-?postadress|mejl|mail|mejladress|mailadress|adress|adresser|uppgifter|personuppgifter|data|kontaktuppgifter)|den här adressen)";
const LIST =
  "(…lista|listan|…listor|register|registret|databas|databasen|sändlista|mejllista|utskick|system|crm|nyhetsbrev|nyhetsbrevet)";
const REMOVE =
  "(ta bort|tag bort|plocka bort|stryk|radera|avregistrera|avprenumerera|avanmäl|ta|plocka|avlägsna)";
const WRITE =
  "(mejla|maila|mejlar|mailar|skicka|skriva|skriv|skickar|kontakta|kontaktar|spamma|höra av|hör av|störa|stör|e-?posta|bearbeta)";

export const swedish: OptOutWords = {
  alone:
    "avregistrera( (mig|oss))?|avregistrering|avprenumerera|avanmälan|avanmäl( (mig|oss))?|avsluta( (prenumerationen|prenumeration|utskicken))?|stopp?|sluta( (mejla|maila|skicka|spamma))?|ta bort (mig|oss)|inga fler (mejl|mail|utskick)|stryk (mig|oss)",
  courtesies: "tack|snälla|vänligen|hej|nu|omedelbart|genast|på förhand|var vänlig|är ni snälla",
  asks: [
    "vill inte (att ni|att du) … (mejlar|mailar|kontaktar|skriver|skickar)",
    `(skicka|mejla|maila) (mig |oss )?(ingenting|inget|inte något)( …)?( mer)?( tack|$)`,
    "(jag|vi) (vill|önskar) (inte|ej) bli (kontakt…|uppringd|störd…|mejlad…)",
    "(kan|kunde) (du|ni) (… )?(ta bort|stryka|avregistrera|plocka bort|radera) (mig|oss|min…|mitt) … (från|ur) … (utskicket|utskick|listan|lista|registret|register|databas…)",
    `${REMOVE} ${MINE}( bort)?( (tack|snälla|nu|omedelbart|genast))*( (från|ur) … ${LIST}|$)`,
    "(avregistrera|avprenumerera|avanmäl) (mig|oss)",
    `(radera|ta bort|stryk) (min|mina|vår|våra) … (uppgifter|data|adress|mejladress|e-?postadress|mailadress|personuppgifter)`,
    `sluta (att )?${WRITE} (… ){0,3}(mig|oss|mejl|mail|utskick|spam|hit|reklam|det här|era)`,
    `sluta (att )?(mejla|maila|kontakta|spamma|störa)( mig| oss| mer)?`,
    `(skicka|mejla|maila|kontakta|skriv|hör|stör) (… ){0,2}(inte|inget|inga|aldrig) (… ){0,2}(mer|fler|igen|längre|av er igen|mejl|mail|utskick)`,
    `(skicka|mejla|maila|kontakta) (mig|oss) (inte|aldrig)( mer| igen| längre)?`,
    `(vill|önskar|behöver) (inte|ej) (längre )?(… )?(få|ha|motta|bli kontaktad…|bli kontaktade|bli uppringd|höra|prenumerera) …( ${MAIL}| mer| från er|$)`,
    `(vill|önskar|behöver) (inte|ej) … (fler|mer|era|längre) … ${MAIL}`,
    `(vill|önskar|undanber) (mig |oss )?(bli borttag…|bli avregistrerad…|bli struk…|avregistrera mig|avsluta|avanmäla|fler|vidare|ytterligare|mer) …( prenumeration…| utskick…| kontakt…| mejl| mail|$)`,
    `^(vänligen |snälla )?inga (fler|mer) ${MAIL}( tack| från er)*$`,
    "avsluta (min |vår )?(prenumeration…|utskick…)",
    "låt (mig|oss) vara|lämna (mig|oss) i fred",
    "hur (avregistrerar|avslutar|avanmäler) (jag|vi)",
    "undanb(er|eder) (mig|oss)",
  ],
  other: [
    "(ta|stryk|radera|avregistrera) (mig |oss )?inte|ta inte bort|när som helst|konto",
    "vi vill sluta|ring inte|gamla avtalet|kampanjen",
    "(kopia|kopian|cc|mötet|möte|event|gästlistan|väntelistan|väntelista|inbjudan|kalender|webbinar…|bild|bilden|logga|loggan|stycket|avtal|avtalet)|punkt \\d…",
    "(användare|kunder|mottagare|prenumeranter|leads|kontakter|folk|de)( …){0,4} (avregistrera…|avprenumer…|slutar?|vill|avanmäl…)",
    "avregistrerar sig|avregistrering…(länk|sida|knapp|grad)…|er avregistrering…|avregistreringslänk…",
    "behöver inte ta|behöver inte (avregistrera|stryka|radera)|sluta (aldrig|inte)|inte (avregistrera|sluta)",
    "vi (skickar|har|mejlar|mailar|skriver)|jag har inte (fått|sett)|jag får inte|har inte fått|vänta längre",
    "sluta (oroa|tänka|jobba|fundera)",
  ],
  narrower: [
    "förrän|innan|till(s)? (januari|efter|dess)|tills|just nu|för tillfället|den här (veckan|månaden)",
    "så (ofta|många)|pdf…|bilagor|fakturor",
  ],
  elsewhere: [
    "i stället|istället|hellre|ring (mig|oss|i|gärna)|ringa|per telefon|på whatsapp|annan adress",
  ],
  hints: [
    "avregistrer…|avprenumer…|avanmäl…",
    "inte (… ){0,2}(mejla|maila|kontakta|skicka)|(mejla|maila|kontakta|skicka) (mig |oss )?inte",
    "gdpr|spam|oönskad…",
    "ta bort (mig|oss)",
    "var har ni fått (min|mitt)",
  ],
};
