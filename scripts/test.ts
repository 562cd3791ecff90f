/**
 * `npm test [-- vitest arguments]`: every claim once, in the time that one waits for; `--full` (`npm run test:full`)
 * asks for the depth: a process for each file, all seeds, all kills, all hostile bodies, the demo and the quickstart.
 */
import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { binary, rootFolder } from "./command.ts";
import type { ProjectSummary, TestSummary } from "./test-reporter.ts";

/** What they take on a quiet machine with two cores. */
const QUIET_MINUTES = { default: 9, full: 40 };

const isFull = process.argv.includes("--full");
const passedOn = process.argv.slice(2).filter((argument) => argument !== "--full");
const isWhole = passedOn.length === 0;
const summaryFile = `${rootFolder}/.local/test-summary-${process.pid}.json`;
mkdirSync(`${rootFolder}/.local`, { recursive: true });

const startedAt = performance.now();
const child = spawn(
  binary("vitest"),
  ["run", `--reporter=${rootFolder}/scripts/test-reporter.ts`, ...passedOn],
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
const minutes = (performance.now() - startedAt) / 60_000;

const summary = readSummary();
const kinds = Object.entries(summary.projects);
const sum = (pick: (project: ProjectSummary) => number) =>
  kinds.reduce((total, [, project]) => total + pick(project), 0);

if (kinds.length > 0) console.log("");
for (const [name, { files, seconds, passed, failed, skipped }] of kinds)
  console.log(
    `${name.padEnd(12)} ${String(files).padStart(4)} files ${seconds.toFixed(0).padStart(5)} s of a worker  ` +
      `${passed} passed${failed > 0 ? `, ${failed} failed` : ""}${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  );
if (summary.slowest.length > 1) {
  console.log("\nSlowest files:");
  for (const { file, tests, ms } of summary.slowest)
    console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file} (${tests} tests)`);
}

const notRun = [...summary.notRun, ...(isWhole && !isFull ? leftToTheFullRun() : [])];
if (notRun.length > 0) console.log(`\nNot run:\n${notRun.map((line) => `  ${line}`).join("\n")}`);

const broken = summary.brokenCount;
if (broken > 0)
  console.log(`\n${broken} files or background errors outside of tests, counted as failed`);
if (isWhole) {
  const quiet = QUIET_MINUTES[isFull ? "full" : "default"];
  const cpu = cpuSecondsOfChildren();
  console.log(
    `\n${minutes.toFixed(1)} minutes${cpu === null ? "" : `, ${cpu.toFixed(0)} seconds of processor`}` +
      (minutes > quiet ? ` (a quiet machine with two cores takes ${quiet} minutes)` : ""),
  );
}
// A run that broke off without a failed test has failed all the same.
const failures = sum(({ failed }) => failed) + broken || (code === 0 ? 0 : 1);
console.log(`\n${sum(({ passed }) => passed)} passed, ${failures} failed`);
process.exitCode = failures > 0 ? code || 1 : code;

function leftToTheFullRun(): string[] {
  const files = globSync("test/**/*.full.test.ts", { cwd: rootFolder }).toSorted();
  return [
    ...files.map((file) => `${file}: not run (npm run test:full)`),
    "every seed, kill and hostile body: a part of them (npm run test:full has all)",
    "Debian's Postfix and Dovecot: not run (npm run test:servers)",
  ];
}

/** Of the run and all that it started, once they have ended; null where the system does not tell. */
function cpuSecondsOfChildren(): number | null {
  try {
    // proc(5): fields 16 and 17, in ticks of which there are a hundred a second; the name in brackets may hold blanks.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return null;
  }
}

function readSummary(): TestSummary {
  try {
    return JSON.parse(readFileSync(summaryFile, "utf8")) as TestSummary;
  } catch {
    return { projects: {}, slowest: [], notRun: [], brokenCount: 0 };
  } finally {
    rmSync(summaryFile, { force: true });
  }
}
