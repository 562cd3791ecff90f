import type { ActionResult } from "#src/domain/engine/channel.ts";
import { BLAMED, isPolicy } from "#src/domain/people/refusals/categories.ts";
import type { Gone } from "#src/domain/people/refusals/suppression-period.ts";
import { plainWords } from "#src/domain/people/refusals/read.ts";
import { type Reason, refusalReason } from "#src/domain/people/refusals/reason.ts";
import { RESOLVER_TROUBLE } from "#src/domain/people/refusals/bounce-patterns.ts";
import type { SendResult, SendStage } from "#src/providers/mail/index.ts";

type Refused = Extract<SendResult, { state: "rejected" | "deferred" }>;

/** A mail server's answer as the engine's result. */
export function actionResult(answer: SendResult): ActionResult {
  const result = withoutFinality(answer);
  if (result.state !== "rejected" && result.state !== "deferred") return result;
  const reason = reasonOf(result);
  const isNamed = AFTER_RECIPIENT.includes(result.stage);
  const named = { isNamed, isPolicy: isNamed && isPolicy(reason.category) };
  if (result.state === "rejected") {
    const gone = goneBy(result, reason);
    const scope = result.scope === "doubtful" ? blamed(result, reason, "sender") : result.scope;
    return { ...result, scope, ...named, ...(gone !== null && { gone }) };
  }
  const scope = result.scope === "doubtful" ? blamed(result, reason, "connection") : result.scope;
  return { ...result, scope, ...named, isOfTarget: isOfDomain(scope, result.enhanced) };
}

/** From here on the relay knows the message's recipient. */
const AFTER_RECIPIENT: readonly SendStage[] = ["rcpt", "data", "final"];

/** The reason of a refusal, read as in a bounce report. */
const reasonOf = ({ code, enhanced = "", reply }: Refused): Reason =>
  refusalReason({
    format: "report",
    status: enhanced,
    reply: code === undefined ? "" : String(code),
    diagnostic: reply,
  });

/** Which party a refusal's text names where its codes name none. A policy against a recipient's address may be one against the sender. */
function blamed<Relay>(
  { state, enhanced = "" }: Refused,
  { category }: Reason,
  relay: Relay,
): "recipient" | "sender" | "doubtful" | Relay {
  const who = BLAMED[category];
  if (who === "relay") return relay;
  if (who === "recipient" && state === "rejected" && enhanced.startsWith("5.7.")) return "doubtful";
  return who ?? "doubtful";
}

/**
 * A relay whose resolver temporarily has no answer may say so with a 5xx: that is not final, as the
 * same words in a bounce report are not.
 */
export function withoutFinality(result: SendResult): SendResult {
  if (result.state !== "rejected" || result.scope === "sender") return result;
  const words = plainWords(result.reply);
  if (!RESOLVER_TROUBLE.some((each) => each.test(words))) return result;
  return { ...result, state: "deferred", scope: "recipient" };
}

/** A bare 550 at RCPT is about the address too, once it is the recipient's (RFC 5321 section 4.2.3). */
function goneBy(
  { code, enhanced, stage, scope }: Refused,
  { kind, category }: Reason,
): Gone | null {
  if (scope === "message" || scope === "sender") return null;
  if (category === "disabled") return "disabled";
  const isBare = enhanced === undefined && code === 550 && stage === "rcpt";
  const isOfAddress = category === "other" && (isBare || enhanced === "5.1.0");
  return kind === "hard" || isOfAddress ? "for_good" : null;
}

/** A temporary refusal that is not about the mailbox: the domain refuses the sender (RFC 3463: X.1.x addressing, X.2.x mailbox). */
const isOfDomain = (scope: string, enhanced: string | undefined): boolean =>
  (scope === "recipient" || scope === "doubtful") &&
  !(enhanced !== undefined && /^4\.[12]\./.test(enhanced));
