import type { Reason } from "#src/domain/research/verification/outcome.ts";
import { type Candidate, confidenceWhenAccepted, MIN_CONFIDENCE } from "./candidates.ts";

export type EmailFinding =
  | {
      kind: "found";
      email: string;
      pattern: string | null;
      /** 0 to 1: how likely it is the person's. */
      confidence: number;
    }
  /** Each candidate was refused for good. */
  | { kind: "not_found" }
  /** The host takes everything; this is the best guess. */
  | { kind: "catch_all"; email: string; pattern: string | null; confidence: number }
  | { kind: "undecided"; reason: Reason };

/** The mailbox does not exist, or is disabled. */
const REFUSED: readonly Reason[] = ["no_such_user", "mailbox_disabled", "hard_reject"];
/** The mailbox exists: a less likely candidate would rather be a colleague's. */
const THERE: readonly Reason[] = ["mailbox_full", "throttled", "catch_all_unclear"];

/** The finding by the results of the candidates, in the order in which they were probed. */
export function decideFinding(
  asked: readonly Candidate[],
  reasonOf: (candidate: Candidate) => Reason,
): EmailFinding {
  const refused: Candidate[] = [];
  let undecided: Reason | null = null;
  for (const candidate of asked) {
    const reason = reasonOf(candidate);
    if (reason === "accepts_everything") return bestGuess(asked);
    if (THERE.includes(reason)) return { kind: "undecided", reason };
    if (reason === "mailbox_exists") {
      const confidence = confidenceWhenAccepted(candidate, refused);
      if (confidence < MIN_CONFIDENCE) return { kind: "undecided", reason: undecided ?? reason };
      return { kind: "found", email: candidate.email, pattern: candidate.pattern, confidence };
    }
    if (REFUSED.includes(reason)) refused.push(candidate);
    else undecided ??= reason;
  }
  return undecided === null ? { kind: "not_found" } : { kind: "undecided", reason: undecided };
}

function bestGuess([best]: readonly Candidate[]): EmailFinding {
  const { email, pattern, prior } = best!;
  return { kind: "catch_all", email, pattern, confidence: prior };
}
