/** Runs inside vitest: says what it sees as it sees it, a line of JSON each, to the file that OVERTURE_MUTATE_EVENTS names. */
import { appendFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

export type RunEvent =
  | { kind: "began"; file: string }
  | { kind: "failed"; file: string; test: string; message: string }
  | { kind: "ended"; file: string; ms: number; ran: boolean }
  | { kind: "error"; message: string };

const firstLine = (error: { message?: string } | undefined) =>
  (error?.message ?? "").split("\n")[0]!.slice(0, 300);

export default class EventReporter implements Reporter {
  #say(event: RunEvent): void {
    appendFileSync(process.env["OVERTURE_MUTATE_EVENTS"]!, `${JSON.stringify(event)}\n`);
  }

  onTestModuleStart(module: TestModule): void {
    this.#say({ kind: "began", file: module.relativeModuleId });
  }

  onTestCaseResult(testCase: TestCase): void {
    const { state, errors } = testCase.result();
    if (state !== "failed") return;
    const { relativeModuleId: file } = testCase.module;
    this.#say({ kind: "failed", file, test: testCase.fullName, message: firstLine(errors?.[0]) });
  }

  onTestModuleEnd(module: TestModule): void {
    const file = module.relativeModuleId;
    // A file that does not load, and a hook that throws, belong to no test.
    const errors = [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ];
    for (const error of errors)
      this.#say({ kind: "failed", file, test: "", message: firstLine(error) });
    // What a bail cut off counts as skipped; a file all of whose tests are for the full suite does as well.
    const ran = [...module.children.allTests()].some((each) => each.result().state === "passed");
    this.#say({ kind: "ended", file, ms: module.diagnostic().duration, ran });
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message?: string }[]): void {
    for (const error of errors) this.#say({ kind: "error", message: firstLine(error) });
  }
}
