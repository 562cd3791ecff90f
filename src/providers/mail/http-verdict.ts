import { isSuccess, NOT_REACHED } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer } from "#src/providers/net/http-call.ts";
import type { SendResult } from "./index.ts";

/** The parts of a provider's answer, none of them guaranteed. */
export interface AnswerWords {
  /** The provider's name of the error, "" where it gave none. */
  type: string;
  /** Its explanation. */
  text: string;
  /** Its id of the message it took. */
  providerId?: string;
}

export type Verdict =
  | { state: "rejected"; scope: "recipient" | "message" }
  | { state: "deferred"; scope: "sender" | "connection" }
  /** The account's owner must act; `says` tells them in plain words. */
  | { state: "account"; says: string }
  | { state: "unknown" };

/** All parts that are given must fit. */
export interface VerdictRule {
  status?: readonly number[];
  type?: RegExp;
  text?: RegExp;
  verdict: Verdict;
}

const recipient: Verdict = { state: "rejected", scope: "recipient" };
const content: Verdict = { state: "rejected", scope: "message" };
const limited: Verdict = { state: "deferred", scope: "sender" };
const down: Verdict = { state: "deferred", scope: "connection" };
const inDoubt: Verdict = { state: "unknown" };
export const verdicts = { recipient, content, limited, down };

export const account = (says: string): Verdict => ({ state: "account", says });

/** For what the provider's own rules leave open; a 5xx may come after the message was taken. */
const byStatus: readonly VerdictRule[] = [
  { status: NOT_REACHED, verdict: down },
  { status: [400, 413, 422], verdict: content },
  { status: [401, 403], verdict: account("The provider refused the account's key.") },
  { status: [429], verdict: limited },
  { status: [503], verdict: down },
];

function verdictOf(rules: readonly VerdictRule[], status: number, words: AnswerWords): Verdict {
  const fits = (rule: VerdictRule) =>
    rule.status?.includes(status) !== false &&
    rule.type?.test(words.type) !== false &&
    rule.text?.test(words.text) !== false;
  const rule = rules.find(fits) ?? byStatus.find(fits);
  // Other answers below 500 mean an unprocessed request: redirects, wrong methods, timeouts.
  return rule?.verdict ?? (status >= 500 ? inDoubt : down);
}

/** The result of a send by its answer. A 2xx counts only with the id of the accepted message. */
export function resultOf(
  rules: readonly VerdictRule[],
  answer: HttpAnswer,
  words: AnswerWords,
): SendResult {
  const code = answer.status;
  const reply = replyOf(answer, words);
  if (isSuccess(answer))
    return words.providerId === undefined
      ? { state: "unknown", reason: `${reply} (no message id in the answer)` }
      : { state: "accepted", reply, providerId: words.providerId };
  const verdict = verdictOf(rules, code, words);
  switch (verdict.state) {
    case "unknown":
      return { state: "unknown", reason: reply };
    case "rejected":
      return { ...verdict, code, reply, stage: "final" };
    case "deferred":
      // The account's or the provider's own trouble, independent of the recipient.
      return { ...verdict, code, reply, stage: "open" };
    case "account": {
      const accountError = `${verdict.says} (${reply})`;
      return { state: "deferred", scope: "sender", code, reply, stage: "open", accountError };
    }
  }
}

/** The answer as one line, cut for the log and the ledger. */
export function replyOf({ status }: HttpAnswer, { type, text, providerId }: AnswerWords): string {
  const said = [type, text === "" ? providerId : text].filter(Boolean).join(": ");
  return printable(`${status} ${said}`).slice(0, 500);
}

function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
}
