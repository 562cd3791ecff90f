import type {
  ProbeConnection,
  ProbeEnd,
  ProbeTranscript,
  RecipientOpinion,
  ReplyVerdict,
} from "#src/providers/probe/index.ts";
import { classify } from "./classify.ts";
import { exchangesInStep } from "./in-step.ts";
import type { MxOperator } from "./operator.ts";
import { operatorOf } from "./operator.ts";
import type { Reason } from "./outcome.ts";

export interface Decision {
  reason: Reason;
  /** Whether the domain takes everything, as far as it bears on this answer; null when that is not known. */
  isCatchAll: boolean | null;
  /** The same, where it was learnt for the domain's other addresses too: they are not asked beside a random one then. */
  learnt: boolean | null;
}

/** What is known before anything is asked. */
export interface Known {
  /** From an earlier probe of the domain. */
  isCatchAll: boolean | null;
}

const BY_VERDICT: Record<Exclude<ReplyVerdict, "accepted">, Reason> = {
  no_such_user: "no_such_user",
  disabled: "mailbox_disabled",
  unverified: "unclear_reply",
  full: "mailbox_full",
  throttled: "throttled",
  too_many_recipients: "temporary",
  greylisted: "greylisted",
  temporary: "temporary",
  policy: "policy",
  unclear: "unclear_reply",
};

/** What a transcript says of one of its recipients. Pure; `invalid` comes from a refusal of the recipient alone. */
export function decide(transcript: ProbeTranscript, recipient: string, known: Known): Decision {
  if (transcript.failure !== null) return unasked("egress_failed");
  const opinions = opinionsOf(transcript);
  const verdict = verdictOn(opinions, recipient);
  if (verdict === undefined) return unasked(whyUnasked(transcript.connections));
  const isCatchAll = catchAllOf(opinions, transcript, known);
  const learnt = learntOf(opinions, transcript);
  return { reason: reasonOf(verdict, isCatchAll), isCatchAll, learnt };
}

/** Nothing was learnt. */
export const unasked = (reason: Reason): Decision => ({ reason, isCatchAll: null, learnt: null });

function reasonOf(verdict: ReplyVerdict, isCatchAll: boolean | null): Reason {
  if (verdict === "unverified" && isCatchAll === true) return "accepts_everything";
  if (verdict !== "accepted") return BY_VERDICT[verdict];
  if (isCatchAll === null) return "catch_all_unclear";
  return isCatchAll ? "accepts_everything" : "mailbox_exists";
}

/** The last word on each recipient counts. */
const verdictOn = (opinions: readonly RecipientOpinion[], recipient: string) =>
  opinions.findLast((each) => !each.isRandom && each.recipient === recipient)?.verdict;

function opinionsOf({ connections, opinions }: ProbeTranscript): RecipientOpinion[] {
  return [...connections.flatMap(heardOver), ...opinions];
}

/** More than one recipient, or too fast: it may be any. */
const ABOUT_NUMBERS = /too (many|much|fast|often)|\brate\b|limit|exceed/i;

function heardOver(connection: ProbeConnection): RecipientOpinion[] {
  let hasAccepted = false;
  return exchangesInStep(connection).flatMap(({ recipient, isRandom = false, reply }) => {
    if (recipient === undefined) return [];
    // Whatever is not a refusal of the random address takes it.
    const takes = isRandom && reply.code < 400;
    const said = takes ? "accepted" : classify(reply, connection.host);
    // The host took another recipient from us just now, so that whatever it says is about this one.
    const isAboutIt = hasAccepted && said === "policy" && !ABOUT_NUMBERS.test(reply.text);
    hasAccepted ||= said === "accepted";
    return [{ recipient, isRandom, verdict: isRandom && isAboutIt ? "unclear" : said }];
  });
}

/** A host that tells one address from another, in whatever words, does not take everything. */
function catchAllOf(
  opinions: readonly RecipientOpinion[],
  transcript: ProbeTranscript,
  known: Known,
): boolean | null {
  const operator = operatorAsked(transcript);
  if (operator?.recipients === "none") return true;
  const random = opinions.findLast(({ isRandom }) => isRandom)?.verdict;
  // A single mailbox may be shut where all others are taken.
  if (known.isCatchAll === true && random === undefined) return true;
  if (opinions.some(({ verdict }) => verdict === "no_such_user")) return false;
  if (random === "accepted") return true;
  const accepted = opinions.some((each) => !each.isRandom && each.verdict === "accepted");
  if (accepted && (random === "unclear" || random === "disabled")) return false;
  return known.isCatchAll ?? (operator?.neverCatchAll ? false : null);
}

/**
 * A refused address may be one that is shut where all others are taken: only what became of the random one holds for
 * others, and only where its refusal is about nothing else.
 */
function learntOf(
  opinions: readonly RecipientOpinion[],
  transcript: ProbeTranscript,
): boolean | null {
  if (operatorAsked(transcript)?.recipients === "none") return true;
  const random = opinions.findLast(({ isRandom }) => isRandom)?.verdict;
  if (random === "accepted") return true;
  return random === "no_such_user" || random === "disabled" ? false : null;
}

function operatorAsked({ connections }: ProbeTranscript): MxOperator | null {
  const asked = connections.findLast(({ stage }) => stage === "rcpt");
  return asked ? operatorOf(asked.host) : null;
}

const BY_END: Record<ProbeEnd, Reason> = {
  done: "unclear_reply",
  refused: "policy",
  unreachable: "unreachable",
  paced: "paced",
  // Of all of them, or it does not get here.
  no_address: "no_mail_host",
  forbidden: "private_host",
  closed: "unreachable",
  timeout: "timeout",
  not_smtp: "broken_host",
  tls_failed: "broken_host",
  no_smtputf8: "no_smtputf8",
};

/** Why no recipient was answered; of several hosts the one that came furthest tells. */
function whyUnasked(connections: readonly ProbeConnection[]): Reason {
  const order: ProbeEnd[] = ["no_address", "forbidden", "unreachable", "timeout"];
  const rank = ({ end }: ProbeConnection) => (order.includes(end) ? order.indexOf(end) : 9);
  const best = connections.toSorted((a, b) => rank(a) - rank(b)).at(-1);
  if (best === undefined) return "unreachable";
  const isTemporary = best.end === "refused" && (best.exchanges.at(-1)?.reply.code ?? 0) < 500;
  return isTemporary ? "temporary" : BY_END[best.end];
}

/** RFC 4954: it takes mail of its own users alone, which any domain can name in its MX. */
const AUTHENTICATION_REQUIRED = 530;

/** Whether the operator refuses us as such, before any recipient was named or by hanging up. */
export function refusesUs({ connections }: ProbeTranscript): boolean {
  return connections.some(({ end, exchanges }) => {
    const code = exchanges.at(-1)?.reply.code ?? 0;
    return code === 421 || (end === "refused" && code >= 500 && code !== AUTHENTICATION_REQUIRED);
  });
}

/** Whether we were refused at a recipient, by a host that takes the domain's mail: any domain can name one that does not. */
export function refusesUsAtRecipient(transcript: ProbeTranscript): boolean {
  const replies = transcript.connections.flatMap(({ exchanges }) => exchanges);
  const isForeign = replies.some(
    ({ stage, reply }) => stage === "rcpt" && /relay/i.test(reply.text),
  );
  return !isForeign && opinionsOf(transcript).some(({ verdict }) => verdict === "policy");
}
