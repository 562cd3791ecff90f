import type { Profiler } from "node:inspector";

/** Half open, in characters of the code that ran. */
export type Range = [start: number, end: number];

/** Vitest wraps a module in a function that begins before this; every function of the module itself begins after it. */
const WRAPPER_BEGINS_BEFORE = 20;

/**
 * The parts of a script that ran, by V8's nested counts: each range's count holds except where a narrower one says
 * otherwise. What only the module's own evaluation ran is left out.
 */
export function reachedRanges(functions: Profiler.FunctionCoverage[]): Range[] {
  const ranges = functions
    .filter(({ ranges }) => ranges[0]!.startOffset >= WRAPPER_BEGINS_BEFORE)
    .flatMap(({ ranges }) => ranges)
    // Outer before inner.
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const reached: Range[] = [];
  const open: Profiler.CoverageRange[] = [];
  let at = 0;
  const goTo = (offset: number) => {
    if (offset <= at) return;
    const last = reached.at(-1);
    if ((open.at(-1)?.count ?? 0) === 0) at = offset;
    else if (last?.[1] === at) at = last[1] = offset;
    else reached.push([at, (at = offset)]);
  };
  const close = () => {
    goTo(open.at(-1)!.endOffset);
    open.pop();
  };
  for (const range of ranges) {
    while (open.length > 0 && open.at(-1)!.endOffset <= range.startOffset) close();
    goTo(range.startOffset);
    open.push(range);
  }
  while (open.length > 0) close();
  return reached;
}
