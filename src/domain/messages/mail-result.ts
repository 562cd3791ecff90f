import type { ActionResult } from "#src/domain/engine/channel.ts";
import { plainWords } from "#src/domain/refusals/read.ts";
import { RESOLVER_TROUBLE } from "#src/domain/refusals/words.ts";
import type { SendResult } from "#src/providers/mail/index.ts";

/** What the engine has to know of a mail server's answer. */
export function actionResult(answer: SendResult): ActionResult {
  const result = withoutFinality(answer);
  if (result.state === "rejected") return { ...result, isGone: isGone(result) };
  if (result.state === "deferred") return { ...result, isOfTarget: isOfDomain(result) };
  return result;
}

/**
 * A relay whose resolver had no answer for now may say so with a 5xx. That is as little final as
 * the same words in a report.
 */
export function withoutFinality(result: SendResult): SendResult {
  if (result.state !== "rejected" || result.scope === "sender") return result;
  const words = plainWords(result.reply);
  if (!RESOLVER_TROUBLE.some((each) => each.test(words))) return result;
  return { ...result, state: "deferred", scope: "recipient" };
}

/** The address does not exist: no campaign should try it again (RFC 3463 X.1.x; a bare 550 at RCPT counts). */
function isGone({ code, enhanced, stage }: SendResult & { state: "rejected" }): boolean {
  if (enhanced !== undefined) return /^5\.1\.(0|1|2|3|6|10)$|^5\.2\.1$/.test(enhanced);
  return code === 550 && stage === "rcpt";
}

/** A temporary refusal that is not about the mailbox: the domain refuses us (RFC 3463: X.1.x addressing, X.2.x mailbox). */
const isOfDomain = ({ scope, enhanced }: SendResult & { state: "deferred" }): boolean =>
  scope === "recipient" && !(enhanced !== undefined && /^4\.[12]\./.test(enhanced));
