import { expect, test } from "vitest";
import { timeWords } from "../../../src/console/pure/time-words.ts";
import { bytes, count, num, percent, words } from "../../../src/console/pure/words.ts";

const now = new Date("2026-11-26T13:20:07Z");
const at = (iso: string) => new Date(iso);

test("a time is said in the zone that is asked for", () => {
  const instant = at("2026-11-27T08:04:10Z");
  const zone = "Europe/Berlin";
  expect(timeWords(instant, "full", now, zone)).toBe("Fri 27 Nov, 09:04");
  expect(timeWords(instant, "exact", now, zone)).toBe("Fri 27 Nov, 09:04:10");
  expect(timeWords(instant, "date", now, "Pacific/Auckland")).toBe("Fri 27 Nov");
  expect(timeWords(at("2026-11-26T22:30:00Z"), "time", now, "Asia/Kolkata")).toBe("04:00");
  expect(timeWords(at("2026-11-26T23:30:00Z"), "time", now, zone)).toBe("00:30");
  expect(timeWords(at("2025-01-03T08:00:00Z"), "date", now, zone)).toBe("Fri 3 Jan 2025");
});

test.each([
  ["2026-11-26T13:20:05Z", "now"],
  ["2026-11-26T13:20:48Z", "in 41 s"],
  ["2026-11-26T13:15:00Z", "5 min ago"],
  ["2026-11-25T13:20:00Z", "24 h ago"],
  ["2026-11-20T13:20:00Z", "Fri 20 Nov, 13:20"],
])("%s is %s", (iso, said) => {
  expect(timeWords(at(iso), "ago", now, "UTC")).toBe(said);
});

test("figures and words", () => {
  expect([num(2369), count(1, "lead"), count(671, "lead"), count(2, "person", "people")]).toEqual([
    "2,369",
    "1 lead",
    "671 leads",
    "2 people",
  ]);
  expect([percent(0.4115, 1), words("out_of_office"), bytes(980), bytes(26_140)]).toEqual([
    "41.2 %",
    "out of office",
    "980 B",
    "26.1 kB",
  ]);
});
