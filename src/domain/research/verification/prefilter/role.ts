import { firstToken } from "./tokens.ts";

/*
 * Offices, not people: RFC 2142 sections 3 to 6, and what companies call theirs in the languages that
 * campaigns are written in. No word that is also a name (Grant, Art, Pat, Mark, Page, Bill), but
 * for root, which is seldom Joe's.
 */
const WORDS: Record<string, string> = {
  "RFC 2142":
    "info marketing sales support noc security webmaster www news trouble hostmaster-team dns-admin root",
  company:
    "office offices team teams company corporate business enterprise headquarters hq reception frontdesk front-desk desk " +
    "contact contacts contactus contact-us hello hi hey welcome mail mailbox inbox email general enquiries enquiry inquiries inquiry " +
    "information infos admin admins administrator administrators administration administrative sysadmin management manager managers " +
    "director directors board ceo cfo coo cto cio ciso cmo founders founder owner-team secretary secretariat assistant staff everyone all everybody",
  sales:
    "sale salesteam sales-team presales pre-sales orders order ordering quotes quote quotation quotations rfq rfp tender tenders bid bids " +
    "bookings booking reservations reservation reserve shop store webshop eshop e-shop customer customers clients client wholesale retail " +
    "export exports import imports trade partners partner partnership partnerships affiliate affiliates reseller resellers distributors dealers dealer " +
    "bizdev bd growth leads demo demos trial deals pricing subscriptions subscription memberships membership members account-management",
  money:
    "billing invoice invoices invoicing accounting accounts accountant accountants accountspayable accounts-payable accountsreceivable accounts-receivable " +
    "ap ar payments payment payroll finance finances financial treasury tax taxes audit auditors procurement purchasing purchase buyers purchases " +
    "receipts refunds refund donations donate fundraising investors investor ir investorrelations investor-relations",
  help:
    "help helpdesk help-desk servicedesk service-desk service services serviceteam customerservice customer-service customercare customer-care " +
    "customersupport customer-support customer-success customersuccess care feedback complaints complaint claims claim returns return warranty repairs " +
    "technical techsupport tech-support tech it it-support itsupport ithelp it-helpdesk infrastructure operations ops devops sre oncall on-call " +
    "engineering engineers developer developers dev api web website sysops network networks hosting domains dns ssl systems status incident incidents",
  people:
    "hr humanresources human-resources people peopleops people-ops talent recruiting recruitment recruiter recruiters hiring careers career jobs job " +
    "apply applications applicants cv resume resumes internships internship interns training trainings education admissions admission enrolment enrollment " +
    "registrar alumni students student faculty library learning courses",
  public:
    "press pressoffice press-office media mediarelations pr publicrelations public-relations communications comms editor editors editorial newsroom newsdesk " +
    "newsletter newsletters advertising ads advertise adverts promotions promo social socialmedia social-media community events event conference webinar webinars " +
    "sponsorship sponsors speakers blog podcast subscribe list lists forum moderator moderators",
  law:
    "legal legalteam lawyers counsel compliance privacy gdpr dpo dataprotection data-protection copyright dmca trademark licensing licenses contracts " +
    "ethics whistleblower risk fraud safety trust trustandsafety phishing cert csirt psirt vulnerability disclosure",
  place:
    "warehouse logistics shipping delivery deliveries dispatch freight transport facilities maintenance production factory plant quality qa lab laboratory " +
    "clinic pharmacy nurse appointments appointment parking housekeeping kitchen restaurant bar-team catering hotel concierge spa fitness studio gallery museum " +
    "church parish school principal",
  German:
    "kontakt anfrage anfragen angebote vertrieb verkauf einkauf bestellung bestellungen buchhaltung rechnung rechnungen rechnungswesen zentrale " +
    "empfang sekretariat verwaltung geschaeftsfuehrung geschaeftsleitung gf personal personalabteilung bewerbung bewerbungen karriere ausbildung " +
    "kundendienst kundenservice kundenbetreuung hilfe technik edv presse redaktion werbung datenschutz recht versand lager werkstatt termine praxis " +
    "kanzlei post buero mitarbeiter schulleitung gemeinde rathaus anmeldung reservierung buchung",
  French:
    "bonjour accueil commercial commerciaux ventes vente achats achat commandes commande devis facturation factures facture comptabilite compta " +
    "direction secretaire gestion rh recrutement emploi emplois candidature candidatures formation formations assistance aide " +
    "serviceclient service-client sav clientele communication publicite juridique confidentialite expedition livraison mairie cabinet adherents abonnements",
  Spanish:
    "contacto hola informacion informes consultas consulta ventas venta compras pedidos pedido presupuesto presupuestos facturacion facturas " +
    "contabilidad administracion gerencia secretaria recepcion rrhh recursoshumanos empleo empleos seleccion soporte ayuda " +
    "atencion atencionalcliente atencion-al-cliente clientes servicio servicios tecnico comunicacion prensa publicidad legales privacidad reservas citas",
  Italian:
    "contatti contatto informazioni commerciale vendite acquisti ordini preventivi amministrazione contabilita fatture fatturazione direzione " +
    "segreteria risorseumane personale lavoro candidature assistenza aiuto clienti servizioclienti stampa ufficiostampa ufficio redazione spedizioni prenotazioni",
  Portuguese:
    "contato vendas orcamento orcamentos faturamento financeiro contabilidade administracao diretoria recepcao recursos-humanos vagas " +
    "curriculos suporte ajuda atendimento sac ouvidoria imprensa marketing-digital juridico privacidade encomendas",
  Dutch:
    "verkoop inkoop bestellingen offerte offertes facturen facturatie boekhouding administratie directie receptie secretariaat personeel vacatures " +
    "sollicitatie klantenservice klantendienst ondersteuning pers redactie planning reserveringen",
  Nordic:
    "kundeservice kundtjanst kundservice asiakaspalvelu faktura fakturor regnskab regnskap ekonomi okonomi talous salg forsaljning myynti inkop " +
    "innkjop personalavdelning jobb jobbansokan rekrytering palvelu toimisto resepsjon reception-dk bokning",
  Polish:
    "biuro kontakt-pl sprzedaz zamowienia zamowienie faktury ksiegowosc sekretariat-pl kadry praca rekrutacja pomoc obsluga serwis reklama rezerwacja",
  "Czech, Hungarian, Romanian, Turkish":
    "obchod prodej objednavky ucetni ucetnictvi podpora info-cz ertekesites rendeles ugyfelszolgalat konyveles vanzari comenzi secretariat-ro " +
    "contabilitate suport angajari satis satinalma siparis muhasebe destek iletisim bilgi ik",
};

const ROLES = new Set(Object.values(WORDS).flatMap((words) => words.split(" ")));

/**
 * Whether an office reads the mail there: by the whole name, or by its first word (`sales-emea`,
 * `info.berlin`). Before a dot two or three letters are rather a person's initials (`ar.rahman`).
 */
export function isRole(local: string): boolean {
  const name = local.toLowerCase();
  const before = firstToken(name, "._");
  return (
    ROLES.has(name) ||
    ROLES.has(firstToken(name, "+-")) ||
    (before.length >= 4 && ROLES.has(before))
  );
}
