import { expect, test } from "vitest";
import { report } from "../../../scripts/eval-verify/report.ts";
import { judgeAll } from "../../../scripts/eval-verify/run.ts";
import { confusion, type Judged, score, shortfalls } from "../../../scripts/eval-verify/score.ts";
import type { Outcome, Split } from "../../../scripts/stack/farm/format.ts";
import type { Expectation } from "../../../scripts/stack/farm/table.ts";

const expectation = (local: string, expect: Outcome, split: Split = "tune"): Expectation => ({
  address: `${local}@a.zz`,
  expect,
  isRole: false,
  isDisposable: false,
  provider: local.slice(0, 1),
  split,
});

let asked = 0;
const judged = (expect: Outcome, outcome: Outcome, ms = 10, split: Split = "tune"): Judged => ({
  ...expectation(`x${asked++}`, expect, split),
  answer: { outcome, ms },
});

test("every wrong answer is a fault of its kind, and a catch-all called valid is a false valid", () => {
  const all = [
    judged("valid", "valid"),
    judged("catch_all", "valid"),
    judged("unknown", "valid"),
    judged("unknown", "invalid"),
    judged("valid", "invalid"),
    judged("valid", "catch_all"),
    judged("invalid", "unknown"),
    judged("unknown", "unknown"),
  ];
  expect(score(all)).toMatchObject({
    total: 8,
    correct: 2,
    faults: { "false valid": 2, "false invalid": 2, "wrong catch-all": 1, missed: 1 },
    definitive: 4,
    definable: 5,
  });
  expect(confusion(all).valid).toEqual({ valid: 1, catch_all: 1, invalid: 1, unknown: 0 });
});

test("a flag that is said wrongly is counted, and one that is not said is not", () => {
  const role = { ...judged("valid", "valid"), isRole: true };
  const said = (isRole: boolean) => ({ ...role, answer: { ...role.answer, isRole } });
  expect(score([role, said(true), said(false)]).wrongFlags).toBe(1);
  expect(shortfalls(score([said(false)]), targets)).toEqual(["1 wrong flags, of none"]);
});

test("percentiles are those of the nearest rank", () => {
  const times = Array.from({ length: 100 }, (_, index) => judged("valid", "valid", 100 - index));
  expect(score(times)).toMatchObject({ p50Ms: 50, p95Ms: 95 });
});

const targets = { correct: 0.95, p95Ms: 1_000 };
const many = (count: number, expect: Outcome, outcome: Outcome, ms = 10) =>
  Array.from({ length: count }, () => judged(expect, outcome, ms));

test("95 of a hundred are enough, one false valid or false invalid is too much, and so is nothing at all", () => {
  const right = many(95, "valid", "valid");
  expect(shortfalls(score([...right, ...many(5, "valid", "unknown")]), targets)).toEqual([]);
  expect(shortfalls(score([...right, ...many(6, "valid", "unknown")]), targets)).toEqual([
    "94.1 % are correct, of 95.0 %",
  ]);
  expect(shortfalls(score([...right, judged("unknown", "valid")]), targets)).toEqual([
    "1 false valid, of none",
  ]);
  expect(shortfalls(score([...right, judged("unknown", "invalid")]), targets)).toEqual([
    "1 false invalid, of none",
  ]);
  expect(shortfalls(score([...right, ...many(10, "valid", "valid", 1_001)]), targets)).toEqual([
    "p95 is 1001 ms, of 1000 ms",
  ]);
  expect(shortfalls(score([]), targets)).toEqual(["0.0 % are correct, of 95.0 %"]);
});

test("a report names each wrong answer and has a row for each split", () => {
  const text = report([
    { ...judged("valid", "invalid"), answer: { outcome: "invalid", ms: 1, detail: "550" } },
    judged("valid", "valid", 20, "held_out"),
  ]);
  expect(text).toMatch(/^false invalid +x\d+@a\.zz \(x\) is valid, was called invalid \(550\)$/m);
  expect(text).toContain("| all | 1/2 (50.0 %) | 0 | 1 | 0 | 0 | 100.0 % | 1 / 20 |");
  expect(text).toContain("| held out | 1/1 (100.0 %) | 0 | 0 | 0 | 0 | 100.0 % | 20 / 20 |");
});

test("addresses of one provider are asked one at a time, all of them, in an order of the seed's", async () => {
  const expectations = Array.from({ length: 40 }, (_, index) =>
    expectation(`${"abcd"[index % 4]}${index}`, "valid"),
  );
  async function orderOf(seed: number): Promise<string[]> {
    const order: string[] = [];
    const busy = new Set<string>();
    let most = 0;
    await judgeAll(
      expectations,
      async (address) => {
        expect(busy.has(address[0]!)).toBe(false);
        busy.add(address[0]!);
        most = Math.max(most, busy.size);
        order.push(address);
        await new Promise((resolve) => setImmediate(resolve));
        busy.delete(address[0]!);
        return { outcome: "valid", ms: 0 };
      },
      { lanes: 3, seed },
    );
    expect(most).toBe(3);
    return order;
  }
  const first = await orderOf(1);
  expect(first.toSorted()).toEqual(expectations.map(({ address }) => address).toSorted());
  expect(await orderOf(1)).toEqual(first);
  expect(await orderOf(2)).not.toEqual(first);
});
