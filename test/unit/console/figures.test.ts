/** Dates, statistics, CSV and the ledger's lines: what screens make of an answer. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { delta, entryWords, groupEntries, price } from "../../../src/console/pure/credit-words.ts";
import { csvText } from "../../../src/console/pure/csv-text.ts";
import { addDays, datesBetween, dateWords } from "../../../src/console/pure/dates.ts";
import { everyDate } from "../../../src/console/pure/next-dates.ts";
import {
  COUNT_NAMES,
  namedRows,
  tableRows,
  totals,
  type StatsRow,
} from "../../../src/console/pure/stats-rows.ts";

const row = (key: string, sent: number): StatsRow => ({
  ...(Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as Omit<StatsRow, "key">),
  key,
  sent,
  first_messages: sent,
});
const answer = (by: string, from: string, to: string, rows: StatsRow[], timezone = "UTC") => ({
  ...{ by, from, to, rows, timezone },
});

test("dates are those of the zone, without a gap, over a change of the clocks too", () => {
  // 23:30 in Los Angeles is the next day in Berlin, whose clocks go back in between.
  expect(everyDate("2026-10-25T06:30:00Z", "America/Los_Angeles", 2)).toEqual([
    "2026-10-24",
    "2026-10-25",
  ]);
  expect(everyDate("2026-10-24T22:30:00Z", "Europe/Berlin", 3)).toEqual([
    "2026-10-25",
    "2026-10-26",
    "2026-10-27",
  ]);
  expect([dateWords("2026-11-26"), dateWords("2026-11-26", "short")]).toEqual([
    "Thu 26 Nov",
    "Thu 26",
  ]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40_000 }),
      fc.integer({ min: 0, max: 91 }),
      (from, days) => {
        const first = addDays("1970-01-01", from);
        const all = datesBetween(first, addDays(first, days), 92);
        expect(all.length).toBe(days + 1);
        expect(new Set(all).size).toBe(days + 1);
        expect(all.at(-1)).toBe(addDays(first, days));
      },
    ),
  );
});

test("days without a message are drawn, and left out of the table, which begins with the latest", () => {
  const rows = namedRows(
    answer("day", "2026-11-01", "2026-11-05", [row("2026-11-02", 3), row("2026-11-04", 1)]),
    String,
  );
  expect(rows.map(({ sent }) => sent)).toEqual([0, 3, 0, 1, 0]);
  expect(tableRows(rows, true).map(({ name }) => name)).toEqual(["Wed 4 Nov", "Mon 2 Nov"]);
  expect(totals(rows)).toMatchObject({ sent: 4, replied: 0 });
});

test("hours go by instants: the one that comes twice is there twice", () => {
  const rows = namedRows(
    answer(
      "hour",
      "2026-10-25",
      "2026-10-25",
      [row("2026-10-25T01:00:00+02:00", 1), row("2026-10-25T03:00:00+01:00", 2)],
      "Europe/Berlin",
    ),
    String,
  );
  expect(rows.map(({ short }) => short)).toEqual(["01:00", "02:00", "02:00", "03:00"]);
  expect(rows.map(({ sent }) => sent)).toEqual([1, 0, 0, 2]);
});

test("of campaigns what sent most comes first, by its name", () => {
  const rows = namedRows(
    answer("campaign", "2026-11-01", "2026-11-05", [row("a", 1), row("b", 9)]),
    (key) => key.toUpperCase(),
  );
  expect(rows.map(({ name }) => name)).toEqual(["B", "A"]);
});

test("a name that a spreadsheet would run does not run, and every text comes back as it was", () => {
  expect(csvText(["a"], [["=1+1"], ['say "x"'], ["+49"], [-5]])).toBe(
    `a\r\n'=1+1\r\n"say ""x"""\r\n'+49\r\n-5\r\n`,
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const cell = csvText(["x"], [[text]]).slice("x\r\n".length, -2);
      const inner = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
      expect(inner).toBe(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
    }),
  );
});

test("entries that say the same within a minute are one line, whose sums are theirs", () => {
  const entry = (id: string, second: number, kind = "hold", ref = "email_found") => ({
    ...{ id, kind, ref_type: ref, ref_id: id, owed_delta: 0, available_delta: -1, held_delta: 1 },
    created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  });
  const groups = groupEntries([
    entry("a", 50),
    entry("b", 40),
    entry("c", 30, "capture"),
    entry("d", 20),
    entry("e", -60),
  ]);
  expect(groups.map(({ entries }) => entries.map(({ id }) => id).join(""))).toEqual([
    "ab",
    "c",
    "d",
    "e",
  ]);
  expect(groups[0]).toMatchObject({ available_delta: -2, held_delta: 2 });
});

test("why credits moved is said in words, known or not", () => {
  const of = (kind: string, ref_type: string) =>
    entryWords({ kind, ref_type, available_delta: 0, held_delta: 0, owed_delta: 0 });
  expect(of("capture", "email_verification")).toBe("Spent on an address verified.");
  expect(of("grant", "purchase")).toBe("Bought.");
  expect(of("moved", "new_thing")).toBe("moved: new thing.");
  expect([delta(1000), delta(-1), delta(0)]).toEqual(["+1,000", "-1", ""]);
  expect(price(1900, "usd")).toBe("$19.00");
});
