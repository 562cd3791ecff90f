import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AxisInput, axisItems, placeOfDay, sumsOf } from "#src/console/pure/axis-days.ts";
import { layOut } from "#src/console/pure/axis-layout.ts";
import { axisRows, axisTitle } from "#src/console/pure/axis-table.ts";
import { dateAfter, dateAt } from "#src/console/pure/wall-time.ts";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "Pacific/Kiritimati"];
const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const counts = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9999 }));

/** Campaigns of up to ninety days on either side of a moment that is often a change of clocks. */
const input: fc.Arbitrary<AxisInput> = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    nowMs: fc.oneof(
      fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2027-12-31") }),
      fc.constantFrom(Date.parse("2026-10-25T00:59:59Z"), Date.parse("2026-03-29T01:00:00Z")),
    ),
    sendDays: fc.subarray([...WEEK], { minLength: 1 }),
    todayWhy: fc.constantFrom(null, "The sending window is closed."),
    before: fc.uniqueArray(fc.integer({ min: -90, max: 0 }), { maxLength: 91 }),
    after: fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 91 }),
    numbers: fc.array(counts, { minLength: 4, maxLength: 40 }),
  })
  .map(({ before, after, numbers, ...rest }) => {
    const today = dateAt(rest.nowMs, rest.zone);
    let taken = 0;
    const next = () => numbers[taken++ % numbers.length]!;
    return {
      ...rest,
      past: before
        .toSorted((a, b) => a - b)
        .map((day) => ({
          key: dateAfter(today, day),
          ...{ first_messages: next(), follow_ups: next(), replied: next(), bounced: next() },
        })),
      future: after
        .toSorted((a, b) => a - b)
        .map((day) => ({
          date: dateAfter(today, day),
          ...{ new_leads: next(), follow_ups: next() },
        })),
    };
  });
const size = fc.record({
  width: fc.integer({ min: 280, max: 1600 }),
  dailyLimit: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 10_000 })),
  hasEnd: fc.boolean(),
});
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

describe("the axis", () => {
  test("has each date from the first to the last once, in order, and one today", () => {
    fc.assert(
      fc.property(input, (given) => {
        const items = axisItems(given);
        const dates = items.flatMap((item) =>
          item.kind === "day"
            ? [item.date]
            : Array.from({ length: item.days }, (_, day) => dateAfter(item.from, day)),
        );
        for (const [index, date] of dates.entries()) expect(date).toBe(dateAfter(dates[0]!, index));
        for (const item of items)
          if (item.kind === "gap") expect(dateAfter(item.from, item.days - 1)).toBe(item.to);
        const todays = items.filter((item) => item.kind === "day" && item.when === "today");
        expect(todays).toMatchObject([
          { date: dateAt(given.nowMs, given.zone), why: given.todayWhy },
        ]);
      }),
    );
  });

  test("its bars and its table add up to what the API counted", () => {
    fc.assert(
      fc.property(input, size, (given, at) => {
        const items = axisItems(given);
        const { bars, baseline, ticks } = layOut(items, at);
        const counted = {
          "sent-first": sum(given.past.map((day) => day.first_messages)),
          "sent-follow-up": sum(given.past.map((day) => day.follow_ups)),
          "coming-first": sum(given.future.map((day) => day.new_leads)),
          "coming-follow-up": sum(given.future.map((day) => day.follow_ups)),
        };
        const unit = (baseline - ticks.at(-1)!.y) / ticks.at(-1)!.value;
        for (const [kind, expected] of Object.entries(counted)) {
          const of = bars.filter((bar) => bar.kind === kind);
          expect(sum(of.map((bar) => bar.count))).toBe(expected);
          expect(sum(of.map((bar) => bar.height)) / unit).toBeCloseTo(expected, 3);
        }
        const rows = axisRows(items, dateAt(given.nowMs, given.zone));
        const tabled = (state: string, field: "first" | "followUps" | "total" | "replied") =>
          sum(rows.filter((row) => row.state === state).map((row) => row[field] ?? 0));
        expect(tabled("sent", "first")).toBe(counted["sent-first"]);
        expect(tabled("sent", "followUps")).toBe(counted["sent-follow-up"]);
        expect(tabled("to come", "total")).toBe(
          counted["coming-first"] + counted["coming-follow-up"],
        );
        expect(tabled("sent", "replied")).toBe(sum(given.past.map((day) => day.replied)));
        expect(sumsOf(items).bounced).toBe(sum(given.past.map((day) => day.bounced)));
      }),
    );
  });

  test("nothing overlaps, x grows with time, and all lies within the picture", () => {
    fc.assert(
      fc.property(input, size, (given, at) => {
        const layout = layOut(axisItems(given), at);
        const parts = [...layout.columns, ...layout.gaps].toSorted((a, b) => a.x - b.x);
        for (const [index, part] of parts.entries())
          if (index > 0)
            expect(part.x).toBeCloseTo(parts[index - 1]!.x + parts[index - 1]!.width, 6);
        expect(layout.columns.map(({ date }) => date)).toEqual(
          layout.columns.map(({ date }) => date).toSorted(),
        );
        for (const column of layout.columns) {
          let y = layout.baseline;
          for (const bar of layout.bars.filter(({ date }) => date === column.date)) {
            expect(bar.x).toBeGreaterThanOrEqual(column.x);
            expect(bar.x + bar.width).toBeLessThanOrEqual(column.x + column.width);
            expect(bar.y + bar.height).toBeCloseTo(y, 6);
            y = bar.y;
          }
          expect(y).toBeGreaterThanOrEqual(layout.ticks.at(-1)!.y - 1e-6);
        }
        const end = parts.at(-1)!;
        expect(end.x + end.width).toBeLessThanOrEqual(layout.width);
        expect(layout.width).toBeGreaterThanOrEqual(at.width);
      }),
    );
  });

  test("labels have room, and today has one", () => {
    fc.assert(
      fc.property(input, size, (given, at) => {
        const { columns } = layOut(axisItems(given), at);
        const labelled = columns.filter(({ label }) => label !== null);
        expect(labelled.filter(({ label }) => label === "Today")).toHaveLength(1);
        for (const [index, { middle }] of labelled.entries())
          if (index > 0) expect(middle - labelled[index - 1]!.middle).toBeGreaterThan(36);
      }),
    );
  });

  test("a day's messages lie behind those of the days before", () => {
    const days = [
      { date: "2026-11-26", sends: 3 },
      { date: "2026-11-27", sends: 0 },
      { date: "2026-11-30", sends: 5 },
    ];
    expect(placeOfDay(days, "2026-11-26")).toEqual({ offset: 0, limit: 3 });
    expect(placeOfDay(days, "2026-11-30")).toEqual({ offset: 3, limit: 5 });
    expect(placeOfDay(days, "2026-11-27")).toBeNull();
    expect(placeOfDay(days, "2026-12-01")).toBeNull();
  });
});

