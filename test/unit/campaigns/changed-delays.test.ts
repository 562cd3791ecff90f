import { expect, test } from "vitest";
import { piecesOf } from "#src/domain/campaigns/changed-delays.ts";
import { stepDueAt } from "#src/domain/engine/window.ts";
import { createRandom } from "../../support/random.ts";

const DAY_MS = 86_400_000;

/** As the database reads a piece. */
function dueBy(pieces: ReturnType<typeof piecesOf>, which: "was" | "due", slotAt: Date) {
  const [piece, ...others] = pieces.filter(
    ({ from, until }) => (from === null || slotAt >= from) && (until === null || slotAt < until),
  );
  expect(others).toEqual([]);
  const { at, afterMs } = piece![which];
  return at ?? new Date(Math.floor(slotAt.getTime() / 1000) * 1000 + afterMs!);
}

test.each([
  ["UTC", "2026-01-01T00:00:00Z", 2],
  ["Europe/Oslo", "2026-03-01T00:00:00Z", 16],
  ["America/New_York", "2026-10-20T00:00:00Z", 16],
  ["Australia/Lord_Howe", "2026-03-20T00:00:00Z", 16],
  ["Africa/Casablanca", "2026-02-01T00:00:00Z", 24],
  // Of its dates one never was.
  ["Pacific/Apia", "2011-12-15T00:00:00Z", 24],
  ["America/New_York", "2026-10-20T00:00:00Z", 24, "Europe/Oslo"],
])(
  "by pieces of time delays in %s end as each by itself, and there are few",
  (zone, start, most, newZone = zone) => {
    const random = createRandom(7);
    const from = new Date(start);
    const until = new Date(from.getTime() + 45 * DAY_MS);
    for (let round = 0; round < 20; round++) {
      const days = { before: random.below(20), after: random.pick([0, 1, 5, 17, 200]) };
      const pieces = piecesOf(days, { before: zone, after: newZone }, { from, until });
      expect(pieces.length).toBeLessThanOrEqual(most);
      const edges = pieces.flatMap(({ from: edge }) => (edge === null ? [] : [edge.getTime()]));
      const slots = [
        ...edges.flatMap((edge) => [edge - 1, edge, edge + 999]),
        ...Array.from({ length: 400 }, () => from.getTime() + random.below(45 * DAY_MS)),
      ].map((slot) => new Date(slot));
      for (const slot of slots)
        for (const [which, delay, clocks] of [
          ["was", days.before, zone],
          ["due", days.after, newZone],
        ] as const)
          expect(dueBy(pieces, which, slot)).toEqual(stepDueAt(slot, delay, clocks));
    }
  },
);
