import type { ChatAnswer } from "#src/providers/model/index.ts";
import { faultsOf, inWords, reasonOf } from "./check-draft.ts";
import type { Given, Written } from "./checks/check.ts";
import type { DraftRequest, DraftResult } from "./draft.ts";
import { type Answer, readAnswer } from "./output.ts";

/** An answer of the model as a text. */
export interface ReadDraft {
  answer: Answer;
  written: Written;
  model: string;
}

export type Reading =
  | ({ kind: "draft" } & ReadDraft)
  /** The draft's faults in the service's own words, with which the model may be asked once more; `reason` is for a reviewer, and quotes foreign text. `held`: the text, whose only fault may be none in the eyes of a person. */
  | { kind: "faulty"; faults: readonly string[]; reason: string; held: ReadDraft | null }
  | { kind: "over"; failure: Omit<Extract<DraftResult, { ok: false }>, "usage"> };

type Failed = Extract<ChatAnswer, { kind: "failed" }>;

const AWAY: Record<Failed["reason"], string> = {
  unavailable: "The model cannot be reached.",
  timeout: "The model took too long.",
  rate_limited: "The model's limit of calls is reached.",
  refused: "The model does not accept our requests.",
  unreadable: "The model's endpoint answers something else than completions.",
};

/** A call without an answer, as a draft's failure. */
export function awayOf({ reason, retryAfterSeconds }: Failed) {
  return {
    ok: false,
    blame: "model",
    reason: AWAY[reason],
    ...(reason === "timeout" ? { timedOut: true } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  } as const;
}

/** What came of one call. */
export function readAttempt(answer: ChatAnswer, given: Given): Reading {
  if (answer.kind === "failed") return { kind: "over", failure: awayOf(answer) };
  if (answer.ended === "refused") {
    const reason = "The model would not write this text.";
    return { kind: "over", failure: { ok: false, blame: "text", reason } };
  }
  const read = readAnswer(answer.text);
  if (read === null) return faulty([answer.ended === "truncated" ? TOO_LONG : NO_DRAFT]);
  const written = writtenOf(read, given.request);
  const faults = faultsOf(written, given);
  const draft = { answer: read, written, model: answer.model };
  if (faults.length === 0) return { kind: "draft", ...draft };
  const held = faults.every((fault) => fault === "order") ? draft : null;
  return faulty(faults.map(inWords), reasonOf(faults, written, given), held);
}

const faulty = (
  faults: readonly string[],
  reason = faults.join(" "),
  held: ReadDraft | null = null,
): Reading => ({ kind: "faulty", faults, reason, held });

const TOO_LONG = "The answer is too long and broke off.";
const NO_DRAFT = "The answer is not the JSON object that was asked for.";

/** As it is checked, kept and sent. */
export const writtenOf = (
  { subject, body }: Answer,
  { continuesThread }: DraftRequest,
): Written => ({
  subject: continuesThread ? "" : subject.trim(),
  body: body.replaceAll("\r\n", "\n").trim(),
});
