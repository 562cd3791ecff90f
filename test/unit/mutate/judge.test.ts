import { expect, test } from "vitest";
import type { RunEvent } from "../../../scripts/mutate/event-reporter.ts";
import { judgedOf } from "../../../scripts/mutate/judge.ts";

const [A, B] = ["test/unit/a.test.ts", "test/unit/b.test.ts"];
const run = (...events: RunEvent[]) => ({ events, output: "Error: no database\n" });

test("the first failure of a file is its notice, and what a bail cut off has not passed", () => {
  const judged = judgedOf(
    run(
      { kind: "began", file: A },
      { kind: "ended", file: A, ms: 5, ran: true },
      { kind: "began", file: B },
      { kind: "failed", file: B, test: "first", message: "1 is not 2" },
      { kind: "failed", file: B, test: "second", message: "" },
      { kind: "ended", file: B, ms: 5, ran: true },
      { kind: "ended", file: "test/unit/c.test.ts", ms: 0, ran: false },
    ),
    [A, B],
  );
  expect(judged).toEqual({
    notices: [{ file: B, test: "first", message: "1 is not 2" }],
    passed: [A],
    isNothing: false,
  });
});

test("a run that comes to no file at all is noticed by every one", () => {
  expect(judgedOf(run(), [A, B])).toEqual({
    notices: [{ file: A, test: "", message: "Error: no database" }],
    passed: [],
    isNothing: true,
  });
});

test("what was not begun when our patience ended has not passed", () => {
  const events: RunEvent[] = [
    { kind: "began", file: A },
    { kind: "ended", file: A, ms: 5, ran: true },
    { kind: "began", file: B },
  ];
  const cutShort = { file: B, why: "bound" as const };
  expect(judgedOf({ ...run(...events), cutShort }, [A, B, "test/unit/c.test.ts"])).toEqual({
    notices: [],
    passed: [A],
    isNothing: false,
    cut: { file: B },
  });
});

test("a file that does not end notices; one that our patience ended does not", () => {
  const begun = run({ kind: "began", file: A });
  const ended = (why: "stuck" | "bound") =>
    judgedOf({ ...begun, cutShort: { file: A, why } }, [A]).notices.map(({ isStuck }) => isStuck);
  expect(ended("stuck")).toEqual([true]);
  expect(ended("bound")).toEqual([]);
});
