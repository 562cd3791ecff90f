import { afterEach, expect, test } from "vitest";
import { createActivity } from "../../../scripts/stack/activity.ts";
import { ClockStuck, createStackClock } from "../../../scripts/stack/clock.ts";
import { startHeartbeat } from "../../../scripts/stack/heartbeat.ts";
import type { TimedPart } from "../../../scripts/stack/part.ts";
import { setWarpOffsetMs, sleepUntilWarped } from "../../../scripts/stack/warp.ts";
import type { WorkerLink } from "../../../scripts/stack/worker-link.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  setWarpOffsetMs(0);
});

/** Acts at given distances from now, taking `workMs` of real time each. */
function agenda(distancesMs: number[], act: () => void | Promise<void>): TimedPart {
  const dueMs = distancesMs.map((ms) => Date.now() + ms);
  let isBusy = false;
  const stopped = new AbortController();
  const loop = async () => {
    while (dueMs.length > 0) {
      await sleepUntilWarped(new Date(dueMs[0]!), stopped.signal);
      isBusy = true;
      dueMs.shift();
      await act();
      isBusy = false;
    }
  };
  const ended = loop().catch(() => {});
  closers.push(async () => {
    stopped.abort(new Error("closed"));
    await ended;
  });
  return {
    nextDueAt: () => (dueMs[0] === undefined ? null : new Date(dueMs[0])),
    busy: () => isBusy,
  };
}

/** A Worker in this process. */
function linkTo(activity: ReturnType<typeof createActivity>): WorkerLink {
  return {
    setOffset: async () => {},
    state: async () => activity.state(),
    scheduled: async () => {},
    email: async () => ({ rejected: null }),
  };
}

const minutesSince = (start: number) => Math.round((Date.now() - start) / MINUTE_MS);

test("a move of a week without anything to do takes no time and ends at its target", async () => {
  const clock = createStackClock();
  const start = Date.now();
  const move = await clock.advance(7 * 24 * HOUR_MS);
  expect(move.now.getTime() - start).toBeGreaterThanOrEqual(7 * 24 * HOUR_MS);
  expect(move.now.getTime() - start).toBeLessThan(7 * 24 * HOUR_MS + 1000);
  expect(move.hops).toBe(1);
});

test("parts act in the order of their times, each at its own instant, not at the end of the move", async () => {
  const start = Date.now();
  const seen: string[] = [];
  const clock = createStackClock();
  clock.watch(
    agenda([10 * MINUTE_MS, 30 * MINUTE_MS], () => void seen.push(`a at ${minutesSince(start)}`)),
  );
  clock.watch(agenda([20 * MINUTE_MS], () => void seen.push(`b at ${minutesSince(start)}`)));
  await clock.advance(HOUR_MS);
  expect(seen).toEqual(["a at 10", "b at 20", "a at 30"]);
});

test("the clock stands while a part works", async () => {
  const start = Date.now();
  let workEndedAt = 0;
  const clock = createStackClock();
  const work = Promise.withResolvers<void>();
  clock.watch(
    agenda([10 * MINUTE_MS], async () => {
      await work.promise;
      workEndedAt = minutesSince(start);
    }),
  );
  const move = clock.advance(HOUR_MS);
  while (minutesSince(start) < 10) await new Promise((resolve) => setImmediate(resolve));
  work.resolve();
  await move;
  expect(workEndedAt).toBe(10);
});

test("the clock stops where the Worker sleeps, and a request that sleeps again is followed", async () => {
  const start = Date.now();
  const activity = createActivity();
  const clock = createStackClock();
  clock.attach(linkTo(activity));
  const seen: number[] = [];
  const request = activity.track(async () => {
    for (const minutes of [5, 12]) {
      await activity.clock.sleepUntil(new Date(start + minutes * MINUTE_MS));
      seen.push(minutesSince(start));
    }
  });
  await clock.advance(HOUR_MS);
  await request;
  expect(seen).toEqual([5, 12]);
});

test("a busy part whose request sleeps in the Worker does not hold up the clock", async () => {
  const start = Date.now();
  const activity = createActivity();
  const clock = createStackClock({ settleLimitMs: 2_000 });
  clock.attach(linkTo(activity));
  let woken = -1;
  clock.watch(
    agenda([MINUTE_MS], () =>
      activity.track(async () => {
        await activity.clock.sleepUntil(new Date(start + 40 * MINUTE_MS));
        woken = minutesSince(start);
      }),
    ),
  );
  await clock.advance(HOUR_MS);
  expect(woken).toBe(40);
});

test("a request that does not end leaves the clock where it is, and says so", async () => {
  const activity = createActivity();
  const clock = createStackClock({ settleLimitMs: 30 });
  clock.attach(linkTo(activity));
  const hang = Promise.withResolvers<void>();
  const request = activity.track(() => hang.promise);
  const start = Date.now();
  await expect(clock.advance(HOUR_MS)).rejects.toThrow(ClockStuck);
  expect(minutesSince(start)).toBe(0);
  hang.resolve();
  await request;
  await clock.advance(HOUR_MS);
  expect(minutesSince(start)).toBe(60);
});

test("two moves at once happen one after the other", async () => {
  const start = Date.now();
  const clock = createStackClock();
  await Promise.all([clock.advance(HOUR_MS), clock.advance(HOUR_MS)]);
  expect(minutesSince(start)).toBe(120);
});

function heartbeatOn(clock: ReturnType<typeof createStackClock>, run: (at: Date) => Promise<void>) {
  const heartbeat = startHeartbeat({
    cron: "*/5 * * * *",
    everyMs: 5 * MINUTE_MS,
    isMoving: clock.isMoving,
    run: (_cron, at) => run(at),
  });
  closers.push(() => heartbeat.close());
  clock.watch(heartbeat);
  return heartbeat;
}

test("the heartbeat runs at every fifth minute", async () => {
  const clock = createStackClock();
  const runs: string[] = [];
  heartbeatOn(clock, async (at) => void runs.push(at.toISOString()));
  await clock.advance(30 * MINUTE_MS);
  expect(runs).toHaveLength(6);
  for (const run of runs) expect(run).toMatch(/:\d[05]:00\.000Z$/);
});

test("a long quiet time runs the heartbeat hourly after its first hour, and a week takes well under five seconds", async () => {
  const clock = createStackClock();
  const runs: Date[] = [];
  const heartbeat = heartbeatOn(clock, async (at) => void runs.push(at));
  const startedAt = performance.now();
  await clock.advance(7 * 24 * HOUR_MS);
  expect(runs.length).toBeGreaterThan(170);
  expect(runs.length).toBeLessThan(190);
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(heartbeat.log.entries().map(({ summary }) => summary)).toContain(
    "run, for 12 that fell due together",
  );
});

test("activity brings the heartbeat back to every fifth minute", async () => {
  const clock = createStackClock();
  const runs: Date[] = [];
  const heartbeat = heartbeatOn(clock, async (at) => void runs.push(at));
  await clock.advance(24 * HOUR_MS);
  heartbeat.noteActivity();
  runs.length = 0;
  await clock.advance(30 * MINUTE_MS);
  expect(runs.length).toBeGreaterThanOrEqual(5);
});
