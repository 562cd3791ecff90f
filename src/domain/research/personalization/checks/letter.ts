import { fold, foldMarks, wordsOf } from "../normalize-text.ts";
import { type Check, type Given, namesOf } from "./check.ts";

const HEADERS = [
  /^[>| ]{0,5}(?:from|to|cc|bcc|subject|reply-to|date|sent|von|an|betreff|de|para|asunto|objet|oggetto|x-[a-z-]+|content-type|mime-version) ?: ?\S/,
  /^[-_=* ]{0,10}(?:original|forwarded|weitergeleitete|ursprüngliche|mensaje|message) (?:message|nachricht|original|transféré)/,
  /^on .{5,80} wrote ?:|^am .{5,80} schrieb|^le .{5,80} a écrit|^el .{5,80} escribió/,
  /^>/,
];

/** A header, a quoted mail or a second letter within the letter. */
export const hasSecondLetter: Check = ({ body }) => {
  const lines = body.split(/\r\n?|\n/).map((line) => fold(line.slice(0, 300)).trim());
  return lines.some((line) => HEADERS.some((pattern) => pattern.test(line)));
};

const GREETING =
  /^(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten (?:tag|morgen|abend)|bonjour|bonsoir|ch(?:er|ère)s?|salut|hola|estimad[oa]s?|querid[oa]s?|buenos días|ciao|buongiorno|gentile|egregio|olá|prezad[oa]s?|car[oa]s?|beste|geachte|dag|hej|hei)\s+(.{1,100}?)\s*(?:[,!:;.–—-]|$)/iu;
/** Words of a greeting that are no name. */
const TITLES = new Set(
  (
    "mr mrs ms miss mx dr prof professor sir madam herr frau monsieur madame mademoiselle m mme mlle senor senora sr sra don dona " +
    "signor signora dott dottor ing the and und et y e from at team there all everyone everybody folks again colleagues friend zusammen " +
    "damen herren alle leute kollegen tous equipe equipo todos tutti colleague neighbour good day to you from of"
  ).split(" "),
);

/** A greeting may have a line before it. */
const GREETING_LINES = 3;

/** The letter greets by a name that the lead does not have. */
export const greetsAnother: Check = ({ body }, { request }) => {
  const lines = body
    .trim()
    .split(/\n+/, GREETING_LINES)
    .map((line) => line.trim().slice(0, 200).normalize("NFKC"));
  const greeted = lines.flatMap((line) => GREETING.exec(line)?.[1] ?? []);
  if (greeted.length === 0) return false;
  const known = new Set(namesOf(request.lead).flatMap((name) => wordsOf(foldMarks(name))));
  return greeted.flatMap(namesIn).some((word) => !known.has(word));
};

/** Words with a capital, or of a script that has none, in the form in which names are compared. */
const namesIn = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => /^[\p{Lu}\p{Lt}\p{Lo}]/u.test(word))
    .map(foldMarks)
    .filter((word) => !TITLES.has(word));

const CLOSING =
  /^(?:(?:kind|best|warm|warmest|many|with|my)?\s?(?:kind |best |warm )?(?:regards|wishes)|best|all the best|cheers|thanks|many thanks|thank you|sincerely|yours(?: sincerely| truly| faithfully)?|respectfully|talk soon|(?:viele|beste|liebe|herzliche|schöne|freundliche) grüße|mit (?:freundlichen|besten|herzlichen) grüßen|mfg|vg|lg|cordialement|bien (?:à vous|cordialement)|sincères salutations|saludos(?: cordiales)?|un saludo|atentamente|cordiali saluti|saluti|distinti saluti|atenciosamente|abraços?|met vriendelijke groet(?:en)?|groeten)[,.!]?$/;
