import { CATEGORY_KINDS, type RefusalCategory } from "#src/domain/people/refusals/categories.ts";
import { categoryByWords, plainWords } from "#src/domain/people/refusals/read.ts";
import { PRECISE_WORDS, VAGUE_WORDS } from "#src/domain/people/refusals/bounce-patterns.ts";
import { PLAIN_WORDS } from "#src/domain/people/refusals/plain-words.ts";
import type { ProbeReply, ReplyVerdict } from "#src/providers/probe/index.ts";
import { operatorOf } from "./operator.ts";

interface Read {
  code: number;
  /** Enhanced code of the same class as the reply code, or empty. */
  status: string;
  text: string;
  dialect: string;
  /** The category that the words name. */
  words: RefusalCategory | null;
  /** The category of plain words about the recipient. */
  plain: RefusalCategory | null;
}

/** All that a rule names must hold; the first rule that fits decides. */
interface Rule {
  verdict: ReplyVerdict;
  dialects?: readonly string[];
  codes?: readonly number[];
  status?: RegExp;
  text?: RegExp;
  butNot?: RegExp;
  words?: readonly RefusalCategory[];
  plain?: RefusalCategory;
}

/** The mailbox is there and takes no more for now: Google says so with 4.2.1 and 5.2.1. */
const TOO_MUCH_MAIL =
  /\b(user|recipient|mail ?box|account)\b( \S+){0,8} (receiving mail|exceeded)( \S+){0,8} (rate|quickly|fast|limit|hour)/;
const TOO_MANY_RECIPIENTS =
  /too many( \S+)? recipients|(one|single) recipient (at a time|only|per)/;
const US =
  /polic(y|ies)\b|reputation|\bspam\w*|unsolicited|(black|block|deny).?list|\bblocked (for|using|by)\b|restrict|prohibit|spoof|bann(ed|ing)|rate.?limit|volume|abuse|client host|\bptr\b|reverse dns/;
/** Behind such words an address was not looked up, or not for us. */
const DOUBT =
  /access denied|permission|temporar|try again|later|administrat|not allowed|authori[sz]|in progress|timed? ?out|lookup (fail|error)/;

/** Behind such words the user may be the one who sends. */
const LOGIN = /authenticat|log ?[io]n\b|password|credential/;

/** Of 4xx. A host that asks to come back says nothing of the address. */
const TEMPORARY: readonly Rule[] = [
  { verdict: "throttled", text: TOO_MUCH_MAIL },
  { verdict: "temporary", codes: [421] },
  { verdict: "too_many_recipients", status: /^4\.5\.3$/ },
  { verdict: "too_many_recipients", text: TOO_MANY_RECIPIENTS },
  { verdict: "greylisted", words: ["greylisted"] },
  { verdict: "greylisted", text: /verification( \S+)? in progress|unverified address/ },
  { verdict: "temporary", status: /^4\.[34]\./ },
  { verdict: "greylisted", status: /^4\.(7\.1|7\.500|2\.0)$/, butNot: US },
  { verdict: "temporary", status: /^4\.7\./ },
  { verdict: "full", status: /^4\.2\.2$/ },
  { verdict: "full", words: ["mailbox_full"], butNot: /system|server|queue|resource/ },
];

const isAboutUs = (category: RefusalCategory) => CATEGORY_KINDS[category] === "policy";
const POLICY_CATEGORIES = (Object.keys(CATEGORY_KINDS) as RefusalCategory[]).filter(isAboutUs);
const GREYLIST = VAGUE_WORDS.filter(([category]) => category === "greylisted");
/** Words about us count before words about a mailbox, whatever stands first. */
const WORDS = [...PRECISE_WORDS.filter(([category]) => isAboutUs(category)), ...PRECISE_WORDS];

/** Of security, and of what is none of the recipient's: plain words about the recipient beat them. */
const OTHER_CODES = /^5\.[34567]\./;

