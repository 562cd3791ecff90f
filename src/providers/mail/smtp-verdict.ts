import type { SendResult, SendStage } from "./index.ts";
import { adviceFor } from "./smtp-advice.ts";
import { isPermanent, replyText, type SmtpReply } from "./smtp-replies.ts";

type Rejected = Extract<SendResult, { state: "rejected" }>;
type Deferred = Extract<SendResult, { state: "deferred" }>;

interface Rule<Scope> {
  stage?: SendStage;
  code?: number;
  /** Start of the enhanced status code, without its class: `.1.` or `.7.26`. */
  enhanced?: string;
  text?: RegExp;
  scope: Scope;
}

/** The server does not relay for this client. */
export const REFUSES_RELAYING =
  /relay(ing)? (access )?denied|not permitted to relay|authentication (is )?required/i;

/**
 * The party at fault in a permanent refusal; the first rule that fits decides. Enhanced codes are RFC
 * 3463: x.1 addresses, x.2 mailbox, x.3 system, x.5 protocol, x.6 content, x.7 policy. x.1.7 and x.1.8
 * are about the sender's own address. Once the recipient is named, a policy may be the recipient's or be
 * about the sender, and a code may be missing: the reply's words and the sender's history decide
 * (messages/mail-result.ts).
 */
const rejections: readonly Rule<Rejected["scope"]>[] = [
  { stage: "mail", code: 552, scope: "message" },
  { stage: "mail", enhanced: ".3.4", scope: "message" },
  { stage: "mail", scope: "sender" },
  { enhanced: ".1.7", scope: "sender" },
  { enhanced: ".1.8", scope: "sender" },
  { text: REFUSES_RELAYING, scope: "sender" },
  { enhanced: ".7.", scope: "doubtful" },
  { enhanced: ".1.", scope: "recipient" },
  { enhanced: ".2.", scope: "recipient" },
  { stage: "rcpt", scope: "doubtful" },
  { scope: "message" },
];

/** The party at fault in a temporary refusal. At RCPT a relay may pass on the answer of the recipient's server. */
const deferrals: readonly Rule<Deferred["scope"]>[] = [
  { code: 421, scope: "connection" },
  { enhanced: ".2.", scope: "recipient" },
  { stage: "rcpt", enhanced: ".3.", scope: "doubtful" },
  { stage: "rcpt", enhanced: ".4.", scope: "doubtful" },
  { enhanced: ".3.", scope: "connection" },
  { enhanced: ".4.", scope: "connection" },
  { text: /rate|limit|too many|quota|throttl/i, scope: "sender" },
  { enhanced: ".1.", scope: "recipient" },
  { stage: "mail", scope: "sender" },
  { stage: "rcpt", scope: "doubtful" },
  { enhanced: ".7.", scope: "sender" },
  { scope: "connection" },
];

function scopeOf<Scope>(rules: readonly Rule<Scope>[], reply: SmtpReply, stage: SendStage): Scope {
  const text = reply.lines.join(" ");
  const fits = (rule: Rule<Scope>) =>
    (rule.stage === undefined || rule.stage === stage) &&
    (rule.code === undefined || rule.code === reply.code) &&
    (rule.enhanced === undefined || reply.enhanced?.slice(1).startsWith(rule.enhanced) === true) &&
    (rule.text === undefined || rule.text.test(text));
  return rules.find(fits)!.scope;
}

/**
 * Codes of a server that requires a login or TLS (RFC 4954 section 6, RFC 3207 section 4): every message of
 * the account would get them, until its owner changes the account.
 */
const ACCOUNT_CODES: readonly number[] = [530, 534, 535, 538];

/** The result of a message that the server refused, in either way, at this stage. */
export function refusal(reply: SmtpReply, stage: SendStage): Rejected | Deferred {
  const common = {
    code: reply.code,
    ...(reply.enhanced === undefined ? {} : { enhanced: reply.enhanced }),
    reply: replyText(reply),
    stage,
  };
  if (ACCOUNT_CODES.includes(reply.code)) {
    const { advice } = adviceFor("sender", reply, "");
    const accountError = `The server took nothing: "${replyText(reply, 300)}". ${advice}`;
    return { state: "deferred", scope: "sender", ...common, accountError };
  }
  return isPermanent(reply)
    ? { state: "rejected", scope: scopeOf(rejections, reply, stage), ...common }
    : { state: "deferred", scope: scopeOf(deferrals, reply, stage), ...common };
}

/** The connection failed before the final dot: the message was not delivered. */
export function connectionLost(reason: string, stage: SendStage): Deferred {
  return { state: "deferred", scope: "connection", reply: reason, stage };
}

/** A refusal made here, before the server was contacted, in the codes a server would use. */
export function refusedHere(
  code: number,
  enhanced: string,
  reason: string,
  scope: Rejected["scope"],
): Rejected {
  return {
    state: "rejected",
    code,
    enhanced,
    reply: `${code} ${enhanced} ${reason} (refused before sending)`,
    scope,
    stage: "local",
  };
}
