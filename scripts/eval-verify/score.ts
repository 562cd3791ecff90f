import { type Outcome, OUTCOMES, type Split } from "../stack/farm/format.ts";
import type { Expectation } from "../stack/farm/table.ts";

/** What a verifier said of an address, and how long it took. */
export interface Answer {
  outcome: Outcome;
  ms: number;
  /** Of a verifier that looks at the name as well. */
  isRole?: boolean;
  isDisposable?: boolean;
  /** Its own words, for the list of errors. */
  detail?: string;
}

export type Verify = (address: string) => Promise<Answer>;

export interface Judged extends Expectation {
  answer: Answer;
}

/** The first two cost a customer; what is missed costs nothing. */
export type Fault = "false valid" | "false invalid" | "wrong catch-all" | "missed";

export interface Score {
  total: number;
  correct: number;
  faults: Record<Fault, number>;
  /** Addresses whose role or disposable domain was not seen, or seen where there is none. */
  wrongFlags: number;
  /** Answered for good, of those of which that is possible. */
  definitive: number;
  definable: number;
  p50Ms: number;
  p95Ms: number;
}

export interface Targets {
  /** Share of all addresses. */
  correct: number;
  p95Ms: number;
}

const FAULT_OF: Record<Outcome, Fault> = {
  valid: "false valid",
  invalid: "false invalid",
  catch_all: "wrong catch-all",
  unknown: "missed",
};

/** Null for the right answer. */
export const faultOf = ({ expect, answer }: Judged): Fault | null =>
  answer.outcome === expect ? null : FAULT_OF[answer.outcome];

export function score(judged: readonly Judged[]): Score {
  const faults = { "false valid": 0, "false invalid": 0, "wrong catch-all": 0, missed: 0 };
  let correct = 0;
  for (const each of judged) {
    const fault = faultOf(each);
    if (fault === null) correct++;
    else faults[fault]++;
  }
  const definable = judged.filter(({ expect }) => expect !== "unknown");
  const times = judged.map(({ answer }) => answer.ms).toSorted((a, b) => a - b);
  return {
    total: judged.length,
    correct,
    faults,
    wrongFlags: judged.filter(hasWrongFlag).length,
    definitive: definable.filter(({ answer }) => answer.outcome !== "unknown").length,
    definable: definable.length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
  };
}

/** What a verifier does not say is not wrong. */
export const hasWrongFlag = ({ isRole, isDisposable, answer }: Judged): boolean =>
  (answer.isRole ?? isRole) !== isRole || (answer.isDisposable ?? isDisposable) !== isDisposable;

/** Nearest rank; 0 of nothing. */
function percentile(sorted: number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}

export const ofSplit = (judged: readonly Judged[], split: Split): Judged[] =>
  judged.filter((each) => each.split === split);

/** Rows are the truth, columns the answers. */
export function confusion(judged: readonly Judged[]): Record<Outcome, Record<Outcome, number>> {
  const row = (expect: Outcome) =>
    byOutcome((outcome) => {
      return judged.filter((each) => each.expect === expect && each.answer.outcome === outcome)
        .length;
    });
  return byOutcome(row);
}

function byOutcome<Value>(valueOf: (outcome: Outcome) => Value): Record<Outcome, Value> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, valueOf(outcome)])) as Record<
    Outcome,
    Value
  >;
}

/** What falls short, in words; empty when all is reached. Nothing judged reaches nothing. */
export function shortfalls(reached: Score, targets: Targets): string[] {
  const share = reached.total === 0 ? 0 : reached.correct / reached.total;
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  return [
    ...(share < targets.correct
      ? [`${percent(share)} are correct, of ${percent(targets.correct)}`]
      : []),
    ...(["false valid", "false invalid"] as const).flatMap((fault) =>
      reached.faults[fault] > 0 ? [`${reached.faults[fault]} ${fault}, of none`] : [],
    ),
    ...(reached.wrongFlags > 0 ? [`${reached.wrongFlags} wrong flags, of none`] : []),
    ...(reached.p95Ms > targets.p95Ms
      ? [`p95 is ${Math.round(reached.p95Ms)} ms, of ${targets.p95Ms} ms`]
      : []),
  ];
}
