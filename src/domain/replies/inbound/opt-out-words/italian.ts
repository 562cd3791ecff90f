import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mail|mail|messagg[io]|comunicazion[ei]|newsletter|pubblicità|spam|offert[ae]|propost[ae]|informazioni|posta|nulla|niente|sollecit[oi]|promemoria|chiamate)";
const MINE =
  "((il |i |la |le )?(mio|miei|mia|nostro|nostri|nostra) (indirizz[oi]|e-?mail|mail|nome|dati|nominativo|contatt[oi]|recapit[oi])|questo indirizzo)";
const LIST =
  "(list[ae]|mailing ?list|elenc(o|hi)|database|banc(a|he) dati|archiv[io]|newsletter|sistema|rubrica|contatti|invii|registr[io]|mailing)";
const REMOVE = "(cancell…|rimuov…|togli…|elimin…|disiscriv…|depenn…|escl…|lev…|tolg…)";
const SEND =
  "(scriv…|contatt…|ricontatt…|invi…|mand…|disturb…|sped…|spediate|import…|sollecit…|tempest…|spamm…)";

export const italian: OptOutWords = {
  alone:
    "cancellate(ci)?|cancelli|cancella|rimuovere|rimuovetemi|mi rimuova|mi tolga|mi elimini|eliminami|elimina|elimini|disiscrivere|disiscriva|annullare|non scrivetemi|non contattatemi|non (mi )?(scriva|contatti)( più)?|non (scrivete|scrivere|contattare|inviare|mandare) più|fermatevi|unsubscribe|cancellare( i (miei )?dati)?|opposizione|smettila|smettetela|revoca|cancellami|cancellatemi|mi cancelli|disiscrizione|disiscrivimi|disiscrivetemi|disiscriver(e|mi)|rimuovimi|rimuovetemi|cancellazione|cancellarmi|stop|basta( (e-?mail|mail|spam|messaggi))|toglimi|toglietemi|eliminatemi|annulla (l')?iscrizione",
  courtesies:
    "no|no grazie|non (mi |ci )?interessa|saluti|cordiali saluti|distinti saluti|ok|dalla lista|gentili|buonasera|per favore|per cortesia|grazie|prego|subito|buongiorno|salve|ciao|gentilmente|vi prego|cortesemente",
  together: [
    "(non|né|mai) & (desider…|voglia…|voglio|vorr…|accett…|autorizz…|intend…) & (essere present…|figurare|comparire|stare|essere inserit…|far parte|risultare|essere) & (list…|elench…|archiv…|database|rubrica|indirizzari…|mailing)",
    "(butt…|distrugg…|getta…) & (mio|mia|miei|nostr…) & (indirizzo|mail|e-?mail|dati|numero|contatto|nome)",
    "(se|un'altra|ancora|prossim…|altra) & (mail|e-?mail|messaggio|scriv…|contatt…|mand…) & (denunci…|segnal…|blocc…|avvocat…|spam|garante)",
    "(togli…|tolg…|cancell…|rimuov…|elimin…|lev…) & (suo|sua|suoi|loro) & (indirizzo|nome|dati|mail|e-?mail|numero|recapito|contatto|nominativo)( (per favore|da|dal|dalla|grazie)( …)?)?$",
    "(rimozione|cancellazione|eliminazione|disiscrizione|esclusione) & (list…|elench…|archiv…|database|dati|indirizz…|mailing|nominativo) & (chied…|richied…|preg…|esig…|desider…|vorr…|solleci…)",
    "(sare…|gradi…|ringrazi…|prego|pregh…|chied…|vorre…|desider…|voglia|vogliate|esig…|grato|grati|dice|manda a dire|incarica) & (smett…|cess…|non|basta|evit…|asten…|risparmi…|nessun…|niente|nulla) & (scriv…|mand…|invi…|contatt…|disturb…|e-?mail|mail|messaggi|pubblicità|comunicazioni|ricev…|solleci…|propost…) & (più|altr…|ulterior…|nulla|niente|oltre|queste|questi|vostr…|di)",
    "(risparmi…) & (mi|ci|…mi|…ci|…temi|…teci) & (mail|e-?mail|messaggi|pubblicità|vostr…|altr…|queste|ulteriori|solleciti)",
    "(togli…|tolg…|cancell…|rimuov…|elimin…|lev…) & (lo studio|la scuola|l'ufficio|il negozio|la ditta|la farmacia|l'asilo|il comune|il nome|l'indirizzo|la casella|mio padre|mia madre|il dottore|il direttore|la parrocchia|l'azienda|la famiglia) & (da|dal|dalla|dai|dalle|dagli|dall') & (list…|elench…|archivi…|rubrica|database|indirizzari…|contatti|mailing)",
    "(mio|nostro|questo|miei|nostri) & (nome|indirizzo|dati|mail|e-?mail|numero|recapito) & (spari…|scompa…|cancellat…|tolt…|rimoss…|fuori|eliminat…) & (list…|archivi…|elench…|database|devono|deve|voglio|vorrei|vostr…|subito)",
    "(cancell…|elimin…|rimuov…|distrugg…|cancellazione|rimozione) & (tutto|tutti|tutte|qualsiasi|ogni) & (su di me|su di noi|mi riguard…|ci riguard…|avete|conservate|detenete|possedete|dati)",
    "(chied…|preg…|desider…|vorrebb…|gradi…|voglia|vogliate|invit…|incaric…) & (non|più|cess…|evit…|asten…|smett…) & (contatt…|ricev…|scriver…|inviar…|mandar…|disturb…|comunicazioni|messaggi|e-?mail|mail|offerte|proposte)( (più|da|di|per|in|su|a|al|alla|oltre|ulterior…|tali|simili|del genere|$)|$)",
    `(cancell…|rimuov…|rimoss…|togli…|tolg…|elimin…|disiscri…|depenn…|escl…|lev…|estromett…|blocc…) & (…mi|…ci|…temi|…teci|mi|ci|mio|miei|mia|nostr…) & (da|dal|dalla|dai|dalle|dall'|dagli|dalle) … ${LIST}`,
    "(cancell…|rimuov…|rimozione|elimin…|toglie…|tolg…|distrug…|cancellazione) & (mio|miei|mia|mie|nostr…|tutti i) & (indirizz…|e-?mail|mail|dati|nominativo|contatt…|recapit…|nome|numero)",
    "(mett…|inser…|aggiung…|iscriv…) & (lista nera|blacklist|black list|registro … opposizioni|lista di esclusione)",
    "(smett…|finit…|finisc…|piant…|cess…|ferm…|basta|interromp…|sospend…|asten…|evit…|desist…|diffid…|termin…|stop) & (scriv…|scriver…|mand…|invi…|e-?mail|mail|messagg…|comunicazion…|spam|pubblicità|contatt…|disturb…|sollecit…|import…|newsletter|promozion…|molest…|proposte|invii)( (a|di|per|più|con|mi|questo|queste|subito|commerciali|promozionali|ulteriori|che|non|ci|le|alla|al|in|$)|$)",
    "(non|né|mai|nessun…) & (vogli…|vorr…|desider…|gradi…|intend…|accett…|acconsent…|autorizz…|chied…) & (ricev…|contatt…|disturb…|e-?mail|mail|messagg…|comunicazion…|pubblicità|scriv…|import…|sent…|mand…|invi…|propost…|sollecit…)( (più|da|di|altr…|ulterior…|vostr…|su|per|né|a|nulla|in|con|$)|$)",
    "(non|mai) & (mi|ci|lo|la|gli|le|…mi|…ci|…temi|…teci|…lo|…la|più) & (contatt…|scriv…|mand…|invi…|disturb…|ricontatt…|import…|cerc…|sollecit…) & (più|mai|ancora|altr…|ulterior…|nulla|niente|nuovo|oltre)",
    "(dimentic…|scord…|perd…|butt…) & (mio|mia|miei|nostr…|…mi) & (indirizz…|e-?mail|mail|numero|contatt…|recapit…)",
    "(nessun…|senza|mai|non|revoc…|ritir…) & (consenso|autorizzazione) & (mio|mia|ho|dato|prestato|previo|nostro|il|qualsiasi)",
  ],
  rights: [
    "(gdpr|garante|codice|privacy|articolo|art|regolamento|legge|d ?lgs) & (oppon…|oppos…|esercit…|revoc…|chied…|richied…|cancell…|diffid…|segnal…|reclamo|consens…|ritir…)",
    "(oppon…|oppos…) & (trattamento|uso|utilizzo|invio|marketing|contatt…|profilazione)",
  ],
  reasons: [
    "(persona|indirizzo|numero|destinatario) (sbagliat…|errat…)|sbagliat…|(casella|indirizzo|mail|account) (personale|privat…)|privato|(mai|non) … (iscritt…|richiest…|chiest…|autorizzat…)",
    "(seconda|terza|quarta|quinta|ultima|ennesima|2a|3a) (volta|richiesta)|(già|più volte|due volte|tre volte) … (chiest…|dett…|scritt…)|ultimo avviso",
    "spam|gdpr|garante|avvocat…|legale|legali|molest…|illegal…|indesiderat…|diffid…|segnalat…",
  ],
  offers: [
    "(smetto|mi fermo|la smetto|non (scrivo|insisto|disturbo|mando|la contatt…|ti contatt…|le scriv…|ti scriv…|vi scriv…)|(non|mai) … (più|disturb…|scriver…)|la cancello|ti cancello|la tolgo|ti tolgo|smetterò|mi fermerò|non scriverò|smettiamo)",
  ],
  yes: "(sì|si|ok|certo|esatto|va bene|d'accordo|perfetto|giusto|bene|volentieri|confermo)( (grazie|per favore|faccia|fai|fate|così|pure|lo|preferisco|preferirei|sarebbe|meglio|esatto|ecco|la|prego|certo|smetta|smetti|ringrazio|volentieri|è|non|desidero)){0,7}|(faccia|fai|fate) (così|pure|questo|quello)( grazie| per favore)*|(lo )?(preferisco|preferirei)( sì| così| grazie)*|sarebbe (meglio|perfetto|gradito)",
  asks: [
    "(togli…|tolg…|cancell…|rimuov…|lev…|elimin…)(temi|mi|ci|teci|a?melo|gli)? (da|di) (qui|qua|lì|là|tutto|tutte|questo|questa|quella|ogni|mezzo|torno)",
    `^(per favore |per cortesia |ora |e )*(basta|niente|nessun…|mai più|non più|stop|zero) … ${MAIL}( (per favore|grazie|a|di|da|su|in|qui)( [^ ]+){0,4})?$`,
    "(ricevo|riceviamo|continuo a ricevere|continuano ad arrivare|mi arrivano) … (ancora|sempre|tuttora|ancora le|queste|le vostre|vostre)( [^ ]+){0,3} (e-?mail|mail|messaggi|comunicazioni|pubblicità)",
    "diffid… … (invi…|contatt…|scriv…|uso|trattament…|mandar…|utilizz…|proseg…|continu…)|intim… … (cess…|di non|cancell…)",
    "(desidera|chiede|preferisce|prega|chiedo|desidero|preferisco|gradirei|prego|pregherebbe) … (non|di non) … (più )?(essere )?(contattat…|disturbat…|ricever…|scriver…|contattar…|mandar…|inviar…)",
    "^(e |ora |adesso |per favore )*(basta|smettetela|smettila|la smetta|finitela|piantatela|piantala|falla finita|fatela finita|lasciatemi stare|lasciami stare|sparite|sparisci)( (per favore|grazie|subito|ora|adesso|una buona volta|con [^$]*))*$",
    "non (voglio|desidero) che (mi|ci) (scriv…|contatt…|mand…|invi…)",
    `(prego|pregherei|chiedo|chiederei|potreste|potete|può|puoi|gradirei|cortesemente) … (togliermi|cancellarmi|rimuovermi|eliminarmi|toglierci|rimuoverci|cancellarci|depennarmi) … (da|dal|dalla|dai|dall')`,
    `${REMOVE}(mi|ci|temi|teci)? dall'elenco`,
    `(asten…|evit…) … (di |dal |dall')(… )?(scriver…|contattar…|inviar…|mandar…)`,
    "non (voglio|desidero|gradisco) (le |queste |i |altre )?(vostre |tue |sue )?(e-?mail|mail|messaggi|comunicazioni)",
    `${REMOVE}(mi|ci|temi|teci)? (immediatamente |subito )?(da|dal|dalla|dai|dalle|dagli|da questa) … ${LIST}`,
    `(mi|ci) ${REMOVE} … (da|dal|dalla|dai|dalle|dagli) … ${LIST}`,
    `${REMOVE} ${MINE}`,
    "(cancell|rimuov|disiscriv|elimin|depenn)…(mi|ci|temi|teci)( per favore| grazie| subito| gentilmente)?$",
    "(voglia|vogliate|prego di|chiedo di|potete|può|puoi|vorrei che) … (cancellarmi|rimuovermi|eliminarmi|disiscrivermi|togliermi)( |$)( per favore| grazie| subito| gentilmente)*( dall… … )?",
    "(vorrei|voglio|desidero|chiedo|come (faccio|posso)) … (disiscrivermi|cancellarmi|essere (cancellat…|rimoss…|eliminat…|tolt…)|disdire|la cancellazione|la rimozione|la disiscrizione|annullare l'iscrizione)",
    `non (voglio|vogliamo|desidero|desideriamo|vorrei|intendo|gradisco|gradiamo) … (ricevere|essere (contattat…|ricontattat…|disturbat…)|altre ${MAIL}|più ${MAIL}|vostre ${MAIL})`,
    `non (mi |ci |voglio che mi )?${SEND}(mi|temi|ci|teci)?( …){0,2} (più|mai più|altr[oaei]|ulteriori|oltre|nulla)`,
    `(di )?non (contatt…|scriv…|invi…|mand…|disturb…|ricontatt…)(mi|ci|temi|teci)( più)?( altr… ${MAIL})?`,
    "non (mi|ci) (ricontatt…|contatt…|scriv…|disturb…)( più)?( per favore| grazie)?$",
    `(smett…|finit…|piant…|cess…|bast…|ferm…)(la|tela|ila)? (di|con) … (scriver…|mandar…|inviar…|contattar…|spam…|disturbar…|${MAIL}|tempestar…)`,
    `^(per favore )?(basta|niente più|mai più|non più) (con )?(le |queste |i |questi )?${MAIL}( per favore| grazie)*$`,
    "lasci…(mi|ci|temi|teci) (in pace|stare)",
    "(revoco|mi oppongo)",
  ],
  other: [
    "carta",
    "(siamo|offriamo|vendiamo|gestiamo) … (consulen…|gestion…|strument…|software|servizi…)|(nostri|dei|ai|vostri) clienti|collaboriamo",
    "non (mi )?(cancell…|rimuov…|elimin…|togli…|disiscriv…)|in qualsiasi momento|account",
    "(vogliamo|vorremmo|voglio) (togliere|rimuovere|cancellare|smettere di)|nostra lista|fattura|contabilità|prenotazione|campagna|chiamatemi",
    "(copia|cc|riunione|incontro|evento|invitati|appuntamento|agenda|calendario|contratto|logo|immagine|pagina|paragrafo|allegato|curiosità|webinar|colazione)",
    "list[ae] (d'attesa|d'|degli|dei|di attesa)|elenco (dei|degli)",
    "(utenti|clienti|destinatari|iscritti|contatti|persone|lead|loro)( …){0,4} (disiscriv…|cancell…|chied…|smett…|si)",
    "si (disiscriv…|cancell…)",
    "(link|tasso|pulsante|pagina|procedura|modulo|funzione) di (disiscrizione|cancellazione)",
    "non (serve|occorre|è necessario|c'è bisogno|smett…|cancell…)|senza (che|cancell…)",
    "non ho (più )?ricev…|non ricev…|non (scriviamo|mandiamo|inviamo|scrivo|invio|mando)",
    "smett… di (preoccup…|lavorare|pensare|piovere)",
  ],
  narrower: [
    "fino|prima (di|del)|per ora|per il momento|questo (mese|anno)|questa settimana|fino a qui",
    "così (spesso|tante|tanti)|troppe|troppi|in pdf|allegati",
  ],
  elsewhere: [
    "(scriva|scrivete|scrivi) (pure )?a me|ha lasciato|in pensione|subentr…|al suo posto|ora (me ne|ne) occupo|non lavora più",
    "invece|piuttosto|meglio|(mi )?chiam…(mi|ci)?|telefon(ami|atemi|i|ate)|(su|via) whatsapp|altro indirizzo|al (cellulare|telefono)",
  ],
  hints: [
    "(meno|non così) (spesso|frequent…|mail|e-?mail)|(troppe|troppo) (mail|e-?mail|spesso)|(una|1) (volta )?(al|ogni) (mese|trimestre|anno)|(basterebbe|basta|bastano) (una|1|un)|ancora voi|(stufo|stufa|stanco|stanca|stufi)|(solo|soltanto) (se|quando|per)",
    "disiscri…|disiscrizione",
    `non … (scriv…|contatt…|invi…|mand…) … più`,
    "smett… di|basta (con )?(mail|e-?mail|spam)",
    "spam|gdpr|non richiest…|molesti…|garante",
    "(toglie…|cancella…|rimuove…)(mi|temi|ci) ",
    "dove avete (preso|trovato|avuto) (il )?mi",
  ],
};
