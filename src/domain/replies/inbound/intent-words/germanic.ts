import type { IntentWords } from "./intent-language.ts";

export const german: IntentWords = {
  yesByNo: [
    "(kein|keine|ohne) (problem|frage|einwände?|bedenken|umstände)|warum (eigentlich )?nicht|(spricht|spräche|ist|habe|hätte|haben) … nichts … (dagegen|einzuwenden)|(sage|sag|würde|sagen) … (nicht nein|nie nein)|(nicht|nie) nein|nichts zu verlieren|nicht abgeneigt|nicht schlecht|nicht uninteressant|kann (es )?(kaum|nicht) erwarten",
  ],
  later: [
    "(momentan|derzeit|zurzeit|zur zeit|im moment|aktuell|gerade|jetzt|heuer|dieses jahr|dieses quartal|diesen monat) … (nicht|kein…|nein|schlecht|ungünstig|schwierig|eng|zu viel|voll)|(nicht|kein…|noch nicht|schlecht|passt) … (momentan|derzeit|zurzeit|zur zeit|im moment|aktuell|gerade|jetzt|heuer|dieses jahr|dieses quartal)|(momentan|derzeit|im moment|noch|jetzt|gerade|aktuell) (eher )?(nicht|schlecht|ungünstig)|noch nicht|noch zu früh|zu früh|später|vielleicht (später|nächstes|im|in|mal)|irgendwann",
    "(melde…|meldet|schreib…|ruf…|fragen|frag|kontaktier…|sprechen|reden|komm…|probier…|versuch…|hör…|wieder|erinner…|wiedervorlage|nochmal|noch einmal|erneut) & (im|in|nach|ab|anfang|mitte|ende|nächst…|kommend…|später|wenn|sobald|monat…|woche…|quartal…|jahr…|frühjahr|sommer…|herbst|winter|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|neujahr|ostern|weihnachten|messe|urlaub|inventur|jahreswechsel|jahresabschluss) & (wieder|nochmal|noch einmal|erneut|nächst…|kommend…|nach|ab|quartal…|monat…|frühjahr|sommer…|herbst|winter|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jahr…|wenn|sobald|später)",
    "(budget…|etat|geld|mittel) & (kein…|erst|aufgebraucht|ausgeschöpft|vergeben|gesperrt|eingefroren|nächst…|weg|leer|verplant)|(vertrag…|gebunden|laufzeit|vertraglich|lizenz…) & (bis|läuft|noch|endet|aus)|(viel|zu viel) (um die ohren|zu tun|los)|keine (zeit|kapazität…)|land unter|(erst|frühestens) (im|in|nach|ab|nächst…|wieder|mal|wenn|ende|anfang)|nach (den|dem|der) (ferien|sommer|urlaub|messe|jahreswechsel|weihnachten|ostern|umzug|inventur|feiertagen|saison|umstellung)|(kein|nicht der) (guter|günstiger|richtige|passende|gute) … ?(zeitpunkt|moment)|im hinterkopf|zurückstellen|verschieben|aufschieben|(nächst…|kommend…) (jahr|quartal|monat|frühjahr|herbst|sommer|saison)",
  ],
  no: [
    "kein… … (bedarf|interesse|verwendung|thema|bedürfnis)|(nicht|nie) … (interess…|relevant|nötig|notwendig|gebraucht|für uns|passend|brauchen|benötigt|in frage|unser|vorgesehen|geplant|zielführend|wechseln)|(kein|nicht) (danke|für uns)|nein( (danke|vielen|leider|trotzdem|kein|wir|dank))*|(trotzdem|leider|dennoch|bleibt|klares|aber|definitiv|immer noch|ein) … nein|nee|nö|lieber nicht|uninteressant|desinteresse",
    "(wir|ich|sind|haben|bin) … (versorgt|bedient|zufrieden|schon|bereits|gut aufgestellt|ausgestattet|entschieden dagegen|fündig)|(schon|bereits) … (anbieter|lösung|partner|dienstleister|im einsatz|vergeben|eingeführt|lieferant…|vertrag|system|entschieden|abgedeckt|etwas)|(machen|machen wir|erledigen|lösen) … (selbst|selber|intern|inhouse)|(brauche|brauchen|benötige|benötigen|wollen|möchten) … (nicht|nichts|kein…)|(lehne|lehnen|dankend) … ab|verzicht…|abgelehnt|absage|passt nicht (zu|für|in)|dagegen entschieden|bleiben (bei|dabei)",
  ],
  refer: [
    "(wenden|fragen|frag|sprechen|sprich|kontaktieren|schreiben|melden|rufen|mailen|leite…|weitergeleitet|weiterleiten|gebe|reiche|ansprechpartner…|verweise|an) & (bitte |an |bei |mit )*(kolleg…|chef…|herrn?|frau|geschäftsführ…|abteilung|einkauf|it|leiter…|zentrale|hauptsitz|vertrieb|marketing|personal…|partner…|mann|verwaltung|vorstand|sekretariat|nachfolg…|zuständig…|buchhaltung|technik|inhaber…|edv|bruder|schwester|tochter|sohn)",
    "(nicht|kein…|nicht mehr) … (zuständig|verantwortlich|mein bereich|meine abteilung|mein gebiet|richtige|richtiger|ansprechpartner…|entscheid…|baustelle)|zuständig (ist|dafür|sind|wäre)|falsche (abteilung|adresse|ansprechpartner…|stelle|person)|(macht|entscheidet|kümmert|betreut|regelt|verantwortet|übernimmt) … (kolleg…|chef…|herr|frau|zentrale|sich|einkauf|abteilung|it|bei uns|die|der)|leite … weiter|(da|das|dafür|hierfür) … zuständig|(in|ins) cc|gebe … weiter",
  ],
  praise: [
    "(klingt|hört sich|sieht|ist|wäre|finde|sehr|wirkt|interessant) … (interessant|gut|spannend|super|prima|toll|vielversprechend|klasse|hilfreich|passend|perfekt|gern|reizvoll)|^(ja|gern|gerne|klar|natürlich|sicher|passt|einverstanden|prima|super|perfekt|unbedingt|jederzeit|sehr gern|sehr gerne|interessant|spannend|aber sicher|auf jeden fall|gute idee|abgemacht)",
  ],
  want: [
    "interessiert (mich|uns|bin|sind|wäre|an)|(bin|sind|wäre|sehr|grundsätzlich|durchaus|prinzipiell) … (interessiert|neugierig|dabei|offen)|(habe|haben|hätte|hätten|besteht) … interesse",
    "(schick…|send…|zeig…|ruf…|rufen|vereinbaren|machen|melden|komm…|kommen|leg…|erzähl…|mail…|lassen|lass|probier…|starten|unterbreiten|reden|sprechen|telefonieren|treffen|kontaktieren) … (mal|gern|gerne|mir|uns|zu|her|an|durch|rüber|unterlagen|angebot|termin|demo|los|vorbei|wir|test|ruhig|einfach|an|telefonieren|ausprobieren|morgen|heute|sehen|bitte)|(freue|freuen|würde|würden|möchte|möchten|will|wollen|hätte|hätten|können|könnten|kann|sollten|lassen) … (gern|gerne|termin|demo|sprechen|sehen|ansehen|anschauen|testen|ausprobieren|kennenlernen|angebot|mehr|telefonieren|darüber|uns|treffen)|(termin|demo|vorführung|testzugang|angebot|präsentation) … (bitte|gern|gerne|machen|vereinbaren|wäre|ja|hätte|brauchen|haben)|(montag|dienstag|mittwoch|donnerstag|freitag|morgen|nächste woche|übermorgen)(vormittag|nachmittag)? … (passt|uhr|gut|frei|recht|geht|um|vormittag|nachmittag|ginge|zeit|gegen)|mehr (infos?|informationen|details|erfahren|dazu)|her damit|legen sie los",
  ],
  ask: [
    "^(und |aber |guten tag |hallo |sagen sie |moin )*(wer|was|wo|woher|wann|warum|wieso|wie|wieviel|welche…|worum|womit|ist|sind|kann|können|gibt|haben|hat|läuft|funktioniert|geht|bieten|werden|wird|lässt|brauch…|arbeit…|inwiefern|wofür|unterstützt|wozu)( [^ ]+){0,60}$|(preis|preise|kosten|kostet|konditionen|referenzen|woher haben|wie viel|datenschutz)",
  ],
};

