import { writeFileSync } from "node:fs";
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestSpecification,
} from "vitest/node";
import { failureReport, firstLineOf, titleOf } from "./test-failure.ts";
import { type Progress, startProgress } from "./test-progress.ts";

/** What `scripts/test.ts` prints after a run; written to the file that OVERTURE_TEST_SUMMARY names. */
export interface TestSummary {
  projects: Record<string, ProjectSummary>;
  slowest: { file: string; tests: number; ms: number }[];
  /** What this machine or this run leaves out, and why: in the words of the tests. */
  notRun: string[];
  /** Files that did not load, and errors outside of any test. */
  brokenCount: number;
}

export interface ProjectSummary {
  files: number;
  /** Spent by the workers on its files; the kinds run side by side. */
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
}

const SLOWEST_SHOWN = 5;
/** A run of so few files says what each of them came to. */
const EACH_FILE_UP_TO = 10;
/** What a test file prints when it leaves something out. */
const NOT_RUN = /^.+: not run \(.+\)$/;

/** Inside vitest, in the place of its own reporter: how far it is, what failed, and what `scripts/test.ts` prints after it. */
export default class SummaryReporter implements Reporter {
  #progress: Progress | undefined;
  #notRun = new Set<string>();
  #isSmall = false;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const filesOf = new Map<string, number>();
    for (const { project } of specifications)
      filesOf.set(project.name, (filesOf.get(project.name) ?? 0) + 1);
    this.#isSmall = specifications.length <= EACH_FILE_UP_TO;
    this.#progress = startProgress(process.stdout, filesOf);
  }

  onTestCaseResult(testCase: TestCase): void {
    const { state, errors } = testCase.result();
    if (state !== "failed") return;
    this.#progress?.failed();
    this.#progress?.say(`FAILED ${titleOf(testCase)}: ${errors[0] ? firstLineOf(errors[0]) : ""}`);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#progress?.ended(module);
    if (!this.#isSmall) return;
    const tests = [...module.children.allTests()];
    const count = (state: string) => tests.filter((each) => each.result().state === state).length;
    this.#progress?.say(
      `${module.ok() ? "ok    " : "FAILED"} ${module.relativeModuleId}  ${count("passed")} of ${tests.length} tests, ${Math.round(spentMs(module))} ms`,
    );
  }

  onUserConsoleLog({ content }: { content: string }): void {
    const lines = content.trimEnd().split("\n");
    for (const line of lines) if (NOT_RUN.test(line)) this.#notRun.add(line);
    if (this.#isSmall || process.env["TEST_LOG"] !== undefined)
      for (const line of lines) this.#progress?.say(line);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    this.#progress?.end();
    const report = failureReport(modules, errors as readonly { message: string }[]);
    if (report !== "") process.stdout.write(`\n${report}\n`);
    const file = process.env["OVERTURE_TEST_SUMMARY"];
    if (!file) return;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const summary: TestSummary = {
      projects: Object.fromEntries(
        [...Map.groupBy(modules, ({ project }) => project.name)].map(([name, those]) => [
          name,
          summarise(those),
        ]),
      ),
      slowest: modules
        .map((module) => ({
          file: module.relativeModuleId,
          tests: [...module.children.allTests()].length,
          ms: spentMs(module),
        }))
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST_SHOWN),
      notRun: [...this.#notRun].toSorted(),
      brokenCount: broken + errors.length,
    };
    writeFileSync(file, JSON.stringify(summary));
  }
}

function spentMs(module: TestModule): number {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + prepareDuration + duration;
}

function summarise(modules: readonly TestModule[]): ProjectSummary {
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((each) => each.result().state),
  );
  const count = (state: string) => states.filter((each) => each === state).length;
  return {
    files: modules.length,
    seconds: modules.reduce((sum, module) => sum + spentMs(module), 0) / 1000,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
  };
}
