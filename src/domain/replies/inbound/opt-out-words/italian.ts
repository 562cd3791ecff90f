import type { OptOutWords } from "./language.ts";

const MAIL =
  "(e-?mail|mail|messagg[io]|comunicazion[ei]|newsletter|pubblicità|spam|offert[ae]|propost[ae]|informazioni|posta|nulla|niente)";
const MINE =
  "((il |i |la |le )?(mio|miei|mia|nostro|nostri|nostra) (indirizz[oi]|e-?mail|mail|nome|dati|nominativo|contatt[oi]|recapit[oi])|questo indirizzo)";
const LIST =
  "(list[ae]|mailing ?list|elenc(o|hi)|database|banc(a|he) dati|archiv[io]|newsletter|sistema|rubrica|contatti|invii|registr[io]|mailing)";
const REMOVE = "(cancell…|rimuov…|togli…|elimin…|disiscriv…|depenn…|escl…|lev…|tolg…)";
const SEND =
  "(scriv…|contatt…|ricontatt…|invi…|mand…|disturb…|sped…|spediate|import…|sollecit…|tempest…|spamm…)";

export const italian: OptOutWords = {
  alone:
    "cancellami|cancellatemi|mi cancelli|disiscrizione|disiscrivimi|disiscrivetemi|disiscriver(e|mi)|rimuovimi|rimuovetemi|cancellazione|cancellarmi|stop|basta( (e-?mail|mail|spam|messaggi))|toglimi|toglietemi|eliminatemi|annulla (l')?iscrizione",
  courtesies:
    "per favore|per cortesia|grazie|prego|subito|buongiorno|salve|ciao|gentilmente|vi prego|cortesemente",
  asks: [
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
    "fino|prima (di|del)|per ora|per il momento|questo (mese|anno)|questa settimana|qui",
    "così (spesso|tante|tanti)|troppe|troppi|in pdf|allegati",
  ],
  elsewhere: [
    "invece|piuttosto|meglio|(mi )?chiam…(mi|ci)?|telefon(ami|atemi|i|ate)|(su|via) whatsapp|altro indirizzo|al (cellulare|telefono)",
  ],
  hints: [
    "disiscri…|disiscrizione",
    `non … (scriv…|contatt…|invi…|mand…) … più`,
    "smett… di|basta (con )?(mail|e-?mail|spam)",
    "spam|gdpr|non richiest…|molesti…|garante",
    "(toglie…|cancella…|rimuove…)(mi|temi|ci) ",
    "dove avete (preso|trovato|avuto) (il )?mi",
  ],
};
