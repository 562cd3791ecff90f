import { OUTCOMES } from "../stack/farm/format.ts";
import {
  confusion,
  faultOf,
  hasWrongFlag,
  type Judged,
  ofSplit,
  type Score,
  score,
} from "./score.ts";

/** All that a person wants to see of a run, line by line. */
export function report(judged: readonly Judged[]): string {
  return [
    ...wrongAnswers(judged),
    ...wrongFlags(judged),
    "",
    ...confusionTable(judged),
    "",
    ...scoreTable({
      all: score(judged),
      tune: score(ofSplit(judged, "tune")),
      "held out": score(ofSplit(judged, "held_out")),
    }),
  ].join("\n");
}

function wrongAnswers(judged: readonly Judged[]): string[] {
  return judged.flatMap((each) => {
    const fault = faultOf(each);
    if (fault === null) return [];
    const { address, provider, expect, answer } = each;
    const said = `${answer.outcome}${answer.detail === undefined ? "" : ` (${answer.detail})`}`;
    return [`${fault.padEnd(15)} ${address} (${provider}) is ${expect}, was called ${said}`];
  });
}

function wrongFlags(judged: readonly Judged[]): string[] {
  return judged.filter(hasWrongFlag).map(({ address, isRole, isDisposable, answer }) => {
    const flags = (of: { isRole?: boolean; isDisposable?: boolean }) =>
      `role ${of.isRole}, disposable ${of.isDisposable}`;
    return `wrong flag      ${address}: ${flags({ isRole, isDisposable })}, was called ${flags(answer)}`;
  });
}

function confusionTable(judged: readonly Judged[]): string[] {
  const counts = confusion(judged);
  const line = (head: string, cells: (string | number)[]) =>
    head.padEnd(16) + cells.map((cell) => String(cell).padStart(10)).join("");
  return [
    line("truth \\ answer", [...OUTCOMES]),
    ...OUTCOMES.map((truth) =>
      line(
        truth,
        OUTCOMES.map((answer) => counts[truth][answer]),
      ),
    ),
  ];
}

const HEADS = [
  "correct",
  "false valid",
  "false invalid",
  "wrong catch-all",
  "missed",
  "definitive",
  "p50 / p95 ms",
];

/** A Markdown table, one row for each name. */
export function scoreTable(scores: Record<string, Score>): string[] {
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["", ...HEADS]),
    row(["---", ...HEADS.map(() => "---")]),
    ...Object.entries(scores).map(([name, each]) => row([name, ...cellsOf(each)])),
  ];
}

function cellsOf({ total, correct, faults, definitive, definable, p50Ms, p95Ms }: Score): string[] {
  return [
    `${correct}/${total} (${share(correct, total)})`,
    ...Object.values(faults).map(String),
    share(definitive, definable),
    `${Math.round(p50Ms)} / ${Math.round(p95Ms)}`,
  ];
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "-" : `${((part / whole) * 100).toFixed(1)} %`;