export const dutch: IntentWords = {
  yesByNo: [
    "(geen|zonder) (probleem|punt|bezwaar|enkel probleem)|waarom niet|niets (op|tegen)|(geen|niks|niets) … (tegen|bezwaar)|zeg (ik )?(geen|niet|nooit) nee|geen nee|niet (verkeerd|slecht|gek)|niet kunnen wachten",
  ],
  later: [
    "(nu|op dit moment|momenteel|voorlopig|vooralsnog|dit jaar|dit kwartaal|deze maand|even) … (niet|geen|nee|slecht|druk|lastig)|(niet|geen|komt|slecht) … (nu|op dit moment|momenteel|dit jaar|dit kwartaal|even)|nog niet|te vroeg|later|(misschien|wellicht) (later|volgend…|in|ooit)|ooit",
    "(bel|bellen|mail|mailen|kom|meld|neem|contact|probeer|vraag|spreken|praten|herinner|benader|terug|schrijf) & (weer|opnieuw|nog eens|terug|na|in|volgend…|later|vanaf|begin|eind|medio|als|wanneer|pas|rond|over) & (de )?(januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|kwartaal|q[1-4]|jaar|maand…|weken|zomer|winter|voorjaar|najaar|herfst|lente|vakantie|jaarwisseling|kerst|pasen|feestdagen|seizoen|beurs|later|als|wanneer|half jaar|inventarisatie|bouwvak)",
    "(budget|geld|begroting) & (geen|op|pas|weer|bevroren|volgend|dicht|uitgeput|nieuw…)|(contract|overeenkomst|vast|licentie) & (tot|loopt|nog|t/m|aan|af|zitten)|(te|heel|erg|veel te|hartstikke) druk|druk (nu|mee|met|momenteel)|geen (tijd|ruimte|capaciteit)|pas (weer|na|in|volgend…|vanaf|over)|(na|vanaf|begin|eind|medio) (de |het |januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)(zomer|vakantie|jaarwisseling|feestdagen|kerst|seizoen|verhuizing|bouwvak|jaar|jaarafsluiting)?|(goed|juiste|handig) (moment|tijd)|geen prioriteit|volgend (jaar|kwartaal|seizoen|voorjaar|najaar)|over (een|twee|drie|zes|enkele|paar) … (maand…|weken|jaar)",
  ],
  no: [
    "(niks|niets) voor (ons|mij)|geen … (interesse|behoefte|belangstelling|noodzaak|zin|nodig|toegevoegde)|niet … (geïnteresseerd|interessant|nodig|voor ons|relevant|van toepassing|iets voor|ons ding|van plan|mee verder|passend|zitten te wachten|op in)|nee( (dank|bedankt|hoor|toch|helaas|hoeft|dus|wij|sorry))*|(toch|helaas|blijft|maar|gewoon|duidelijk) (een )?nee|nope|bedankt maar nee|liever niet|(past|sluit) niet",
    "(hebben|hebben we|heb|zijn|gebruiken|werken) … (al|reeds|tevreden|voorzien|zelf|goed geregeld|andere|vaste)|al (voorzien|een|iemand|iets|geregeld|genoeg|jaren)|(doen|regelen|maken|lossen) … (zelf|intern|eigen beheer)|(hoeft|hoeven|hoef) (voor ons |van ons |dit |dat |wij |we )?niet|zien … van af|wijzen … af|bedanken … voor|tegen besloten|tevreden met|overstappen niet",
  ],
  refer: [
    "(vraag|vragen|bel|mail|contact|neem|spreek|praat|stuur|doorgestuurd|door|doorsturen|richt|schrijf|benader|wend|moet|zijn|verwijs|bij|aan) & (collega|baas|directeur|afdeling|inkoop|manager|hoofd|eigenaar|mevrouw|meneer|hoofdkantoor|it|ict|partner|vrouw|man|opvolger|administratie|directie|secretariaat|naar [^ ]+|bij [^ ]+|met [^ ]+|van de [^ ]+)",
    "(niet|geen) … (mijn afdeling|bij mij|voor mij|aan mij|over|de juiste|mijn terrein|verantwoordelijk|de aangewezen|mijn beslissing|mijn ding|mijn pakkie)|verkeerde (afdeling|persoon|adres)|(gaat|beslist|regelt|doet|beheert|verantwoordelijk) … (over|collega|mevrouw|meneer|hoofdkantoor|dit|dat|daarover|inkoop|de|hierover|mijn)|(in|naar) (de )?cc|(stuur|geef|zet) … door|daarvoor … (zijn|bij)",
  ],
  praise: [
    "(klinkt|lijkt|ziet|is|zou|vind|heel|erg|wel) … (interessant|goed|leuk|prima|top|mooi|boeiend|handig|perfect|nuttig|welkom|fijn)|^(ja|graag|prima|zeker|akkoord|leuk|top|natuurlijk|tuurlijk|goed|doe maar|interessant|mooi|heel graag|goed idee|jazeker|absoluut)",
  ],
  want: [
    "(ben|zijn|wel|heb|hebben|zeker|ook) … (interesse|geïnteresseerd|benieuwd|nieuwsgierig|belangstelling)",
    "(stuur|mail|bel|laat|kom|plan|maak|zet|toon|vertel|spreken|neem|regel|doe) … (maar|me|mij|ons|even|zien|op|door|langs|offerte|afspraak|demo|info|informatie|het|gerust|een|weten|horen|contact|toe)|(wil|willen|zou|zouden|kunnen|kan|laten|mag|zullen|wilt) … (graag|zien|proberen|demo|afspraak|weten|spreken|testen|kijken|meer|horen|uitproberen|we|inplannen|offerte|eens|langskomen)|(maandag|dinsdag|woensdag|donderdag|vrijdag|morgen|volgende week)(ochtend|middag)? … (schikt|kan|past|uur|prima|goed|vrij|om|komt|lukt|is|graag)|(maandag|dinsdag|woensdag|donderdag|vrijdag)(ochtend|middag)|(demo|offerte|afspraak|proef|proefperiode|brochure) … (graag|aub|plannen|sturen|ontvangen|inplannen|lijkt|zou|is)|graag (een|meer|de|even|contact|ontvangen|zien)",
  ],
  ask: [
    "^(en |maar |dag |hallo |hoi )*(wie|wat|waar|waarvandaan|wanneer|waarom|hoe|hoeveel|welke|is|zijn|kan|kunnen|kunt|heeft|hebben|heb|werkt|zit|met wie|hoezo|bieden|doen|doet|hoe|kost|krijg|geldt|moet|levert|leveren)( [^ ]+){0,60}$|(prijs|prijzen|kosten|kost|tarieven|referenties|hoe kom)",
  ],
};

