import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Where a statement over campaigns sets `status`, in hand-written SQL or by the query builder, with what it is set to. */
function statusWrites(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const assigned = [...text.matchAll(/(?:\bset|,)\s+(?:c\.)?status\s*=\s*(\S+)/g)]
    .filter(({ index }) => tableOf(text.slice(0, index)) === "campaigns")
    .map(([, value]) => value!);
  const built = [...text.matchAll(/\.update\(campaigns\)\s*\.set\((.*?)\)\s*\.where\(/gs)].flatMap(
    ([, set]) => [...set!.matchAll(/\bstatus\b:?\s*(\S+)/g)].map(([, value]) => value!),
  );
  return [...assigned, ...built].map((value) => `${file}: ${value}`);
}

/** The table of the last `update` before. */
const tableOf = (text: string) => [...text.matchAll(/\bupdate (\w+)/g)].at(-1)?.[1];

test("a campaign's status is written in two places, both by the table of transitions", () => {
  const files = globSync("{src,db,functions}/**/*.ts").sort();
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(statusWrites)).toEqual([
    "db/base/fragments/transitions.ts: ${statusAfter(trigger)},",
    "db/campaigns/state.ts: statusAfter(trigger)",
  ]);
});
