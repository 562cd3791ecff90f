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
  /\b(?:telegram|whatsapp|wechat|discord|skype|snapchat|viber|signal|instagram)(?: (?:is|as|under|id|handle|user|name|me|us|at)\b| ?:)/;

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
  return longestRun(words, (word) => DIGIT_WORDS.has(word)) >= MIN_DIGITS;
};

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

function longestRun(words: readonly string[], isIn: (word: string) => boolean): number {
  let [longest, now] = [0, 0];
  for (const word of words) {
    now = isIn(word) ? now + 1 : 0;
    longest = Math.max(longest, now);
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
