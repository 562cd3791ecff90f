import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantsOfWall, localDate } from "#src/platform/time-zone.ts";
import {
  dateAfter,
  dateAt,
  daysBetween,
  instantOf,
  wallAt,
  weekdayOf,
} from "#src/console/pure/wall-time.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Africa/Casablanca",
  "America/Santiago",
];
const zone = fc.constantFrom(...ZONES);
const MINUTE = 60_000;
const instant = fc
  .integer({ min: Date.parse("1995-01-01") / 1000, max: Date.parse("2034-12-31") / 1000 })
  .map((seconds) => seconds * 1000);

/** The same question by trying each offset that a zone may have, with Intl's words and no arithmetic on them. */
function instantsByTrial(wall: string, of: string): number[] {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: of,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const asked = Date.parse(`${wall}Z`);
  const found: number[] = [];
  for (let offset = -15 * 60; offset <= 15 * 60; offset += 15) {
    const at = asked - offset * MINUTE;
    if (format.format(at) === wall.replace("T", " ")) found.push(at);
  }
  return found.toSorted((a, b) => a - b);
}

/** Around the changes of clocks, where the cases are that a random instant never meets. */
const nearChange = fc
  .tuple(fc.constantFrom(...changes()), fc.integer({ min: -3 * 3600, max: 3 * 3600 }))
  .map(([[of, at], seconds]) => ({ of, wall: wallAt(at + seconds * 1000, of) }));

function changes(): [string, number][] {
  const found: [string, number][] = [];
  for (const of of ZONES)
    for (let day = Date.parse("2026-01-01"); day < Date.parse("2028-01-01"); day += 86_400_000)
      if (wallAt(day, of).slice(11) !== wallAt(day + 86_400_000, of).slice(11))
        found.push([of, day + 43_200_000]);
  return found;
}

describe("wall times", () => {
  test("what clocks show is found again at each instant", () => {
    fc.assert(
      fc.property(instant, zone, (at, of) => {
        const found = instantOf(wallAt(at, of), of);
        if (found?.kind === "twice") expect([found.at, found.second]).toContain(at);
        else expect(found).toEqual({ kind: "once", at });
      }),
    );
  });

  test("instants are those that a trial of all offsets finds, and those of the service", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nearChange,
          fc.record({
            of: zone,
            wall: instant.map((at) => new Date(at).toISOString().slice(0, 19)),
          }),
        ),
        ({ of, wall }) => {
          const tried = instantsByTrial(wall, of);
          const found = instantOf(wall, of)!;
          const served = instantsOfWall(Date.parse(`${wall}Z`), of);
          expect(found.at).toBe(served.first);
          if (tried.length === 0) expect([found.kind, served.inGap]).toEqual(["never", true]);
          else if (tried.length === 1) expect(found).toEqual({ kind: "once", at: tried[0] });
          else expect(found).toEqual({ kind: "twice", at: tried[0], second: tried[1] });
        },
      ),
      { numRuns: 500 },
    );
  });

  test("Berlin skips half past two in March and has it twice in October", () => {
    expect(instantOf("2026-03-29T02:30", "Europe/Berlin")).toEqual({
      kind: "never",
      at: Date.parse("2026-03-29T01:00:00Z"),
    });
    expect(instantOf("2026-10-25T02:30", "Europe/Berlin")).toEqual({
      kind: "twice",
      at: Date.parse("2026-10-25T00:30:00Z"),
      second: Date.parse("2026-10-25T01:30:00Z"),
    });
  });

  test("half hours of Lord Howe are half hours", () => {
    expect(instantOf("2026-10-04T02:15", "Australia/Lord_Howe")).toEqual({
      kind: "never",
      at: Date.parse("2026-10-03T15:30:00Z"),
    });
  });

  test.each(["2026-04-31T10:00", "2026-02-29T10:00", "2026-01-01T24:00", "2026-01-01", "", "x"])(
    "%j is no time",
    (wall) => expect(instantOf(wall, "UTC")).toBeNull(),
  );
});

describe("dates", () => {
  test("of an instant they are those of the service", () => {
    fc.assert(
      fc.property(instant, zone, (at, of) => {
        expect(dateAt(at, of)).toBe(localDate(new Date(at), of));
      }),
    );
  });
  test("adding days and counting them agree, over months, years and changes of clocks", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -500, max: 500 }), (at, days) => {
        const from = dateAt(at, "UTC");
        expect(daysBetween(from, dateAfter(from, days))).toBe(days);
      }),
    );
  });
  test("a date has its weekday", () => {
    expect(["2026-11-25", "2026-11-28", "2026-11-29"].map(weekdayOf)).toEqual([
      "wed",
      "sat",
      "sun",
    ]);
  });
});
