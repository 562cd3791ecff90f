import { expect, test } from "vitest";
import { createRecentCounts } from "#src/platform/recent-counts.ts";

test("a counter in use outlives any number of others, and no more are kept than there is room for", () => {
  const counts = createRecentCounts(100);
  expect([counts.add("busy"), counts.add("idle")]).toEqual([1, 1]);
  for (let other = 0; other < 400; other++) {
    counts.add(`other:${other}`);
    if (other % 40 === 39) counts.add("busy");
  }
  expect(["busy", "idle", "other:0"].map(counts.of)).toEqual([11, 0, 0]);
  const kept = Array.from({ length: 400 }, (_, other) => counts.of(`other:${other}`));
  expect(kept.filter((count) => count > 0).length).toBeLessThanOrEqual(100);
});
