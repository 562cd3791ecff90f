/** `npm test [-- vitest arguments]`: all kinds of tests, each against its time budget; `--full` asks for the big sizes. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { binary, rootFolder } from "./command.ts";
import type { TestSummary } from "./test-reporter.ts";

/** Seconds on a quiet machine with two cores. */
const budgets: Record<string, number> = {
  unit: 20,
  integration: 100,
  conformance: 60,
  simulation: 60,
  e2e: 90,
};

const isFull = process.argv.includes("--full");
const passedOn = process.argv.slice(2).filter((argument) => argument !== "--full");
const summaryFile = `${rootFolder}/.local/test-summary-${process.pid}.json`;
mkdirSync(`${rootFolder}/.local`, { recursive: true });

const child = spawn(
  binary("vitest"),
  ["run", "--reporter=default", `--reporter=${rootFolder}/scripts/test-reporter.ts`, ...passedOn],
  {
    cwd: rootFolder,
    stdio: "inherit",
    env: {
      ...process.env,
      OVERTURE_TEST_SUMMARY: summaryFile,
      ...(isFull ? { TEST_FULL: "1" } : {}),
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => {
  child.once("error", () => resolve(127));
  child.once("close", (exitCode) => resolve(exitCode ?? 130));
});

const summary = readSummary();
for (const [name, { seconds, passed, failed }] of Object.entries(summary.projects)) {
  const budget = budgets[name];
  const late = budget !== undefined && !isFull && seconds > budget ? "  OVER BUDGET" : "";
  const result = `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}`;
  console.log(
    `${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s of ${budget} s  ${result}${late}`,
  );
}
if (summary.slowest.length > 0) console.log("\nSlowest tests:");
for (const { name, file, ms } of summary.slowest)
  console.log(`${String(Math.round(ms)).padStart(8)} ms  ${file} > ${name}`);

const total = (pick: (project: TestSummary["projects"][string]) => number) =>
  Object.values(summary.projects).reduce((sum, project) => sum + pick(project), 0);
const failed = total((project) => project.failed);
const broken = summary.brokenCount;
if (broken > 0)
  console.log(`\n${broken} files or background errors outside of tests, counted as failed`);
// A run that broke off without a failed test has failed all the same.
const failures = failed + broken || (code === 0 ? 0 : 1);
console.log(`\n${total((project) => project.passed)} passed, ${failures} failed`);
process.exitCode = failures > 0 ? code || 1 : code;

function readSummary(): TestSummary {
  try {
    return JSON.parse(readFileSync(summaryFile, "utf8")) as TestSummary;
  } catch {
    return { projects: {}, slowest: [], brokenCount: 0 };
  } finally {
    rmSync(summaryFile, { force: true });
  }
}
