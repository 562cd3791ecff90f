import { expect, test } from "vitest";
import { reachedRanges } from "../../../scripts/mutate/reached-ranges.ts";

const counted = (...ranges: [startOffset: number, endOffset: number, count: number][]) => ({
  functionName: "",
  isBlockCoverage: true,
  ranges: ranges.map(([startOffset, endOffset, count]) => ({ startOffset, endOffset, count })),
});

test("what ran is what the narrowest count says, without the module's own evaluation", () => {
  const reached = reachedRanges([
    counted([0, 1000, 1]),
    counted([13, 990, 1], [500, 520, 0]),
    // A branch that was not taken, and within it nothing.
    counted([100, 300, 2], [150, 200, 0]),
    // A function within a function that ran, and did not run itself.
    counted([250, 280, 0]),
    counted([400, 450, 0]),
    counted([600, 650, 1]),
  ]);
  expect(reached).toEqual([
    [100, 150],
    [200, 250],
    [280, 300],
    [600, 650],
  ]);
});