export const swedish: IntentWords = {
  yesByNo: [
    "(inga|inget|utan) (problem|hinder|bekymmer|konstigheter)|varför inte|(säger|säga|tackar|skulle) … inte nej|inget emot|inte (fel|dumt|emot)|ingenting att förlora|kan knappt vänta",
  ],
  later: [
    "(just nu|för tillfället|för närvarande|nu|i år|i dagsläget|denna månad|detta kvartal) … (inte|ingen|inget|inga|nej|dåligt|fullt)|(inte|ingen|inget|passar|dåligt|ej) … (just nu|för tillfället|för närvarande|nu|i år|i dagsläget|läge|ännu|än)|inte än|ännu inte|för tidigt|senare|(kanske|möjligen) (senare|nästa|i|till|efter|längre)|någon gång",
    "(hör|ring|mejla|maila|återkom|kontakta|kom|skriv|fråga|prata|ta|vi hörs|påminn|höras|testa|prova|hörs) & (av|igen|åter|tillbaka|efter|i|nästa|till|senare|när|om|runt|framåt|mot|först|vid) & (januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december|kvartal…|q[1-4]|år|året|årsskiftet|våren|sommaren|hösten|vintern|semestern|jul|påsk|månad…|veckor|nyår|bokslutet|helgerna|senare|när|halvår|säsongen|mässan)",
    "(budget…|pengar|medel) & (slut|ingen|inte|fryst|nästa|först|stängd|låst|tom)|(avtal…|bundna|bunden|kontrakt…|uppbundna|licens…) & (till|tills|löper|går|ut|fram)|(mycket|fullt upp|upptagen|upptagna|stressigt|körigt|för mycket)( (nu|just nu|att göra))?|(ingen|inte) tid|först (efter|i|nästa|till|när)|efter (årsskiftet|sommaren|semestern|jul|nyår|påsk|bokslutet|helgerna|säsongen|flytten|mässan)|(bra|rätt|läge) (läge|tidpunkt|tillfälle)|inte prioriterat|nästa (år|kvartal|vår|höst|säsong)|om (en|två|tre|ett|några|sex|fyra) (månader?|veckor|år|halvår|kvartal)",
  ],
  no: [
    "(inget|ingen|inga|inte|ej|aldrig) … (intresse…|intressant…|behov|aktuellt|nödvändigt|relevant|för oss|något för|behöver|vår grej|användning|passande|byta)|(behöver|vill|använder|köper|tror|byter) … (inte|ej|inget)|nej( (tack|men|vi|det|jag|tyvärr|inte))*|(ändå|tyvärr|fortfarande|blir|men|ett) … nej|nix|nä|avböj…|tackar nej|avstår|passar (inte|ej) (oss|vår|för)",
    "(har|är|använder|kör|jobbar) … (redan|nöjda?|egen|eget|egna|försedda|leverantör…)|redan … (en|ett|har|löst|leverantör|avtal|täckta)|(klarar|gör|sköter|fixar|löser) … (själva?|internt|in-house|egen)|nöjda? med|bestämt … (emot|inte)|valt … annan|beslutat … inte",
  ],
  refer: [
    "(prata|fråga|kontakta|ring|mejla|maila|vänd|skicka|vidarebefordra…|skickar|hör|ta|tala|hänvisar|skriv|gå|via) & (med|till|hos|av|vidare|det|dig|er) & (kollega|chef…|vd|ansvarig…|avdelning…|inköp…|ekonomi…|it|huvudkontor…|sambo|fru|man|ägare…|företrädare|efterträdare|[^ ]+ (på|i|från) [^ ]+|hon|han|som|[^ ]+ddress)",
    "(inte|ej) … (mitt bord|mitt område|min avdelning|jag som|ansvarig|rätt person|rätt|mig du|jag bestämmer|mitt ansvar)|fel (avdelning|person|adress|kontor)|(sköter|ansvarar|bestämmer|hanterar|köper|beslutar|har hand) … (det|om|inköp…|sådant|för|kollega|hon|han|centralt|detta)|(i|på) (kopia|cc)|(skickar|bollar|lämnar) … vidare|(prata|ta det|fråga|hör|snacka) (med )?[^ ]+|rätt person är",
  ],
  praise: [
    "(låter|ser|verkar|är|vore|skulle|mycket|väldigt|riktigt) … (intressant|bra|spännande|kul|toppen|perfekt|trevligt|lovande|roligt|användbart|intresserad…)|^(ja|gärna|absolut|visst|självklart|javisst|spännande|intressant|perfekt|toppen|kör|bra|jättegärna|låt gå|jajamän|klart|det låter)|intresse finns",
  ],
  want: [
    "(är|vi är|jag är|blev|mycket) (intresserad…|nyfik…|på|sugna?)",
    "(skicka|ring|boka|visa|mejla|maila|berätta|sätt|hör|kom|skriv|ta|låt) … (gärna|mig|oss|över|tider|tid|offert|demo|möte|info|mer|kontakt|in|en|några|av|förbi|priser|upp)|(vill|skulle|kan|ska|får|låt) … (gärna|veta|se|höra|prova|testa|boka|träffas|demo|möte|mer|prata|vi|offert|diskutera)|(demo|offert|möte|provperiod|test|presentation) … (gärna|tack|passar|vore|vill|boka|ja)|en demo|(måndag|tisdag|onsdag|torsdag|fredag|imorgon|i morgon|nästa vecka) … (passar|går|funkar|klockan|bra|kl|förmiddag|eftermiddag|ledig|är|vid)",
  ],
  ask: [
    "^(och |men |hej |hejsan )*(vem|vilka|vad|var|varifrån|när|varför|hur|vilken|vilket|är|kan|har|finns|går|fungerar|funkar|ingår|kostar|måste|får|stöder|behöver|gör|erbjuder|hur|integrerar)( [^ ]+){0,60}$|(pris|priser|kostar|kostnad|referenser|var har ni fått|varifrån)",
  ],
};

