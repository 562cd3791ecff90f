import { isSuccess, wasReached } from "#src/providers/net/http-answer.ts";
import type { HttpAnswer, HttpOutcome, HttpRequest } from "#src/providers/net/http-call.ts";
import { type AnswerWords, replyOf, resultOf, type VerdictRule } from "./http-verdict.ts";
import type { AccountReport, OutgoingRaw } from "./index.ts";

/** One request within the deadline of an account test. */
export type Ask = (request: HttpRequest) => Promise<HttpOutcome>;

/** The particulars of one provider's API. */
export interface HttpVendor<Account> {
  /** Its name among people. */
  name: string;
  /** Whether it takes addresses beyond ASCII (RFC 6531). */
  takesUtf8Addresses: boolean;
  /** Why these settings cannot send, in plain words; null when they are well-formed. */
  problemOf(account: Account): string | null;
  /** Without a trailing slash. */
  baseUrl(account: Account): string;
  sendRequest(account: Account, message: OutgoingRaw, now: Date): Promise<HttpRequest>;
  read(answer: HttpAnswer): AnswerWords;
  /** The Message-ID that recipients see, where the provider replaces the message's own. */
  messageIdOf?(account: Account, providerId: string): string;
  rules: readonly VerdictRule[];
  check(account: Account, ask: Ask, now: Date): Promise<AccountReport>;
}

export const reportOf = (stage: AccountReport["stage"], message: string): AccountReport => ({
  ok: stage === "ready",
  stage,
  message,
  capabilities: [],
  ...(stage === "ready" ? {} : { fault: stage === "auth" ? "account" : "line" }),
});

/** The report of an account test that got no usable answer. */
export function troubleOf(
  { name, read, rules }: Pick<HttpVendor<never>, "name" | "read" | "rules">,
  outcome: HttpOutcome,
): AccountReport {
  if (outcome.kind !== "answered")
    return reportOf("connect", `No answer from ${name}: ${outcome.reason}`);
  const { answer } = outcome;
  const words = read(answer);
  const reply = replyOf(answer, words);
  if (!wasReached(answer)) return reportOf("connect", `${name} was not reached: ${reply}`);
  if (isSuccess(answer)) return reportOf("greeting", `${name} answered, but not as expected.`);
  const result = resultOf(rules, answer, words);
  return result.state === "deferred" && result.accountError !== undefined
    ? reportOf("auth", result.accountError)
    : reportOf("greeting", `${name} could not say how the account is: ${reply}`);
}
