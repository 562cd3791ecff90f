import { describe, expect, test } from "vitest";
import { parseDuration } from "../../../scripts/stack/qstash/duration.ts";
import { backoffSeconds, nextAttemptAt } from "../../../scripts/stack/qstash/retry.ts";
import { parseRetryExpression } from "../../../scripts/stack/qstash/retry-expression.ts";

test.each([
  ["1000", 4, 1000],
  ["1000 * (1 + retried)", 3, 4000],
  ["pow(2, retried) * 1000", 3, 8000],
  ["max(1000, pow(2, retried) * 100)", 1, 1000],
  ["max(1000, pow(2, retried) * 100)", 5, 3200],
  ["2 + 3 * 4 - 6 / 2 % 2", 0, 13],
  ["10 - 3 - 2", 0, 5],
  ["-(-retried)", 7, 7],
  ["round(sqrt(16) + abs(-1.4) + exp(0) + floor(.9) + ceil(.1))", 0, 7],
  ["min(retried, 2)", 9, 2],
])("%s at %d is %d", (source, retried, expected) => {
  expect(parseRetryExpression(source)(retried)).toBeCloseTo(expected, 9);
});

test.each([
  "",
  "1 +",
  "foo(1)",
  "pow(2)",
  "pow(1,2,3)",
  "(1",
  "1)",
  "1 1",
  "retries * 2",
  "1; 2",
  "constructor(1)",
])("%j is refused", (source) => {
  expect(() => parseRetryExpression(source)).toThrow(/expected|unknown/);
});

test.each([
  ["10s", 10],
  ["1d10h30m", 124_200],
  ["6m5s", 365],
  ["1.5s", 1.5],
  ["250ms", 0.25],
  ["42", 42],
  ["soon", null],
  ["10 s", null],
])("the duration %s is %s seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

describe("the next attempt", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const after = (
    retried: number,
    headers: Record<string, string[]> = {},
    retryDelay: string | null = null,
  ) => (nextAttemptAt({ retried, retryDelay }, headers, now).getTime() - now.getTime()) / 1000;

  test("backs off by 12 s, 2m28s, 30m8s, 6h7m, then a day", () => {
    expect([1, 2, 3, 4, 5, 6].map((n) => Math.floor(backoffSeconds(n)))).toEqual([
      12, 148, 1808, 22_026, 86_400, 86_400,
    ]);
    expect(after(0)).toBeCloseTo(12.182, 3);
  });

  test("follows the message's own expression, in milliseconds, for at most a day", () => {
    expect(after(2, {}, "pow(2, retried) * 1000")).toBe(4);
    expect(after(0, {}, "0 / 0")).toBeCloseTo(12.182, 3);
    expect(after(0, {}, "1000000 * 1000000")).toBe(86_400);
  });

  test.each([
    ["retry-after", "10", 10],
    ["retry-after", "0", 0],
    ["retry-after", "6m5s", 365],
    ["retry-after", "Thu, 01 Jan 2026 00:01:00 GMT", 60],
    ["x-ratelimit-reset-tokens", "30", 30],
  ])("follows the reply's %s: %s", (name, value, seconds) => {
    expect(after(0, { [name]: [value] }, "1000")).toBe(seconds);
  });

  test.each(["90000", "gibberish"])("ignores a reply that asks for %s", (value) => {
    expect(after(0, { "retry-after": [value] })).toBeCloseTo(12.182, 3);
  });
});