export const norwegianDanish: IntentWords = {
  yesByNo: [
    "(ikke noe|intet|ikke noget|ingen|uten|uden) (problem|problemer|hindringer|bekymringer)|hvorfor ikke|(sier|siger|takker|ville) … (ikke nei|ikke nej)|(ikke noe|intet|ikke noget|ingenting) imot|imod|ikke (verst|dumt|værst|imot|imod)|kan (nesten|næsten|knapt) (ikke )?vente|ingenting å tape",
  ],
  later: [
    "(akkurat nå|nå|nu|lige nu|for tiden|for øyeblikket|for øjeblikket|i år|p t|i øyeblikket|i dag) … (ikke|ingen|nei|nej|dårlig|travelt)|(ikke|ingen|passer|dårlig…|intet) … (akkurat nå|nå|nu|lige nu|for tiden|for øyeblikket|for øjeblikket|i år|ennå|endnu|p t)|(ikke|endnu) (ennå|ikke)|for tidlig|for tidligt|senere|(kanskje|måske) (senere|neste|næste|i|til|etter|efter)|passer (dårlig|dårligt|skidt|ikke)|en gang|engang",
    "(ta|tag|ring|hør|kom|kontakt|prøv|skriv|spør|spørg|snakk|snakkes|snakke|send|mail|vend|tales|snakkes|minn|mind) & (kontakt|igjen|igen|tilbake|tilbage|etter|efter|i|neste|næste|til|senere|når|om|rundt|omkring|over|først|mot|ved) & (januar|februar|mars|marts|april|mai|maj|juni|juli|august|september|oktober|november|desember|december|kvartal|q[1-4]|år|året|nyttår|nytår|årsskiftet|våren|foråret|sommeren|høsten|efteråret|vinteren|ferien|jul|jula|julen|påske|måned…|uker|uger|senere|når|halvår|sesongen|sæsonen|årsregnskabet|årsoppgjøret|messen)",
    "(budsjett…|budget…|penger|penge|midler) & (brukt|brugt|ingen|ikke|frosset|neste|næste|først|stengt|lukket|tomt|opbrugt|oppbrukt)|(avtale…|aftale…|bundet|kontrakt…|binding…|lisens…|licens…) & (til|ut|ud|løper|løber|utløper|udløber|frem)|(travelt|for mye|for meget|fullt opp|opptatt|optaget|hektisk)|(ikke|ingen|ikke tid) (tid|kapasitet|kapacitet)|først (etter|efter|i|til|neste|næste|når)|(etter|efter|over) (nyttår|nytår|sommeren|ferien|jul|påske|årsskiftet|årsregnskabet|sommerferien|høstferien|messen|sesongen|flyttingen)|(godt|rett|riktig|rigtige) (tidspunkt|øyeblikk|øjeblik)|ikke prioritert|ikke prioriteret|(neste|næste) (år|kvartal|vår|forår|høst|efterår|sesong)|om (en|et|to|tre|fire|seks|noen|nogle|par) … (måneder?|uker|uger|år|halvår)",
  ],
  no: [
    "(ikke|ingen|intet|aldri|aldrig) … (interesse…|interessant…|behov|aktuelt|nødvendig…|relevant|for oss|for os|noe for|noget for|trenger|bruk|brug|vår greie|skifte|bytte)|(trenger|behøver|vil|bruker|kjøper|køber|tror|bytter) … (ikke|ingen)|(nei|nej)( (takk|tak|men|vi|det|jeg|dessverre|desværre|ikke|ellers))*|(fortsatt|dessverre|desværre|stadig|blir|bliver|men|et) … (nei|nej)|niks|avslår|afslår|takker nei|takker nej|passer ikke (for|oss|os|til)",
    "(har|er|bruker|kjører|kører) … (allerede|fornøyde?|fornøjede?|tilfreds…|egen|eget|egne|dekket|dækket|leverandør…)|allerede … (en|et|har|løst|leverandør|avtale|aftale)|(klarer|gjør|gør|ordner|løser|klarer) … (selv|internt|oss|os)|(fornøyd|tilfreds|glade?) med|bestemt … (imot|imod|ikke)|valgt … (annen|anden|en)",
  ],
  refer: [
    "(snakk|spør|spørg|kontakt|ring|send|sender|videresend…|ta|tag|tal|hør|henvend|henvis…|skriv|gå|via|prøv) & (med|til|hos|videre|det|dig|deg|på|fra|på) & (kollega|sjef…|chef…|direktør…|ansvarlig…|avdeling…|afdeling…|innkjøp…|indkøb…|økonomi…|it|hovedkontor…|kone|mann|mand|eier…|ejer…|etterfølger|efterfølger|hun|han|hende|ham)",
    "(ikke|ej) … (mitt bord|mit bord|mitt område|mit område|min avdeling|min afdeling|meg|mig|jeg som|ansvarlig|rette person|rett person)|(feil|forkert) (avdeling|afdeling|person|adresse)|(styrer|ansvarlig for|bestemmer|håndterer|har ansvaret|tar seg av|tager sig af|kjøper|køber|avgjør|afgør) … (det|for|dette|innkjøp…|indkøb…|kollega|hun|han|sentralt|centralt|hos)|på (kopi|cc)|(sender|gir|giver) … videre|(spør|spørg|hør|kontakt|snakk med|tal med|prøv) (?!(meg|mig|oss|os) )[^ ]+ (på|i|fra|hos) [^ ]+|^(spør|spørg|snakk med|tal med|kontakt) (?!(meg|mig|oss|os)( |$))[^ ]+",
  ],
  praise: [
    "(høres|lyder|ser|virker|er|ville|hadde|veldig|meget|super|ret) … (interessant|spennende|spændende|bra|godt|fint|flott|perfekt|lovende|interesseret|interessert|nyttig|rart|greit)|^(ja|gjerne|gerne|absolutt|absolut|selvfølgelig|selvsagt|spennende|spændende|interessant|perfekt|fint|klart|kjør på|kom med|supert|helt sikkert|jada|jo tak|lad os|la oss|bare|god ide)",
  ],
  want: [
    "(er|vi er|jeg er|meget) (interessert…|interesseret|interesserede|nysgjerrig…|nysgerrig…)|interesse for",
    "(send|ring|book|vis|mail|fortell|fortæl|sett|sæt|kom|skriv|la|lad|ta|tag|avtal|aftal) … (gjerne|gerne|meg|mig|oss|os|over|tid|tider|tilbud|demo|møte|info|mer|mere|kontakt|invitasjon|invitation|en|et|møtes|mødes|snakke|tale|bare|høre|se|litt|lidt|forbi|opp|op|priser)|(vil|kan|skal|kunne|ville|må) … (gjerne|gerne|vite|vide|se|høre|prøve|teste|møtes|mødes|demo|møte|mer|mere|snakke|tale|vi|tilbud|diskutere)|(demo|tilbud|møte|prøve|prøveperiode|presentasjon|præsentation) … (gjerne|gerne|takk|tak|passer|ville|ja)|(mandag|tirsdag|onsdag|torsdag|fredag|i morgen|i morgon|neste uke|næste uge) … (passer|går|kl|klokken|fint|bra|godt|er|formiddag|ettermiddag|eftermiddag|ledig)",
  ],
  ask: [
    "^(og |men |hei |hej )*(hvem|hva|hvad|hvor|hvorfra|når|hvornår|hvorfor|hvordan|hvilken|hvilke|hvilket|er|kan|har|finnes|findes|går|fungerer|virker|inngår|koster|må|støtter|trenger|gjør|tilbyr|tilbyder|hvor mye|integrerer|kjører|er det)( [^ ]+){0,60}$|(pris|priser|koster|kostnad|referanser|referencer|hvor har (du|i|dere))",
  ],
};
