import type { Finding } from "./finding.ts";

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL", off: "-   " } as const;

/** A line for each finding, with what to do about it below. */
export function tableOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length));
  const lines = findings.flatMap(({ part, verdict, says, fix }) => [
    `${MARKS[verdict]}  ${part.padEnd(width)}  ${says}`,
    ...(fix === undefined ? [] : [`${" ".repeat(width + 8)}-> ${fix}`]),
  ]);
  return `${lines.join("\n")}\n\n${summaryOf(findings)}`;
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (verdict: Finding["verdict"]) =>
    findings.filter((each) => each.verdict === verdict).length;
  return `${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} wrong, ${count("off")} not configured`;
}

export const hasFailed = (findings: readonly Finding[]): boolean =>
  findings.some(({ verdict }) => verdict === "fail");
