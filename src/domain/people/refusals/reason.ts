import { CATEGORY_KINDS, type RefusalCategory, type RefusalKind } from "./categories.ts";
import { categoryByStatus, categoryByWords, plainWords } from "./read.ts";
import { PRECISE_WORDS, RESOLVER_TROUBLE, VAGUE_WORDS, type Words } from "./bounce-patterns.ts";

export interface Reason {
  category: RefusalCategory;
  kind: RefusalKind;
  /** Which rule decided, such as `words:no_such_user` or `status:5.1.1`. */
  rule: string;
}

const REPLY: Readonly<Record<string, RefusalCategory>> = {
  "421": "timeout",
  "450": "other",
  "451": "system",
  "452": "mailbox_full",
  "500": "protocol",
  "501": "protocol",
  "502": "protocol",
  "503": "protocol",
  "504": "protocol",
  "521": "no_mail_accepted",
  "551": "moved",
  "552": "mailbox_full",
  "553": "other",
  "556": "no_mail_accepted",
};

export interface Refusal {
  /** Whether a machine-readable report (RFC 3464) says so, or a text. */
  format: "report" | "notice";
  /** Enhanced status code; empty when there is none. */
  status: string;
  /** SMTP reply code; empty when there is none. */
  reply: string;
  /** What the refusing system said. */
  diagnostic: string;
  /** What the notice says around it, read when the diagnostic is not enough. */
  notice?: string;
}

/** Why a message was refused: precise words, then the status code, then vague words, then the reply code. */
export function refusalReason(refusal: Refusal): Reason {
  const { status, reply } = refusal;
  const diagnostic = plainWords(refusal.diagnostic.replace(IRONPORT, ""));
  const notice = plainWords(refusal.notice ?? "");
  const found = byWords(PRECISE_WORDS, diagnostic) ??
    byStatus(status) ??
    byWords(VAGUE_WORDS, diagnostic) ??
    byWords(PRECISE_WORDS, notice) ??
    bySubject(status) ??
    byReply(reply) ??
    byWords(VAGUE_WORDS, notice) ?? { category: "other" as const, rule: "nothing" };
  return tempered(found, refusal, `${diagnostic} ${notice}`);
}

/** Cisco's mail gateways put a summary of their own before the reply they got. */
const IRONPORT = /\b\d\.\d\.\d - [\w ]{3,40}(?=\d{3}[- ]')/;
/** Where the refusal came after the message, not after the address; sendmail and Postfix say so. */
const AFTER_DATA =
  />>> data\b(?!.*<<< (503|554) )|smtp command data\b|in reply to (the )?end of data|after (end of data|data command)|after i sent the message|\(state 1[78]\)|<<< data/;
/** Where it came before any recipient was named: it is about the sender. */
const BEFORE_RECIPIENT =
  />>> (mail from|helo|ehlo)\b(?!.*>>> (rcpt|data))|in reply to (mail from|helo|ehlo)|after (mail from|helo|ehlo|initial connection)|(your|my) name was rejected|sender was rejected/;
const AFTER_RECIPIENT = /\brcpt[ _]to\b|does not like recipient|\(state 1[345]\)/;
/** KDDI leaves the address out when it filters. */
const KDDI = /(^|\b550[ :]+): user unknown/;

/** "Unknown" is not always final: an address is given up only when nothing contradicts it. */
function tempered(found: NonNullable<Found>, refusal: Refusal, text: string): Reason {
  const { status, reply } = refusal;
  // A system that says 5.1.1 does not mean a pause.
  if (found.category === "disabled" && /^5\.1\.(1|10)$/.test(status))
    return { category: "no_such_user", kind: "hard", rule: `status:${status}` };
  const kind = CATEGORY_KINDS[found.category];
  if (kind !== "hard") return { ...found, kind };
  // Behind a 4xx it is an address that could not be checked.
  if (status.startsWith("4") || (status === "" && reply.startsWith("4")))
    return { ...found, kind: "soft" };
  // The code sums up what the notice tells in words.
  if (found.category === "no_domain" && RESOLVER_TROUBLE.some((each) => each.test(text)))
    return { category: "network", kind: "soft", rule: `${found.rule},resolver` };
  if (BEFORE_RECIPIENT.test(text))
    return { category: "sender_rejected", kind: "policy", rule: `${found.rule},before_recipient` };
  // A server that judges the message's content, or names a policy, knows the address and filters.
  const filtered =
    found.category === "no_such_user" &&
    !/^5\.1\.\d+$/.test(status) &&
    !AFTER_RECIPIENT.test(text) &&
    (status === "5.7.1" || isWeak(refusal) || AFTER_DATA.test(text) || KDDI.test(text));
  return filtered
    ? { category: "recipient_filter", kind: "soft", rule: `${found.rule},filtered` }
    : { ...found, kind };
}

/** A bare reply code in a notice that says neither an enhanced code nor which command was refused. */
const isWeak = ({ format, status, reply }: Refusal): boolean =>
  format === "notice" && status === "" && reply !== "";

type Found = Pick<Reason, "category" | "rule"> | null;

function byWords(words: Words, text: string): Found {
  const category = categoryByWords(words, text);
  return category ? { category, rule: `words:${category}` } : null;
}

function byStatus(status: string): Found {
  const category = categoryByStatus(status);
  return category ? { category, rule: `status:${status}` } : null;
}

/** The middle number (RFC 3463 section 3), for codes whose last one says nothing more. */
function bySubject(status: string): Found {
  const category = ({ "3": "system", "5": "protocol", "6": "content", "7": "policy" } as const)[
    status.split(".")[1] ?? ""
  ];
  return category ? { category, rule: `status:${status}` } : null;
}

function byReply(reply: string): Found {
  const category = REPLY[reply];
  return category ? { category, rule: `reply:${reply}` } : null;
}
