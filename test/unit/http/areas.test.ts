import { expect, test } from "vitest";
import { areaOf, areas, everyOperation } from "#src/routes/index.ts";

test("every operation is served where its path leads", async () => {
  const operations = await everyOperation();
  const lost: string[] = [];
  for (const operation of operations) {
    const loads = areas[areaOf(operation.said.path)] ?? [];
    const served = (await Promise.all(loads.map((load) => load()))).flat();
    if (!served.includes(operation)) lost.push(operation.said.path);
  }
  expect(operations.length).toBeGreaterThan(100);
  expect(lost).toEqual([]);
});

test.each([
  ["/api/v1/campaigns/", "campaigns"],
  ["/api/v1/suppressions.csv", "suppressions.csv"],
  ["/api/x402/v1/email/find", "x402"],
  ["/o/token.gif", "o"],
  ["/health", "health"],
  ["/", ""],
  ["/api", ""],
  ["", ""],
])("%s is of the area %j", (path, area) => {
  expect(areaOf(path)).toBe(area);
});