describe("gaps", () => {
  const monToFri = WEEK.slice(0, 5);
  const of = (past: string[], future: string[], now = "2026-11-26T12:00:00Z") =>
    axisItems({
      past: past.map((key) => ({ key, first_messages: 1, follow_ups: 0, replied: 0, bounced: 0 })),
      future: future.map((date) => ({ date, new_leads: 1, follow_ups: 0 })),
      nowMs: Date.parse(now),
      zone: "UTC",
      sendDays: monToFri,
      todayWhy: "The sending window is closed.",
    });

  test("a weekend is no sending day, a silent weekday is nothing due", () => {
    expect(axisRows(of(["2026-11-24"], ["2026-12-01"]), "2026-11-26")).toMatchObject([
      { day: "Tue 24 Nov", total: 1 },
      { day: "Wed 25 Nov", why: "Nothing went out." },
      { day: "Thu 26 Nov, today", total: 0, why: "The sending window is closed." },
      { day: "Fri 27 Nov", why: "No message is due." },
      { day: "Sat 28 to Sun 29 Nov", why: "The campaign does not send on this weekday." },
      { day: "Mon 30 Nov", why: "No message is due." },
      { day: "Tue 1 Dec", state: "to come", total: 1 },
    ]);
  });

  test("a long silence is one gap, over the turn of a year too", () => {
    expect(axisRows(of([], ["2027-01-04"]), "2026-11-26").slice(1)).toMatchObject([
      { day: "Fri 27 Nov to Sun 3 Jan 2027", why: "No message is due." },
      { day: "Mon 4 Jan 2027", total: 1 },
    ]);
  });

  test("a campaign without a message has today, with its reason", () => {
    const items = of([], []);
    expect(items).toMatchObject([{ date: "2026-11-26", why: "The sending window is closed." }]);
    expect(axisTitle(items, "2026-11-26")).toBe(
      "Messages a day, Thu 26 Nov: 0 sent, 0 messages to come.",
    );
    expect(layOut(items, { width: 900, dailyLimit: 500, hasEnd: false }).bars).toEqual([]);
  });
});

describe("the scale", () => {
  const at = (most: number, dailyLimit: number) => {
    const items = axisItems({
      past: [],
      future: [{ date: "2026-11-26", new_leads: most, follow_ups: 0 }],
      ...{ nowMs: Date.parse("2026-11-26T12:00:00Z"), zone: "UTC", sendDays: [], todayWhy: null },
    });
    const { ticks, cap } = layOut(items, { width: 900, dailyLimit, hasEnd: false });
    return [ticks.map(({ value }) => value), cap !== null];
  };
  test.each([
    [120, 120, [0, 60, 120], true],
    [13, 500, [0, 10, 20], false],
    [0, 500, [0, 1], false],
    [300, 120, [0, 200, 400], true],
    [7, 9, [0, 9], true],
  ])("%i messages under a limit of %i", (most, limit, ticks, isInPicture) => {
    expect(at(most, limit)).toEqual([ticks, isInPicture]);
  });
});
