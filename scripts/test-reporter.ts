import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** What `scripts/test.ts` prints after a run; written to the file that OVERTURE_TEST_SUMMARY names. */
export interface TestSummary {
  projects: Record<string, ProjectSummary>;
  slowest: { name: string; file: string; ms: number }[];
  /** Files that did not load, and errors outside of any test. */
  brokenCount: number;
}

export interface ProjectSummary {
  /** From its first file's start to its last file's end; kinds run one after the other. */
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
}

const SLOWEST_SHOWN = 10;

/** Runs inside vitest, beside its own reporter. */
export default class SummaryReporter implements Reporter {
  #spans = new Map<string, { startMs: number; endMs: number }>();
  #cases: TestCase[] = [];

  onTestModuleQueued(module: TestModule): void {
    const span = this.#spans.get(module.project.name);
    if (!span) this.#spans.set(module.project.name, { startMs: performance.now(), endMs: 0 });
  }

  onTestModuleEnd(module: TestModule): void {
    const span = this.#spans.get(module.project.name);
    if (span) span.endMs = performance.now();
  }

  onTestCaseResult(testCase: TestCase): void {
    this.#cases.push(testCase);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env["OVERTURE_TEST_SUMMARY"];
    if (!file) return;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const summary: TestSummary = {
      projects: Object.fromEntries(
        [...this.#spans].map(([name, span]) => [name, this.#summarise(name, span)]),
      ),
      slowest: this.#cases
        .map((each) => ({
          name: each.fullName,
          file: each.module.relativeModuleId,
          ms: each.diagnostic()?.duration ?? 0,
        }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST_SHOWN),
      brokenCount: broken + errors.length,
    };
    writeFileSync(file, JSON.stringify(summary));
  }

  #summarise(name: string, { startMs, endMs }: { startMs: number; endMs: number }): ProjectSummary {
    const states = this.#cases
      .filter((each) => each.project.name === name)
      .map((each) => each.result().state);
    const count = (state: string) => states.filter((each) => each === state).length;
    return {
      seconds: Math.max(0, endMs - startMs) / 1000,
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
    };
  }
}
