import { expect, test } from "vitest";
import { readInstant } from "#db/base/instants.ts";
import { createRandom } from "../../support/random.ts";

/** As Postgres writes an instant in UTC: without trailing zeros. */
const written = (at: Date) =>
  at
    .toISOString()
    .replace("T", " ")
    .replace(/\.?0*Z$/, "+00")
    .replace(/:(\d)\+00$/, ":$10+00");

test("an instant is read as it was written, whatever its fraction", () => {
  const random = createRandom(11);
  for (let times = 0; times < 2_000; times++) {
    const grain = random.pick([1, 10, 100, 1_000, 60_000]);
    const at = new Date(Math.floor((random.next() * 4e12 - 5e11) / grain) * grain);
    expect([written(at), readInstant(written(at))]).toEqual([written(at), at]);
  }
});

test.each([
  ["2026-01-05 09:00:00.123456+00", "2026-01-05T09:00:00.123Z"],
  ["2026-01-05 09:00:00+00", "2026-01-05T09:00:00.000Z"],
  ["2026-01-05 09:00:00.5+00", "2026-01-05T09:00:00.500Z"],
  ["2026-01-05 14:30:00+05:30", "2026-01-05T09:00:00.000Z"],
  ["2026-01-05 10:00:00+01", "2026-01-05T09:00:00.000Z"],
  ["2026-01-05T09:00:00.123+00:00", "2026-01-05T09:00:00.123Z"],
  ["0099-01-05 09:00:00+00", "0099-01-05T09:00:00.000Z"],
])("%s", (text, expected) => {
  expect(readInstant(text).toISOString()).toBe(expected);
});