/** Of 5xx: first what is not about the recipient, then the states of a mailbox, its absence last. */
const PERMANENT: readonly Rule[] = [
  { verdict: "throttled", text: TOO_MUCH_MAIL },
  { verdict: "too_many_recipients", status: /^5\.5\.3$/ },
  { verdict: "too_many_recipients", text: TOO_MANY_RECIPIENTS },
  // Directory-based edge blocking: the tenant's directory does not have the address.
  {
    verdict: "no_such_user",
    dialects: ["microsoft365", "outlook"],
    status: /^5\.4\.1$/,
    text: /recipient.* rejected ?: access denied/,
  },
  {
    verdict: "no_such_user",
    dialects: ["outlook"],
    status: /^5\.5\.0$/,
    text: /mailbox unavailable/,
  },
  { verdict: "policy", status: /^5\.1\.[78]$/ },
  { verdict: "policy", text: US },
  { verdict: "policy", words: POLICY_CATEGORIES },
  { verdict: "policy", status: /^5\.7\.\d+$/, text: LOGIN },
  { verdict: "disabled", status: OTHER_CODES, plain: "disabled", butNot: DOUBT },
  { verdict: "no_such_user", status: OTHER_CODES, plain: "no_such_user", butNot: DOUBT },
  { verdict: "policy", status: /^5\.7\.\d+$/ },
  { verdict: "unclear", words: ["network"] },
  { verdict: "unclear", status: /^5\.[3456]\./ },
  // Orange and Comcast say 5.1.1 of a mailbox that is full.
  { verdict: "full", status: /^5\.2\.2$/ },
  { verdict: "full", words: ["mailbox_full"] },
  { verdict: "full", codes: [552], status: /^$/, butNot: /not found|unknown|size|large|big/ },
  { verdict: "disabled", words: ["disabled"], butNot: DOUBT },
  { verdict: "no_such_user", status: /^5\.1\.(0|1|3|6|10)$/, butNot: DOUBT },
  { verdict: "no_such_user", words: ["no_such_user"], butNot: DOUBT },
  {
    verdict: "no_such_user",
    words: ["moved"],
    text: /no longer|not any (more|longer)|\bmoved\b|has left|not (our|local)/,
    butNot: DOUBT,
  },
  { verdict: "disabled", status: /^5\.2\.1$/, butNot: DOUBT },
];

/**
 * What one reply to RCPT says of the recipient, by RFC 5321 and 3463, the operator's habits and words of a dozen
 * languages. Never `no_such_user` or `disabled` for what is temporary, or about us.
 */
export function classify(reply: ProbeReply, host: string): ReplyVerdict {
  const { code } = reply;
  if (code === 250 || code === 251) return "accepted";
  if (code === 252) return "unverified";
  if (code < 400) return "unclear";
  const text = plainWords(reply.text);
  const read: Read = {
    code,
    text,
    status: statusIn(reply, text),
    dialect: operatorOf(host).dialect,
    words: categoryByWords(code < 500 ? [...GREYLIST, ...WORDS] : [...WORDS, ...GREYLIST], text),
    plain: categoryByWords(PLAIN_WORDS, text),
  };
  const fitting = (code < 500 ? TEMPORARY : PERMANENT).find((rule) => fits(rule, read));
  return fitting?.verdict ?? (code < 500 ? "temporary" : "unclear");
}

function fits(rule: Rule, { code, status, text, dialect, words, plain }: Read): boolean {
  return (
    (rule.dialects?.includes(dialect) ?? true) &&
    (rule.codes?.includes(code) ?? true) &&
    (rule.status?.test(status) ?? true) &&
    (rule.text?.test(text) ?? true) &&
    !rule.butNot?.test(text) &&
    (rule.plain === undefined || rule.plain === plain) &&
    (rule.words === undefined || (words !== null && rule.words.includes(words)))
  );
}

/** Some write the code elsewhere than in front. One of another class than the reply's contradicts it and is left out. */
function statusIn({ code, enhanced }: ProbeReply, text: string): string {
  const found = enhanced ?? /(?<![\d.])([45]\.[0-7]\.\d{1,3})(?![\d.])/.exec(text)?.[1] ?? "";
  return found.startsWith(String(code)[0]!) ? found : "";
}
