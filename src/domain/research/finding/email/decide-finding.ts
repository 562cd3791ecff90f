import type { Reason } from "#src/domain/research/verification/outcome.ts";
import {
  type Candidate,
  confidenceWhenAccepted,
  isShared,
  MIN_CONFIDENCE,
  SURE,
} from "./candidates.ts";

export type EmailFinding =
  | {
      kind: "found";
      email: string;
      pattern: string | null;
      /** 0 to 1: how likely it is the person's. */
      confidence: number;
    }
  /** Each candidate was refused for good, or a colleague may as well have the one that exists: `likely`, which is not told. */
  | { kind: "not_found"; likely?: { email: string; pattern: string | null } }
  /** The host takes everything; this is the best guess. */
  | { kind: "catch_all"; email: string; pattern: string | null; confidence: number }
  | { kind: "undecided"; reason: Reason };

/** The mailbox does not exist, or is disabled; or its domain takes no mail. */
const REFUSED: readonly Reason[] = [
  "no_such_user",
  "mailbox_disabled",
  "hard_reject",
  "no_mail_host",
  "null_mx",
];
/** The mailbox exists: a less likely candidate would rather be a colleague's. */
const THERE: readonly Reason[] = ["mailbox_full", "throttled", "catch_all_unclear"];

/** The finding by the results of the candidates, in the order in which they were probed, and of their namesakes' addresses. */
export function decideFinding(
  asked: readonly Candidate[],
  reasonOf: (email: string) => Reason | undefined,
): EmailFinding {
  const refused: Candidate[] = [];
  let undecided: Reason | null = null;
  for (const candidate of asked) {
    const reason = reasonOf(candidate.email) ?? "timeout";
    if (reason === "accepts_everything") return bestGuess(asked, refused);
    if (THERE.includes(reason)) return { kind: "undecided", reason };
    if (reason === "mailbox_exists") {
      const { email, pattern, namesakes } = candidate;
      const confidence = confidenceWhenAccepted(candidate, refused);
      if (confidence < MIN_CONFIDENCE) return { kind: "undecided", reason: undecided ?? reason };
      const hasNamesake = namesakes.some((each) => reasonOf(each) === "mailbox_exists");
      if (!hasNamesake && !(isShared(candidate) && confidence < SURE))
        return { kind: "found", email, pattern, confidence };
      if (undecided !== null) return { kind: "undecided", reason: undecided };
      return hasNamesake
        ? { kind: "not_found" }
        : { kind: "not_found", likely: { email, pattern } };
    }
    if (REFUSED.includes(reason)) refused.push(candidate);
    else undecided ??= reason;
  }
  return undecided === null ? { kind: "not_found" } : { kind: "undecided", reason: undecided };
}

function bestGuess(asked: readonly Candidate[], refused: readonly Candidate[]): EmailFinding {
  const left = asked.filter((each) => !refused.includes(each));
  const { email, pattern, prior } = left.toSorted((a, b) => b.prior - a.prior)[0]!;
  return { kind: "catch_all", email, pattern, confidence: prior };
}
