import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mails?|mails?|mailtjes|mailings?|berichten|berichtjes|nieuwsbrie(f|ven)|reclame|spam|post|aanbiedingen|informatie|contact|acquisitie)";
const MINE =
  "(mij|me|ons|(mijn|m'n|onze|ons) (e-?mail|mail|adres|e-?mailadres|mailadres|naam|gegevens|data|contactgegevens)|dit (adres|mailadres|e-?mailadres))";
const LIST =
  "(…lijst|…lijsten|mailinglist|…bestand(en)?|database|systeem|mailing|nieuwsbrief|crm|verzendlijst|administratie|contacten)";
const WRITE =
  "(mailen|te mailen|schrijven|sturen|toesturen|benaderen|contacteren|te contacteren|te benaderen|te sturen|te schrijven|te bestoken|spammen|lastigvallen|lastig te vallen|contact op te nemen|contact opnemen|gecontacteerd|benaderd|gemaild|e-?mailen)";

export const dutch: OptOutWords = {
  alone:
    "afmelden|uitschrijven|afmelding|uitschrijving|stop|stoppen|verwijderen|verwijder (mij|me)|schrijf (mij|me) uit|(haal|haalt u) (mij|me) eraf|haal eraf|opzeggen|niet meer (mailen|sturen|contacteren|benaderen|schrijven)|geen (mails?|e-?mails?|berichten|reclame)( meer)?|van de lijst( (af|halen))?|uit de lijst( halen)?|eraf",
  courtesies:
    "graag|gaarne|niet geïnteresseerd|geen interesse|aub|a u b|alsjeblieft|alstublieft|svp|dank|bedankt|dank u|dank je|hallo|direct|nu|mij|me|ons|per direct|gelieve|liever|mvg|groet",
  asks: [
    "(wil|wens|wensen|willen) (dit|deze|dat|die|zulke|hier) … (niet|niets) (meer|langer) … (ontvangen|krijgen|hebben)",
    "niet (meer )?(benaderen|mailen|contacteren|bellen of mailen)( aub| alstublieft| svp| graag)*$",
    "(stuur|mail|zend) (mij |me |ons )?(dit|deze|dat|zulke|zoiets) (… )?niet meer",
    "(wil|willen) niet dat (je|u|jullie) (mij|me|ons) (mail…|benader…|contact…|schrijf…)",
    `(stuur|stuurt|mail|mailt|zend|schrijf) (u )?(mij|me|ons) (… )?(niks|niets|nooit) (meer)?`,
    `(kun|kunt|kan|wil|wilt|zou|zouden|willen) (je|u|jullie|ge) … (stoppen|ophouden) met … ${WRITE}`,
    "(hou|houd) (… )?(hiermee|ermee|daarmee) op|stop hiermee|stop ermee",
    "(geïnteresseerd|interesse|behoefte) … (graag )?(verwijderen|uitschrijven|afmelden|schrappen)",
    `(wens|wil|wensen|willen) (… )?geen (… ){0,2}${MAIL} (… )?(te )?(ontvangen|krijgen)`,
    "(doe|zet) (mij|me|ons) (… )?van de(ze)? lijst( af)?",
    "zie… (graag )?af van (verdere )?(mails?|contact|berichten)",
    `(verwijder…|haal|haalt|halen|schrap…|wis|streep|gooi) (u )?(aub )?${MINE}( (aub|alstublieft|alsjeblieft|svp|direct|a u b))*( (graag|nu|meteen))*( (van|uit|af van) … ${LIST}|$| eraf| (van|uit) (de|je|jullie|uw) … ${LIST})`,
    `${MINE} (graag |aub |direct )?(van|uit) (de|je|jullie|uw|deze|het|dit) … ${LIST} … (halen|verwijderen|schrappen|te halen|te verwijderen|haalt|af|verwijderd worden)`,
    `(van|uit) (de|je|jullie|uw|deze|het) (… )?${LIST} (af )?(halen|verwijderen|schrappen|gehaald worden|af)`,
    `${MINE} … (te )?(verwijderen|uitschrijven|uit te schrijven|afmelden|af te melden|schrappen|wissen)`,
    "(schrijf|schrijft|meld|meldt|haal) (u )?(aub )?(mij|me|ons) (aub |dan |maar |graag )?(uit|af|eraf)",
    `geen … ${MAIL} … (meer|ontvangen|sturen|krijgen|toesturen|opnemen)`,
    `(wil|willen|hoef|hoeven|wens|wensen|wenst|stel…) … geen … ${MAIL}( meer)?( van)?`,
    `(stuur|stuurt|zend|mail|mailt|schrijf|benader|benadert|contacteer|bel|neem|neemt) (u )?(mij|me|ons|geen|aub|a u b)( …){0,3} (niet meer|niets meer|niet langer|nooit meer|geen … meer|meer … op|contact meer)`,
    `neem… (u )?(aub )?geen contact … (op|meer)`,
    `stop (aub |nu |alsjeblieft |alstublieft )?(met|het) … ${WRITE}`,
    `stop (aub |nu )?met (… )?(${MAIL})`,
    `(hou|houd|houdt) (eens |aub |alsjeblieft |nu )?op … (met|te) … ${WRITE}`,
    `(niet|nooit) (meer|langer|verder) … (te )?${WRITE}`,
    `(niet meer|nooit meer|niet langer) … (benaderd|gemaild|gecontacteerd|lastiggevallen) … worden`,
    "(mailen|sturen|benaderen|contacteren) (aub|a u b|graag) niet meer",
    "laat (mij|me|ons) … met rust",
    "(wil|willen|wens|graag|kan|hoe) … (mij|me|ons|ik mij|ik me) … (afmelden|uitschrijven|uit te schrijven|af te melden)",
    "(word|worden) … van de lijst (gehaald|verwijderd)",
    "(maak|trek) … (bezwaar|toestemming)",
  ],
  other: [
    "(verwijder|haal|schrijf|meld) (mij|me|ons|mijn …) (… )?niet|op elk moment|account",
    "(wij|we) willen … (stoppen|ophouden)|niets meer ontvangen|oude (contract|abonnement)|factuur|administratie|campagne|bel (me|mij) niet",
    "(wachtlijst|gastenlijst|deelnemerslijst|prijslijst|takenlijst)|punt \\d…|lijst (met|van)",
    "(cc|kopie|vergadering|afspraak|uitnodiging|agenda|evenement|webinar|bijlagen?|logo|plaatje|alinea|pagina|korting|contract|offerte)",
    "(gebruikers|klanten|ontvangers|abonnees|leads|contacten|mensen|ze|zij)( …){0,4} (af|uit|afmelden|uitschrijven|stoppen|zich)",
    "melden (jullie|uw|de|onze) (gebruikers|klanten|ontvangers)",
    "(afmeld|uitschrijf)…(link|percentage|knop|pagina|formulier|functie|optie)",
    "(hoef|hoeft|hoeven) (… )?niet|niet (uit te schrijven|af te melden|uitschrijven|afmelden)|stop(t|pen)? niet",
    "wij (mailen|sturen|versturen|schrijven)|ik heb (geen|niet)|we (mailen|sturen|hebben)|ik kan niet|ik moet (me|mij)",
    "stop (even|bij|gerust|maar)",
    "schrijf … in",
  ],
  narrower: [
    "voor (januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|volgend…)|tot|pas|voorlopig|deze (week|maand)|dit jaar",
    "zo (vaak|veel)|in pdf|bijlagen|facturen|rekeningen",
  ],
  elsewhere: [
    "in plaats|liever|beter|bel (me|mij|ons|maar|gerust)|bellen|telefonisch|per telefoon|(via|op|per) whatsapp|ander adres|andere adres",
  ],
  hints: [
    "afmelden|uitschrijven|afmelding|schrijf … uit",
    "(niet|geen) … meer … (mailen|sturen|mails?|berichten)|(mail|stuur) (mij|me|ons) niet|niet mailen",
    "avg|spam|ongevraagd…|ongewenst…",
    "(haal|verwijder) (mij|me|ons)",
    "hoe kom… (je|u|jullie) aan mijn",
  ],
};