const INTRODUCTION =
  /\b(?:my name is|mein name ist|ich heiße|je m'appelle|me llamo|mi nombre es|mi chiamo|meu nome é|mijn naam is|on behalf of|im namen von|de la part de|en nombre de|per conto di)\s+((?:the )?\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+){0,4})/giu;
const MAX_SIGNATURE_LINES = 4;
const MAX_SIGNATURE_WORDS = 8;

/** The letter is signed, or introduces its writer, by a name that is not the sender's. */
export const signsAsAnother: Check = ({ body }, given) => {
  const lines = body
    .trim()
    .split("\n")
    .map((line) => line.trim().slice(0, 200).normalize("NFKC"))
    .filter((line) => line !== "");
  const isOwn = ownWords(given);
  const introduced = [...body.normalize("NFKC").matchAll(INTRODUCTION)].map(([, name]) => name!);
  return [...signatureOf(lines), ...introduced].some((line) =>
    namesIn(line).some((word) => !isOwn(word)),
  );
};

function ownWords({ own }: Given): (word: string) => boolean {
  const words = new Set(wordsOf(foldMarks(own)));
  return (word) => words.has(word);
}

/** The short lines under the closing formula; without one, a last line that is only a name. */
function signatureOf(lines: readonly string[]): string[] {
  const closing = lines.findLastIndex((line) => CLOSING.test(fold(line)));
  const last = lines.slice(-1).filter(isName);
  const under =
    closing === -1
      ? last
      : [...lines.slice(closing + 1, closing + 1 + MAX_SIGNATURE_LINES), ...last];
  return under.filter(
    (line) => !/^p\.? ?p?\.? ?s/i.test(line) && wordsOf(line).length <= MAX_SIGNATURE_WORDS,
  );
}

const isName = (line: string): boolean =>
  /^[-–—~ ]{0,3}\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,3}$/u.test(line);

const ATTACHED =
  /\b(?:attached|attachments?|enclosed|angehängt|im anhang|beigefügt|anbei|ci-joint|pièces? jointes?|adjunt[oa]s?|en el archivo|allegat[oi]|em anexo|bijgevoegd|in de bijlage)\b/;

/** No draft has an attachment: one that speaks of it makes its reader look for a file. */
export const speaksOfAttachment: Check = ({ folded }, { own }) => {
  const [found] = ATTACHED.exec(folded) ?? [];
  return found !== undefined && !own.includes(found);
};

const SECRETS =
  /\b(?:pass ?words?|pass ?codes?|passwort|kennwort|mot de passe|contraseñas?|one-time (?:code|password)|otp|verification code|2fa|pin (?:code|number)|(?:bank |mailbox |mail |your )?log-?ins?(?: details| credentials| data)?|access codes?|vouchers?|credentials|social security|ssn|credit card|card number|kreditkarte|carte bancaire|tarjeta de crédito|cvv|bank (?:details|account|transfer)|account number|sort code|routing number|bankverbindung|iban|swift code|wire transfer|überweis\p{L}*|gift ?cards?|gutscheinkarten|bitcoins?|btc|ethereum|usdt|crypto wallets?|wallet address|seed phrase|western union|moneygram)\b/u;

const ASKING =
  /\b(?:send|reply|respond|confirm|provide|enter|share|verify|update|give|pay|transfer|buy|deposit|submit|need|require|tell|text|sende?n?|schicke?n?|bestätige?n?|zahle?n?|überweise?n?|envoye[rz]?|confirme[rz]?|paye[rz]?|envíe?|confirme|pague)\b/;

/** Passwords, cards, accounts and payments are nothing that a first letter asks a stranger for, unless the customer writes of them. */
export const asksForSecrets: Check = ({ text }, { own }) => {
  const sentences = text.split(/[.!?\n]+/).map(fold);
  return sentences.some((sentence, at) => {
    const [found] = SECRETS.exec(sentence) ?? [];
    const around = `${sentence} ${sentences[at + 1] ?? ""}`;
    return found !== undefined && ASKING.test(around) && !own.includes(found);
  });
};
