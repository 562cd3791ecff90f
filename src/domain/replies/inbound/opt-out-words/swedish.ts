import type { OptOutWords } from "./language.ts";

const MAIL =
  "(mejl|mail|mails|e-?post|e-?mail|meddelanden?|utskick|nyhetsbrev|reklam|spam|erbjudanden?|information|brev|påminnelser|uppföljningar|säljmejl)";
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
    "radera( mig| oss| mina uppgifter)?|bort|ta bort( mig från listan)?|lägg av|nog|nog nu|det räcker|upphör|inget mer|inga mer|avregistrering tack|unsubscribe|avsluta allt|stoppa( utskicken)?|låt mig vara|spärra( mig)?|tag bort( mig| oss)?|aldrig mer|kontakta mig inte|mejla inte( mer)?|maila inte( mer)?|avbeställ( mig)?|avbeställa|avregistrera( (mig|oss))?|avregistrering|avprenumerera|avanmälan|avanmäl( (mig|oss))?|avsluta( (prenumerationen|prenumeration|utskicken))?|stopp?|sluta( (mejla|maila|skicka|spamma))?|ta bort (mig|oss)|inga fler (mejl|mail|utskick)|stryk (mig|oss)",
  courtesies:
    "nej|nej tack|inte intresserad|inget intresse|mvh|hälsningar|ok|bara|hejsan|god dag|från listan|er|tack|snälla|vänligen|hej|nu|omedelbart|genast|på förhand|var vänlig|är ni snälla",
  together: [
    "(inte|ej|aldrig) & (vill|önskar|ska|skall) & (finnas|stå|vara|ligga|förekomma|vara med) & (register…|lista…|listor|databas…|utskick…|system…)",
    "(släng|kasta|förstör|gör er av med) & (min|mitt|mina|vår|vårt|våra) & (adress…|mejl…|uppgifter|nummer|namn|kontaktuppgifter)",
    "(om|en gång|ett mejl|nästa) & (mejl…|mail…|skriv…|skicka…|kontakt…) & (anmäl…|block…|advokat|spam|polis)",
    "(ta bort|radera|stryk|plocka) & (hans|hennes|deras) & (adress…|namn|uppgifter|mejl…|nummer)",
    "(borttagning|radering|avregistrering|strykning) & (lista…|register…|uppgifter|adress…|utskick…) & (begär…|ber|önskar|kräver|vill|tack)",
    "(skulle|vore|tacksam…|uppskatta…|ber|vill|önskar|kräver|hälsar|låt|snälla|vänligen|tack|måste) & (sluta…|upphör…|slippa|slipper|inte|inga|inget|ej|aldrig|låta bli|låt bli|avstå…|bespara|skona) & (mejl…|mail…|skriv…|skicka…|kontakt…|utskick…|reklam…|höra|hör|få|meddelanden|brev|e-?post…) & (mer|fler|flera|oss|mig|hit|igen|längre|till|från|era|det här|sånt|sådant|framöver)",
    "(bespara|skona|slipp|förskona) & (mig|oss|honom|henne) & (mejl|mail|utskick|reklam|era|fler|från|meddelanden|det här)",
    "(ta|tag|stryk|plocka|radera|lyft) & (skolan|kontoret|föreningen|mottagningen|företaget|butiken|kyrkan|min pappa|min mamma|chefen|hen|adressen|vår adress|namnet) & (bort|ur|från) & (…lista…|register…|databas…|utskick…|er|ert|era|bort)",
    "(mitt|min|mina|vårt|våra|det här) & (namn|adress…|mejl…|uppgifter|nummer) & (bort|försvinn…|raderas|raderad…|strykas|tas bort|väck|ur) & (lista…|register…|system…|ska|vill|måste|era|ert|er|tack|från)",
    "(ta|tag|plocka|stryk|radera|släng|lyft|kasta) & (mig|oss|den här adressen|min adress|vår adress|min mejl…|honom|henne) & (bort|ur|från|härifrån|därifrån)",
    "(radera|ta bort|förstör|rensa|stryk) & (allt|alla|samtliga) & (om mig|om oss|ni har|du har|sparat|lagrat|uppgifter)",
    "(hälsar|meddelar|ber mig|låter hälsa|vill att|önskar|undanber…|avböjer) & (inte|inga|inget|ej|aldrig|slippa|fler) & (mejl|mail|utskick|reklam|erbjudanden|kontakt…|få|ha|skicka…|brev|meddelanden)",
    `(ta|tag|stryk…|radera…|avregistrera…|plocka|avlägsna…|lyft|spärra…|blockera…|avprenumerera|sätt|tas|bort) & ${MINE} & (från|ur|på) … ${LIST}`,
    "(radera…|ta|stryk…|avlägsna…|förstör…|rensa|ta bort|borttag…|radering) & (min|mina|mitt|vår|våra|vårt) & (uppgifter|data|adress…|mejl…|mail…|e-?post…|personuppgifter|kontaktuppgifter|namn|nummer)",
    "(sätt|lägg|för) & (spärrlista…|blocklista…|svarta listan|svartlista|nix…)",
    "(sluta…|upphör…|stoppa…|stopp|avbryt…|avsluta…|lägg|låt bli|avstå…|kräver|avhåll…|håll upp|nog|slut) & (mejl…|mail…|utskick…|skicka…|skriv…|kontakta…|spam…|reklam…|höra|påminnelser…|meddelanden…|erbjudanden…|marknadsföring…|e-?post…|störa|tjata|säljmejl…|kontakt…)( (till|med|oss|mig|nu|era|er|omedelbart|att|genast|hit|det|de|och|som|$)|$)",
    "(inte|inga|inget|ingen|aldrig|ej|undanber…|avböj…|slipp…) & (vill|önskar|behöver|ber|vänligen|undanber…|avböj…|begär|kräver|vd…|slippa|slipper) & (mejl|mail|utskick|kontakt…|höra|skicka…|reklam|meddelanden|få|motta|e-?post|erbjudanden|störd|störas|kontaktad|bli)( (mer|från|av|fler|vidare|flera|i|längre|framöver|era|$)|$)",
    "(inte|inga|inget|aldrig|ej) & (mer|fler|flera|igen|längre|vidare|fortsättningsvis|framöver|framtiden) & (mejla…|maila…|mejl|mail|skicka…|kontakta…|skriv…|hör av|utskick|störa…|kontakt)",
    "(glöm|tappa|släng) & (min|mitt|mina|vår) & (mejl…|mail…|adress…|e-?post…|nummer|uppgifter)",
    "(inget|utan|aldrig|återkall…|drar) & (samtycke…|godkännande|medgivande) & (gett|mitt|mig|jag|lämnat|vårt|givit|har|tillbaka)",
  ],
  rights: [
    "(gdpr|dataskydd…|imy|marknadsföringslagen|artikel|art|lag|lagen) & (invänd…|återkall…|radera…|begär|kräver|samtyck…|motsätter|anmäl…|raderade|åberopar|rätt)",
    "(invänd…|motsätter|motsätt…) & (behandling…|användning…|direktmarknadsföring…|marknadsföring…|profilering|kontakt…)",
  ],
  reasons: [
    "fel (person|adress|nummer|mottagare|man|kvinna)|(privatperson|privat…|pensionär)|(aldrig|inte) … (anmält|bett|registrerat|prenumererat|samtyckt|godkänt)",
    "(andra|tredje|fjärde|femte|sista|2:a|3:e|tionde) (gången|påminnelsen|varningen|mejlet)|(redan|flera gånger|två gånger|tre gånger) … (sagt|bett|skrivit)",
    "spam|skräppost|gdpr|imy|advokat|anmäl…|trakasseri…|olaglig…|oönskad…|polis…",
  ],
  offers: [
    "(slutar jag|slutar vi|så slutar|jag slutar|hör jag inte av|mejlar jag inte|skriver jag inte|lämnar jag|ska jag inte|tar jag bort|inte … (mejla|skriva|höra av|störa)|låter jag)",
  ],
  yes: "(ja|jo|japp|gärna|ok|okej|absolut|precis|stämmer|bra|visst|exakt|tack)( (tack|gärna|gör|det|så|snälla|vänligen|helst|ja|precis|vill|jag|vi|föredrar|sluta|bra|är|blir|vore|bäst|skönt|då|mycket|absolut|det vore|inte)){0,7}|gör (det|så)( tack| gärna)*|helst( inte| det)?( tack)?|det vore (bra|skönt|bäst|snällt)( tack)?",
  asks: [
    "vill inte (längre )?(ha|få) (sånt|sådant|sådana|det här|detta|dessa|er|era)",
    `^(snälla |vänligen |tack |nu |och )*(inga|inget|nog med|slut på|stopp för) … ${MAIL}( (tack|mer|till|hit|från|på)( [^ ]+){0,4})?$`,
    `(får|fortfarande) … (fortfarande|får) … (${MAIL}|era|dessa|det här)|(fortfarande|ännu) … ${MAIL}`,
    "^(snälla |nu |men |och |bara )*(sluta|upphör|lägg av|lägg ner|nu räcker det|det räcker|ge er|dra åt|försvinn|stick|låt bli|nog nu)( (nu|med det här|med detta|tack|omedelbart|genast|någon gång|snälla|med det))*$|låt (mig|oss|henne|honom) vara|lämna (mig|oss|henne|honom) (i fred|ifred)",
    "(undanber|avböjer|avsäger|motsätter) (sig|mig|oss) … (kontakt|mejl|utskick|reklam|vidare|fler|all|ytterligare|mail)",
    "(ber|vill|önskar|begär|kräver) … (inte|ej|aldrig|slippa) … (kontaktas|kontaktad|mejl|mail|utskick|störas|höra|få|bli)",
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
    "papper",
    "(våra|era) kunder|ert (verktyg|system)|er (tjänst|produkt)|vi (erbjuder|säljer)",
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
    "(?<!inte )skriv till mig|tar över|har slutat|har gått i pension|efterträdare",
    "i stället|istället|hellre|ring (mig|oss|i|gärna)|ringa|per telefon|på whatsapp|annan adress",
  ],
  hints: [
    "(färre|mindre|glesare|mer sällan|inte så) (ofta|mejl|mail|utskick|av)|glesare|mer sällan|(en|1) gång (i|per) (månaden|månad|kvartalet|kvartal|året|år)|(trött|less|tjatigt|jobbigt)|(bara|endast) (om|när|vid)|igen nu",
    "avregistrer…|avprenumer…|avanmäl…",
    "inte (… ){0,2}(mejla|maila|kontakta|skicka)|(mejla|maila|kontakta|skicka) (mig |oss )?inte",
    "gdpr|spam|oönskad…",
    "ta bort (mig|oss)",
    "var har ni fått (min|mitt)",
  ],
};
