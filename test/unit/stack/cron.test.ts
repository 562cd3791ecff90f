import { assert, constant, constantFrom, integer, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { nextRun, parseCron } from "../../../scripts/stack/qstash/cron.ts";

const runs = (expression: string, from: string, count: number) => {
  const cron = parseCron(expression);
  const found: string[] = [];
  let at: Date | null = new Date(from);
  while (found.length < count) {
    at = nextRun(cron, at);
    if (at === null) break;
    found.push(at.toISOString().replace(":00.000Z", "Z"));
  }
  return found;
};

test.each([
  ["* * * * *", "2026-01-01T00:00:00Z", ["2026-01-01T00:01Z", "2026-01-01T00:02Z"]],
  ["* * * * *", "2026-01-01T00:00:59.999Z", ["2026-01-01T00:01Z"]],
  ["*/15 * * * *", "2026-01-01T00:31:00Z", ["2026-01-01T00:45Z", "2026-01-01T01:00Z"]],
  [
    "5/20 9 * * *",
    "2026-01-01T00:00:00Z",
    ["2026-01-01T09:05Z", "2026-01-01T09:25Z", "2026-01-01T09:45Z", "2026-01-02T09:05Z"],
  ],
  [
    "0 9-17/4 * * *",
    "2026-01-01T00:00:00Z",
    ["2026-01-01T09:00Z", "2026-01-01T13:00Z", "2026-01-01T17:00Z", "2026-01-02T09:00Z"],
  ],
  ["30 8 * * MON-FRI", "2026-01-02T09:00:00Z", ["2026-01-05T08:30Z", "2026-01-06T08:30Z"]],
  [
    "0 0 1,15 jan,jul *",
    "2026-01-15T00:00:00Z",
    ["2026-07-01T00:00Z", "2026-07-15T00:00Z", "2027-01-01T00:00Z"],
  ],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
  ["0 12 * * 7", "2026-01-01T00:00:00Z", ["2026-01-04T12:00Z", "2026-01-11T12:00Z"]],
  [
    "0 12 * * 5-7",
    "2026-01-01T00:00:00Z",
    ["2026-01-02T12:00Z", "2026-01-03T12:00Z", "2026-01-04T12:00Z", "2026-01-09T12:00Z"],
  ],
  ["@daily", "2026-01-01T00:00:00Z", ["2026-01-02T00:00Z"]],
  ["0 0 30 2 *", "2026-01-01T00:00:00Z", []],
])("%s after %s", (expression, from, expected) => {
  expect(runs(expression, from, Math.max(expected.length, 1))).toEqual(expected);
});

test("with both day fields restricted, either one will do", () => {
  expect(runs("0 0 13 * 5", "2026-02-01T00:00:00Z", 4)).toEqual([
    "2026-02-06T00:00Z",
    "2026-02-13T00:00Z",
    "2026-02-20T00:00Z",
    "2026-02-27T00:00Z",
  ]);
});

describe("zones", () => {
  test("a zone shifts the runs with its summer time", () => {
    expect(runs("CRON_TZ=America/New_York 0 9 * * *", "2026-03-07T00:00:00Z", 2)).toEqual([
      "2026-03-07T14:00Z",
      "2026-03-08T13:00Z",
    ]);
  });

  test("a time that the clocks skip does not run that day", () => {
    expect(runs("CRON_TZ=Europe/Berlin 30 2 * * *", "2026-03-28T12:00:00Z", 1)).toEqual([
      "2026-03-30T00:30Z",
    ]);
  });

  test("a time that the clocks repeat runs twice", () => {
    expect(runs("CRON_TZ=Europe/Berlin 30 2 * * *", "2026-10-24T12:00:00Z", 3)).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-25T01:30Z",
      "2026-10-26T01:30Z",
    ]);
  });

  test("half-hour offsets", () => {
    expect(runs("TZ=Asia/Kolkata 0 0 * * *", "2026-01-01T00:00:00Z", 1)).toEqual([
      "2026-01-01T18:30Z",
    ]);
  });
});

test.each([
  "",
  "* * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 8",
  "*/0 * * * *",
  "5-1 * * * *",
  "1-2-3 * * * *",
  "a * * * *",
  "*-5 * * * *",
  "CRON_TZ=Nowhere/None * * * * *",
])("%j is refused", (expression) => {
  expect(() => parseCron(expression)).toThrow(
    /between|cron fields|not a step|ends before|cannot read|time zone/,
  );
});

test("each run is the first minute that matches, found by looking at every minute", () => {
  const field = (min: number, max: number) =>
    oneof(
      constant("*"),
      integer({ min, max }).map(String),
      tuple(integer({ min, max }), integer({ min, max })).map(
        ([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}/2`,
      ),
    );
  const zones = constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
  const starts = constantFrom(
    "2026-03-07T23:10:00Z",
    "2026-03-28T20:00:00Z",
    "2026-10-24T22:59:00Z",
    "2026-04-04T10:00:00Z",
    "2026-10-31T12:00:00Z",
  );
  assert(
    property(
      zones,
      field(0, 59),
      field(0, 23),
      field(0, 6),
      starts,
      (zone, minute, hour, weekday, start) => {
        const cron = parseCron(`CRON_TZ=${zone} ${minute} ${hour} * * ${weekday}`);
        const from = new Date(start);
        const local = new Intl.DateTimeFormat("en-GB", {
          timeZone: zone,
          weekday: "short",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
        });
        const matches = (at: number) => {
          const [day, h, m] = local.format(at).split(/[ :]/) as [string, string, string];
          return (
            cron.daysOfWeek.has(
              ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(day.slice(0, 3)),
            ) &&
            cron.hours.has(Number(h)) &&
            cron.minutes.has(Number(m))
          );
        };
        let expected = from.getTime() + 60_000;
        const end = from.getTime() + 2 * 86_400_000;
        while (expected < end && !matches(expected)) expected += 60_000;
        const found = nextRun(cron, from)!.getTime();
        expect(expected >= end ? found >= end : found === expected).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
});
