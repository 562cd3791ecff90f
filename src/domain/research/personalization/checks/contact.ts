import { fold } from "../normalize-text.ts";
import { addressesIn, hostOf } from "./addresses.ts";
import { type Check, type Given } from "./check.ts";

/**
 * Links of the customer's own texts only, to the letter; and bare hosts, without a path, of those and of the lead's own
 * address, website and name of company, for some companies are called like one.
 */
export const hasForeignLink: Check = ({ addresses }, given) => {
  const own = new Set(given.ownAddresses.links);
  const hosts = new Set([...given.ownAddresses.links.map(hostOf), ...hostsOfLead(given)]);
  return addresses.links.some((link) => !own.has(link) && !hosts.has(link));
};

function hostsOfLead({ request: { lead } }: Given): string[] {
  const { email = "", website = "", company = "" } = lead;
  const company1 = /^\S{1,100}\.\S{2,20}( \S{1,6}){0,2}$/.test(company) ? company : "";
  const [, domain = ""] = email.split("@");
  return [domain, website, company1].flatMap((text) => addressesIn(text).links).map(hostOf);
}

export const hasForeignEmail: Check = ({ addresses }, { ownAddresses }) =>
  addresses.emails.some((email) => !ownAddresses.emails.includes(email));

const MESSENGER =
  /\b(?:telegram|whatsapp|wechat|discord|skype|snapchat|viber|signal|instagram)(?: (?:channel|group|bot|account|chat|page|is|as|under|id|handle|user|name|me|us|at)\b| ?:)/;

/** An @name, or a messenger with a name behind it. */
export const hasForeignHandle: Check = ({ addresses, folded }, { own, ownAddresses }) => {
  const [messenger] = MESSENGER.exec(folded) ?? [];
  return (
    addresses.handles.some((handle) => !ownAddresses.handles.includes(handle)) ||
    (messenger !== undefined && !own.includes(messenger))
  );
};

const MIN_DIGITS = 7;
const DATE = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{4} ?[-/] ?\d{4})$/;
const THOUSANDS = /^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$/;
const SPACED_THOUSANDS = /^\d{1,3}(?: \d{3})+$/;
const UNIT = /^ ?(?:[$€£¥%]|eur|usd|gbp|chf|inr|million|mio|people|users|kunden|customers)/;
const DIGIT_WORDS = new Set(
  (
    "zero oh one two three four five six seven eight nine null eins zwei drei vier fünf sechs sieben acht neun " +
    "zéro un deux trois quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve"
  ).split(" "),
);

/** Commas stand within amounts only: behind one that a space follows, another number begins. */
const NUMBER_RUN = /(?<![0-9])[0-9](?:(?:[ \-./()'+]{0,3}|,)[0-9])*/g;

const digitsOf = (run: string): string => run.replace(/[^0-9]+/g, "");

/** Numbers to call or to pay to: seven digits in a row, however they are grouped or spelled, which are no date and no amount. */
export const hasForeignNumber: Check = ({ folded, words }, { own }) => {
  const ownRuns = (own.match(NUMBER_RUN) ?? []).map(digitsOf);
  // "9OO 555 O142"
  const text = folded.replace(/(?<=[0-9])[ol]+|(?<![ol])[ol]+(?=[0-9])/g, (letters) =>
    "0".repeat(letters.length),
  );
  for (const match of text.matchAll(NUMBER_RUN)) {
    const [run] = match;
    const digits = digitsOf(run);
    if (digits.length < MIN_DIGITS) continue;
    const end = match.index + run.length;
    if (isAmount(run, text.slice(end, end + 12))) continue;
    if (!ownRuns.some((each) => each.includes(digits))) return true;
  }
  return spelledDigits(words) >= MIN_DIGITS || asksToText(folded, own);
};

/** "Text JOIN to 60606": short numbers are called or texted, and everything else is only counted. */
const SHORT_NUMBER =
  /\b(?:(?:text|txt|sms|message|send|whatsapp)\b[^.!?\n]{0,40}?\b(?:to|on|at)\s|(?:dial|extension|ring|call|phone)\b[^.!?\n]{0,20}?\s)(?:the (?:number|short ?code) )?(\d(?: ?\d){2,7})\b(?! ?(?:[$€£%]|\p{L}))/u;

function asksToText(folded: string, own: string): boolean {
  const number = SHORT_NUMBER.exec(folded)?.[1];
  return number !== undefined && !own.includes(number);
}

const isAmount = (run: string, after: string): boolean =>
  DATE.test(run) ||
  THOUSANDS.test(run) ||
  (SPACED_THOUSANDS.test(run) && UNIT.test(after)) ||
  isRange(run);

/** "500-1000", "1,000 - 5,000". */
function isRange(run: string): boolean {
  const parts = run.split(/ ?- ?/);
  if (
    parts.length !== 2 ||
    !parts.every((part) => /^[1-9]\d{0,3}$/.test(part) || THOUSANDS.test(part))
  )
    return false;
  return Number(digitsOf(parts[0]!)) < Number(digitsOf(parts[1]!));
}

/** What stands between the parts of a number that is read out. */
const BETWEEN = new Set(
  "followed by then and dash hyphen minus space slash plus strich puis luego".split(" "),
);

/** The digits of the longest number that is read out, in words or in parts with words between them. */
function spelledDigits(words: readonly string[]): number {
  let [longest, digits, isSpelled] = [0, 0, false];
  for (const word of words) {
    if (DIGIT_WORDS.has(word)) [digits, isSpelled] = [digits + 1, true];
    else if (/^\d+$/.test(word)) digits += word.length;
    else if (digits > 0 && BETWEEN.has(word)) isSpelled ||= word !== "and";
    else [digits, isSpelled] = [0, false];
    if (isSpelled) longest = Math.max(longest, digits);
  }
  return longest;
}

/** Accounts, wallets, keys and encoded data: long words of letters and digits that are not in the input. */
export const hasForeignCode: Check = ({ text }, { own }) => {
  const tokens = text.normalize("NFKC").split(/[^\p{L}\p{N}+/=_]+/u);
  return tokens.some(
    (token) =>
      token.length >= 20 &&
      /[0-9]/.test(token) &&
      /[a-z]/i.test(token) &&
      !own.includes(fold(token)),
  );
};
