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
    "hou op|houd op|ophouden|genoeg|wissen|schrappen|afmeld|uitschrijf|meld (mij|me) af|haal (mij|me) van de lijst|verwijder mijn (gegevens|adres)|niet meer sturen|nooit meer (mailen|sturen)?|unsubscribe|laat (mij|me) met rust|weg ermee|geen contact( meer)?|stop ermee|stop hiermee|uit|afmelden|uitschrijven|afmelding|uitschrijving|stop|stoppen|verwijderen|verwijder (mij|me)|schrijf (mij|me) uit|(haal|haalt u) (mij|me) eraf|haal eraf|opzeggen|niet meer (mailen|sturen|contacteren|benaderen|schrijven)|geen (mails?|e-?mails?|berichten|reclame)( meer)?|van de lijst( (af|halen))?|uit de lijst( halen)?|eraf",
  courtesies:
    "nee|nee bedankt|nee dank je|geen behoefte|groeten|vriendelijke groet|met vriendelijke groet|ok|gvd|eens|maar|geachte heer|beste|hoi|dag|graag|gaarne|niet geïnteresseerd|geen interesse|aub|a u b|alsjeblieft|alstublieft|svp|dank|bedankt|dank u|dank je|hallo|direct|nu|mij|me|ons|per direct|gelieve|liever|mvg|groet",
  together: [
    "(niet|geen|nooit) & (wil|willen|wens|wensen|hoef|hoeven) & (staan|voorkomen|zijn|opgenomen|blijven) & (…bestand…|…lijst…|database|systeem|administratie|adressen…)",
    "(gooi…|smijt…|doe|vernietig…) & (mijn|onze|m'n) & (adres|mailadres|gegevens|nummer|naam|e-?mail…) & (weg|eruit|in de prullenbak|maar|aub|vernietig…)",
    "(als|nog|volgende|één) & (mail|mailt|mailtje|bericht|keer) & (blokk…|aangifte|advocaat|klacht|spam|meld…)",
    "(verwijder…|haal…|schrap…|wis…) & (zijn|haar|hun) & (adres|mailadres|naam|gegevens|nummer|e-?mail…)( (aub|van|uit|graag|alstublieft)( …)?)?$",
    "(verwijdering|uitschrijving|schrapping|wissing|afmelding) & (lijst…|…lijst|bestand…|gegevens|adres…|mailing…|systeem) & (verzoek…|vraag…|vragen|graag|eis…|wens…|wil)",
    "(zou|zouden|graag|verzoek…|vraag|vragen|wil|wilt|willen|wens…|stel…|dank…|laat|laten|moet|moeten|namens) & (ophoud…|stop…|staak…|niet meer|niets meer|niks meer|geen|nooit meer|bespaar…|onthoud…|verschoon…) & (mail…|schrij…|stuur…|sturen|benader…|contact…|bericht…|post|reclame|hoor…|horen|ontvang…|krijg…|aanbieding…|correspondentie) & (meer|van u|van jullie|mij|ons|hem|haar|dit|deze|dergelijke|zulke|verder…|aan)",
    "(bespaar…|verschoon…) & (mij|me|ons|u|je) & (mails?|mailtjes|berichten|reclame|moeite|verdere|deze|dit|post)",
    "(haal|haalt|schrap…|verwijder…|streep|zet|gooi…) & (de (school|praktijk|zaak|kerk|vereniging|winkel|stichting)|het (kantoor|bedrijf|adres)|hem|haar|mijn (vader|moeder|baas)|ons bedrijf|meneer|mevrouw) & (van|uit|af) & (…lijst…|…bestand…|administratie|systeem|boeken|mailing…|af|uit)",
    "(mijn|onze|dit|deze|zijn|haar) & (naam|adres|mailadres|gegevens|nummer) & (verdwijn…|weg|eruit|eraf|gewist|verwijderd|geschrapt) & (lijst…|bestand…|systeem|moet|moeten|graag|wil|uw|jullie|uit|van)",
    "(haal…|haalt|gooi…|schrap…|streep…|zet…|gooi|doe|laat) & (mij|me|ons|hem|haar|dit adres|mijn adres|mijn naam) & (eraf|eruit|er … af|er … uit|daar … af|daar … uit|daaraf|daaruit|van af|vanaf)",
    "(verwijder…|wis…|wissen|vernietig…|schrap…) & (alles|alle) & (over (mij|ons)|van (mij|ons)|u (heeft|hebt)|jullie hebben|je hebt|bewaart|bewaren|opgeslagen)",
    "(geen|niet|niets) & (prijs|waarde|behoefte) & (verdere|meer|nog|dergelijke|zulke|uw|toekomstige) & (berichten|mails?|e-?mails?|post|contact|correspondentie|aanbiedingen|reclame|mailtjes)",
    `(verwijder…|haal|haalt|halen|gehaald|schrap…|wis|wissen|gewist|streep|gooi|zet|zetten|schrijf|meld|uitschrijv…|uitgeschreven|afmeld…|afgemeld) & ${MINE} & (van|uit|af) … ${LIST}`,
    "(verwijder…|wis|wissen|gewist|vernietig…|schrap…|verwijdering|wissing) & (mijn|onze|m'n|ons) & (gegevens|adres…|e-?mail…|mailadres|persoonsgegevens|contactgegevens|data|naam|nummer)",
    "(zet|plaats|voeg|neem) & (zwarte lijst|blacklist|blokkeerlijst|bel-me-niet|niet-mailen-lijst|uitsluitingslijst)",
    "(stop|stopt|stoppen|gestopt|staak|staken|gestaakt|beëindig…|ophouden|hou|houd|houdt|kap|kappen|nalaten|onthoud…|sommeer|sommeren|einde|staakt) & (mailen|mail|mails|mailtjes|e-?mails?|sturen|benaderen|contact|spam…|acquisitie|berichten|reclame|lastigvallen|schrijven|opvolgmails|herinneringen|zendingen|hiermee|ermee|mailings?|verzenden|benadering|commerciële)( (met|van|aan|naar|en|nu|aub|alstublieft|onmiddellijk|per|jegens|mij|ons|te|a|direct|$)|$)",
    "(niet|geen|nooit|niets|niks) & (wil|willen|wens|wensen|wenst|stel|stelt|stellen|hoef|hoeven|hoeft|verzoek|verzoekt|verzoeken|prijs|wilt|vraagt|vraag) & (ontvangen|krijgen|benaderd|gemaild|gecontacteerd|contact…|mails?|mailtjes|e-?mails?|berichten|reclame|lastiggevallen|horen|post|benaderen|mailen|schrijven|sturen|toezending|prijs)( (meer|van|te|worden|op|door|via|voor|aan|dat|langer|$)|$)",
    "(niet|geen|nooit|niets|niks) & (meer|langer|verder…|opnieuw|weer|nogmaals|voortaan|toekomst) & (mailen|mail|mailt|sturen|stuur|stuurt|benader…|contact…|schrijv…|schrijf|schrijft|toezenden|toesturen|lastig…|benaderd|ontvangen|bericht…|zenden)( (aub|alstublieft|alsjeblieft|svp|graag|meer|op|te|worden|mij|ons|aan|naar|opnemen|van|langer|opnieuw|$)|$)",
    "(vergeet|vergeten|verlies) & (mijn|m'n|dat) & (e-?mail…|adres|mailadres|nummer|bestaan|gegevens)",
    "(geen|nooit|zonder|trek|intrek…|ingetrokken) & (toestemming) & (gegeven|in|mijn|verleend|ooit|hebben|heeft|hebt)",
  ],
  rights: [
    "(avg|gdpr|telecommunicatiewet|wet|artikel|art|autoriteit persoonsgegevens) & (bezwaar|verzet|trek|intrek…|eis…|verzoek…|vorder…|verwijder…|wis…|toestemming|klacht|beroep)",
    "(bezwaar|verzet) & (verwerking|gebruik|direct marketing|marketing|maak|benadering|profilering)",
  ],
  reasons: [
    "verkeerde( [^ ]+)?|(gewoon |een )?particulier|(persoonlijk|privé)…|(nooit|niet) … (aangemeld|ingeschreven|gevraagd|toestemming|opgegeven)",
    "(tweede|derde|vierde|vijfde|laatste|zoveelste|2e|3e|4e) (keer|maal|verzoek|waarschuwing)|(al|reeds|meermaals|twee keer|drie keer) … (gevraagd|gezegd|verzocht|gemeld)",
    "spam|avg|gdpr|advocaat|aangifte|klacht|ongewenst…|ongevraagd…|intimidatie|illegaal|stalking",
  ],
  offers: [
    "(stop ik|hou ik op|houd ik op|laat ik (u|je|jullie)|mail ik (u|je|jullie)|schrijf ik|zal ik … (niet|stoppen|ophouden)|dan (stop|stoppen)|haal ik|hoort u … niets|hoor je … niets|ik stop|niet meer (mailen|schrijven|benaderen|lastig))",
  ],
  yes: "(ja|jawel|graag|prima|ok|oké|akkoord|klopt|inderdaad|goed|juist|precies|zeker)( (graag|aub|alstublieft|alsjeblieft|svp|doe|doet|dat|maar|a u b|precies|liever|zo|ja|prima|inderdaad|is|goed|mij|stop|stoppen|heel|wel|dank|bedankt|het|best|liefst|wil|ik|niet|fijn)){0,7}|(doe|doet) (u )?(dat|zo|maar)( maar| aub| graag)*|liever (wel|niet)|dat (is|zou|heeft) … (fijn|prettig|voorkeur|beter|liever)( zijn)?",
  asks: [
    `^(aub |graag |en |dus )*(geen|nooit meer|niet meer|genoeg|stop met|stop de|stop die) … ${MAIL}( (meer|aub|graag|alstublieft|naar|aan|op|van|a u b)( [^ ]+){0,4})?$`,
    `(krijg|krijgen|ontvang|ontvangen) … (nog steeds|nog altijd|steeds|alweer|weer) … ${MAIL}|(nog steeds|nog altijd) … ${MAIL}`,
    "^(en |nu |aub |graag )*(hou op(?! dat)|houd op|houdt op|kap ermee|genoeg|basta|ga weg|laat … met rust|rot op|donder op|wegwezen|ophouden|het is genoeg)( (nu|aub|alstublieft|alsjeblieft|ermee|hiermee|met dit|daarmee|direct|meteen|graag))*$|(laat|laten) (u )?(mij|me|ons|hem|haar) … met rust",
    "(sommeer|sommeren|sommatie|verzoek|verzoeken|eis|eisen|gelast|verbied|verbieden) … (staken|stoppen|verwijder…|onthouden|niet (meer|langer)|geen)",
    "(wenst|wil|verzoekt|vraagt|wens|verkiest) … (niet|geen|niets) … (benaderd|contact|gemaild|meer|ontvangen|lastiggevallen)",
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
    "papier",
    "(onze|jullie|uw) (klanten|tool|software|product)|wij (bieten|adviseren|verkopen)",
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
    "meen je (niet|dat|serieus)|dat kan niet waar",
    "ik neem … over|overgenomen|opvolg…|met pensioen|is … weg|werkt … niet meer|(stuur|mail|schrijf) (het )?(voortaan )?(naar|aan) mij",
    "in plaats|liever|beter|bel (me|mij|ons|maar|gerust)|bellen|telefonisch|per telefoon|(via|op|per) whatsapp|ander adres|andere adres",
  ],
  hints: [
    "(minder|niet zo) (vaak|veel|mails?|mailtjes|berichten)|minder … zou|(één|een|1) keer per (maand|kwartaal|jaar)|alweer (jullie|u|een)|(zat|beu|irritant|vervelend)|(alleen|slechts|enkel) (als|wanneer|bij)",
    "afmelden|uitschrijven|afmelding|schrijf … uit",
    "(niet|geen) … meer … (mailen|sturen|mails?|berichten)|(mail|stuur) (mij|me|ons) niet|niet mailen",
    "avg|spam|ongevraagd…|ongewenst…",
    "(haal|verwijder) (mij|me|ons)",
    "hoe kom… (je|u|jullie) aan mijn",
  ],
};
