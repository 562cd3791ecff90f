import { expect, test } from "vitest";
import type { Held } from "#src/domain/engine/connections.ts";
import type { Pace } from "#src/domain/engine/pace.ts";
import { planRests } from "#src/domain/engine/late-senders.ts";

const now = new Date("2026-05-05T10:00:00Z");
const nextRun = new Date("2026-05-05T10:01:00Z");

const held = (laneId: string): Held => ({
  laneId,
  route: { workspaceId: "a", host: "slow", account: laneId },
  begunAt: now,
  isLate: true,
});

/** In how many minutes each lane looks again. */
function minutesOf(
  lanes: string[],
  options: { pace?: Pace; behind?: Held[]; before?: number; most?: number; hasRoom?: boolean } = {},
) {
  const {
    pace = "late",
    behind = [held("x"), held("y")],
    before = 0,
    most = 0,
    hasRoom = true,
  } = options;
  const shutOut = lanes.map((laneId) => ({ laneId, pace, behind }));
  const turns = planRests(shutOut, { now, nextRun, before, most, hasRoom });
  return Object.fromEntries(
    turns.map(({ laneId, until }) => [laneId, (until.getTime() - now.getTime()) / 60_000]),
  );
}

test("in each run as many have their turn as are waited for, in the order in which they came; whose answers are awaited come last", () => {
  expect(minutesOf(["a", "b", "c"])).toEqual({ a: 1, b: 1, c: 2, x: 2, y: 2 });
  expect(minutesOf(["a", "b", "c"], { behind: [held("x")] })).toEqual({ a: 1, b: 2, c: 3, x: 4 });
  expect(minutesOf(["a"], { before: 2 })).toEqual({ a: 2, x: 2, y: 2 });
  expect(minutesOf(["a"], { most: 6 })).toEqual({ a: 1, x: 4, y: 4 });
});

test("of any number nobody waits longer than five minutes, and not all come back at once", () => {
  const waits = Object.values(
    minutesOf(Array.from({ length: 600 }, (_, index) => `lane ${index}`)),
  );
  expect(waits).toHaveLength(602);
  expect(Math.max(...waits)).toBeLessThanOrEqual(5);
  for (let minute = 3; minute < 5; minute++)
    expect(waits.filter((wait) => wait >= minute && wait < minute + 1).length).toBeLessThan(310);
});

test("a message of its own holds no sender back longer than its turn", () => {
  expect(minutesOf(["x"], { behind: [held("x"), held("x")] })).toEqual({ x: 1 });
});

test("a sender that is not late comes back with the next run, or at once where another run may have a place for it", () => {
  expect(minutesOf(["a"], { pace: "prompt" })).toEqual({ a: 1 });
  expect(minutesOf(["a"], { pace: "unknown" })).toEqual({ a: 1 });
  expect(minutesOf(["a"], { pace: "prompt", hasRoom: false })).toEqual({});
});
