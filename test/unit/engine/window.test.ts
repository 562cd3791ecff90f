import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addLocalDays, localDate, localDay, wallMsAt } from "#src/platform/time-zone.ts";
import { type SendingWindow, windowInterval } from "#src/domain/engine/window.ts";

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const window = (change: Partial<SendingWindow>): SendingWindow => ({
  timezone: "UTC",
  start: "09:00:00",
  end: "17:00:00",
  days: WEEK,
  ...change,
});
const interval = (settings: Partial<SendingWindow>, after: string) => {
  const found = windowInterval(window(settings), new Date(after));
  return found && [found.openFrom.toISOString(), found.openUntil.toISOString(), found.day];
};

describe("windows", () => {
  test("inside the window, the interval is the open one", () => {
    expect(interval({}, "2026-01-05T10:00:00Z")).toEqual([
      "2026-01-05T09:00:00.000Z",
      "2026-01-05T17:00:00.000Z",
      "2026-01-05",
    ]);
  });
  test("the end is exclusive: at 17:00 the interval is tomorrow's", () => {
    expect(interval({}, "2026-01-05T17:00:00Z")?.[2]).toBe("2026-01-06");
  });
  test("send_days skips the weekend", () => {
    expect(interval({ days: ["mon", "fri"] }, "2026-01-09T18:00:00Z")?.[2]).toBe("2026-01-12");
  });
  test("a window across midnight belongs to the date on which it opens and is cut at midnight", () => {
    const night = { start: "22:00:00", end: "02:00:00", days: ["fri"] as const };
    expect(interval(night, "2026-01-09T12:00:00Z")).toEqual([
      "2026-01-09T22:00:00.000Z",
      "2026-01-10T00:00:00.000Z",
      "2026-01-09",
    ]);
    expect(interval(night, "2026-01-10T00:00:00Z")).toEqual([
      "2026-01-10T00:00:00.000Z",
      "2026-01-10T02:00:00.000Z",
      "2026-01-10",
    ]);
  });
  test("start = end is the whole local day", () => {
    expect(
      interval(
        { start: "09:00:00", end: "09:00:00", timezone: "Europe/Berlin" },
        "2026-07-01T12:00:00Z",
      ),
    ).toEqual(["2026-06-30T22:00:00.000Z", "2026-07-01T22:00:00.000Z", "2026-07-01"]);
  });
  test("a start in the DST gap moves to the transition", () => {
    expect(
      interval(
        { timezone: "Europe/Berlin", start: "02:30:00", end: "08:00:00" },
        "2026-03-29T00:30:00Z",
      )?.[0],
    ).toBe("2026-03-29T01:00:00.000Z");
  });
  test("a window wholly inside the gap does not exist that day", () => {
    expect(
      interval(
        { timezone: "Europe/Berlin", start: "02:10:00", end: "02:50:00" },
        "2026-03-29T00:00:00Z",
      )?.[2],
    ).toBe("2026-03-30");
  });
  test("in the overlap, start takes the last occurrence and end the first", () => {
    const berlin = { timezone: "Europe/Berlin" };
    expect(
      interval({ ...berlin, start: "02:30:00", end: "08:00:00" }, "2026-10-25T00:00:00Z")?.[0],
    ).toBe("2026-10-25T01:30:00.000Z");
    expect(
      interval({ ...berlin, start: "00:30:00", end: "02:30:00" }, "2026-10-24T22:00:00Z")?.[1],
    ).toBe("2026-10-25T00:30:00.000Z");
  });
  test("a window wholly inside the overlap takes the first occurrence of both", () => {
    expect(
      interval(
        { timezone: "Europe/Berlin", start: "02:10:00", end: "02:50:00" },
        "2026-10-25T00:00:00Z",
      )?.slice(0, 2),
    ).toEqual(["2026-10-25T00:10:00.000Z", "2026-10-25T00:50:00.000Z"]);
  });
  test("a date that the zone skipped has no window", () => {
    expect(interval({ timezone: "Pacific/Apia", days: WEEK }, "2011-12-30T04:00:00Z")?.[2]).toBe(
      "2011-12-31",
    );
  });
  test("a zone with half-hour DST", () => {
    expect(interval({ timezone: "Australia/Lord_Howe" }, "2026-10-04T00:00:00Z")?.[2]).toBe(
      "2026-10-04",
    );
  });
  test("midnight that does not exist: the whole day starts at the transition", () => {
    // Havana goes from 00:00 to 01:00 on 2026-03-08.
    expect(
      interval(
        { timezone: "America/Havana", start: "00:00:00", end: "00:00:00" },
        "2026-03-08T05:30:00Z",
      )?.[0],
    ).toBe("2026-03-08T05:00:00.000Z");
  });
});

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Havana",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "America/Sao_Paulo",
];
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([h, m]) => `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}:00`);
const instants = fc.date({
  min: new Date("2010-01-01"),
  max: new Date("2035-01-01"),
  noInvalidDate: true,
});

describe("for any window, zone and instant", () => {
  test("a interval lies on one local date, ends after the instant and reads inside the window on a wall clock", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        clock,
        clock,
        fc.subarray([...WEEK], { minLength: 1 }),
        instants,
        (timezone, start, end, days, after) => {
          const found = windowInterval({ timezone, start, end, days }, after);
          expect(found).not.toBeNull();
          const { openFrom, openUntil, day } = found!;
          expect(openUntil.getTime()).toBeGreaterThan(
            Math.max(openFrom.getTime(), after.getTime()),
          );
          for (const at of [openFrom, new Date(openUntil.getTime() - 1)]) {
            expect(localDate(at, timezone)).toBe(day);
            const time = new Date(wallMsAt(at.getTime(), timezone)).toISOString().slice(11, 19);
            if (start < end) expect(time >= start && time < end).toBe(true);
            if (start > end) expect(time >= start || time < end).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
  test("a local day holds its instant", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (zone, at) => {
        const { day, from, until } = localDay(at, zone);
        expect(from <= at && at < until).toBe(true);
        expect(localDate(from, zone)).toBe(day);
      }),
      { numRuns: 300 },
    );
  });
  test("adding local days keeps the wall time, or moves to the transition", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        instants,
        fc.integer({ min: 1, max: 365 }),
        (zone, at, days) => {
          const later = addLocalDays(at, days, zone);
          const drift =
            wallMsAt(later.getTime(), zone) - (wallMsAt(at.getTime(), zone) + days * 86_400_000);
          expect(drift >= 0 && drift <= 86_400_000).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
