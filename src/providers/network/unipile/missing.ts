import * as z from "zod";
import type { Answer } from "../index.ts";
import type { Ask } from "./call.ts";
import { failed, MISSING } from "./failures.ts";

export const isMissing = (answer: Answer<unknown>): boolean =>
  !answer.ok && answer.failure.code === MISSING;

export const accountGone = () =>
  failed({
    kind: "account",
    code: MISSING,
    detail: "The network's provider does not know this account: connect it again",
  });

/** Where there is nothing but the account that could be missing. */
export const orAccountGone = <Value>(answer: Answer<Value>): Answer<Value> =>
  isMissing(answer) ? accountGone() : answer;

/**
 * "Not found" does not say what: before a person is given up for it, or a post, the account itself is looked for, or one
 * that was removed there would make every lead of its campaigns a person who does not exist.
 */
export async function whenMissing<Value>(
  ask: Ask,
  accountId: string,
  answer: Answer<Value>,
  otherwise: () => Answer<Value>,
): Promise<Answer<Value>> {
  if (!isMissing(answer)) return answer;
  const account = await ask({
    purpose: "read",
    method: "GET",
    path: ["accounts", accountId],
    shape: z.object({ id: z.string() }),
  });
  if (account.ok) return otherwise();
  return orAccountGone(account);
}
