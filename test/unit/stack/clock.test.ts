import { afterEach, expect, test } from "vitest";
import { within } from "#src/platform/deadline.ts";
import { createActivity } from "../../../scripts/stack/activity.ts";
import { ClockStuck, createStackClock } from "../../../scripts/stack/clock.ts";
import { startHeartbeat } from "../../../scripts/stack/heartbeat.ts";
import type { TimedPart } from "../../../scripts/stack/part.ts";
import { createQuiet } from "../../../scripts/stack/quiet.ts";
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
    queue: async () => ({ retries: [] }),
  };
}

const FAR = Date.UTC(2100, 0);
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
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  while (minutesSince(start) < 10) await turn();
  // Longer than a call may be in transit.
  for (const at = performance.now(); performance.now() - at < 80;) await turn();
  expect(minutesSince(start)).toBe(10);
  work.resolve();
  await move;
  expect(workEndedAt).toBe(10);
});

test("the clock stops where the Worker sleeps, and a request that sleeps again is followed", async () => {
  const start = Date.now();
  const activity = createActivity();
  const clock = createStackClock();
  await clock.attach(linkTo(activity));
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
  await clock.attach(linkTo(activity));
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

test("a deadline is no sleep: the clock waits for the work that it watches over", async () => {
  const start = Date.now();
  const activity = createActivity();
  const clock = createStackClock();
  await clock.attach(linkTo(activity));
  const work = Promise.withResolvers<number>();
  const request = activity.track(() =>
    within(
      activity.clock,
      1_000,
      work.promise.then(() => minutesSince(start)),
    ),
  );
  const move = clock.advance(HOUR_MS);
  for (const at = performance.now(); performance.now() - at < 80;)
    await new Promise((resolve) => setImmediate(resolve));
  work.resolve(0);
  expect(await request).toBe(0);
  await move;
});

test("a request that does not end leaves the clock where it is, and says so", async () => {
  const activity = createActivity();
  const clock = createStackClock({ settleLimitMs: 30 });
  await clock.attach(linkTo(activity));
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

test("the Worker is moved before the stack, so that nothing the stack signs lies in its future", async () => {
  const start = Date.now();
  const clock = createStackClock();
  const seen: { offsetMinutes: number; stackAt: number }[] = [];
  await clock.attach({
    ...linkTo(createActivity()),
    setOffset: async (offsetMs) =>
      void seen.push({
        offsetMinutes: Math.round(offsetMs / MINUTE_MS),
        stackAt: minutesSince(start),
      }),
  });
  seen.length = 0;
  await clock.advance(HOUR_MS);
  expect(seen).toEqual([{ offsetMinutes: 60, stackAt: 0 }]);
});

test("a Worker that comes after a move has the clock's time before it is there", async () => {
  const clock = createStackClock();
  await clock.advance(HOUR_MS);
  let offsetMs = 0;
  await clock.attach({
    ...linkTo(createActivity()),
    setOffset: async (ms) => void (offsetMs = ms),
  });
  expect(Math.round(offsetMs / MINUTE_MS)).toBe(60);
});

test("a Worker of a process whose time another stack has moved has it before anything is waited for", async () => {
  const clock = createStackClock();
  const toldMinutes: number[] = [];
  await clock.attach({
    ...linkTo(createActivity()),
    setOffset: async (ms) => void toldMinutes.push(Math.round(ms / MINUTE_MS)),
  });
  setWarpOffsetMs(HOUR_MS);
  await clock.advance(0);
  await clock.advance(0);
  expect(toldMinutes).toEqual([0, 60]);
});

test("a Worker that comes in the middle of a move has the clock's time at its end", async () => {
  const clock = createStackClock();
  const arrived = Promise.withResolvers<void>();
  const said = Promise.withResolvers<void>();
  await clock.attach({
    ...linkTo(createActivity()),
    setOffset: async (ms) => {
      if (ms === 0) return;
      said.resolve();
      await arrived.promise;
    },
  });
  const move = clock.advance(HOUR_MS);
  await said.promise;
  let offsetMs = 0;
  const next = {
    ...linkTo(createActivity()),
    setOffset: async (ms: number) => void (offsetMs = ms),
  };
  await clock.attach(next);
  arrived.resolve();
  await move;
  expect(Math.round(offsetMs / MINUTE_MS)).toBe(60);
});

test("two moves at once happen one after the other", async () => {
  const start = Date.now();
  const clock = createStackClock();
  await Promise.all([clock.advance(HOUR_MS), clock.advance(HOUR_MS)]);
  expect(minutesSince(start)).toBe(120);
});

/** A heartbeat on a clock that passes over what `quiet` promises to be idle, and before the next upkeep. */
function heartbeat(upkeepAt: number[] = []) {
  const runs: string[] = [];
  const quiet = createQuiet(() => clock.isMoving());
  const clock = createStackClock({ onChange: quiet.end });
  const part = startHeartbeat({
    cron: "*/5 * * * *",
    everyMs: 5 * MINUTE_MS,
    quiet,
    nextUpkeepAt: async () =>
      new Date(upkeepAt.find((at) => at > Date.parse(runs.at(-1) ?? "2000")) ?? FAR),
    queueUp: async () => {},
    run: async (_cron, at) => void runs.push(at.toISOString()),
  });
  closers.push(() => part.close());
  clock.watch(part);
  return { clock, quiet, part, runs };
}

test("the heartbeat runs at every fifth minute", async () => {
  const { clock, runs } = heartbeat();
  await clock.advance(30 * MINUTE_MS);
  expect(runs).toHaveLength(6);
  for (const run of runs) expect(run).toMatch(/:\d[05]:00\.000Z$/);
});

test("the heartbeat is left out while the engine has nothing to do, and back when it has", async () => {
  const { clock, quiet, part, runs } = heartbeat();
  const start = Date.now();
  // As a tick would in the first minute of a move: nothing before ten hours from now.
  clock.watch(
    agenda([MINUTE_MS], () => quiet.promise("tick", start + 10 * HOUR_MS, quiet.version())),
  );
  await clock.advance(10 * HOUR_MS + 12 * MINUTE_MS);
  expect(runs.length).toBeGreaterThanOrEqual(2);
  expect(runs.length).toBeLessThanOrEqual(4);
  expect(Date.parse(runs.at(-1) ?? "") - start).toBeGreaterThanOrEqual(10 * HOUR_MS);
  expect(
    part.log
      .entries()
      .map(({ summary }) => summary)
      .join(),
  ).toMatch(/run, for 1\d\d that fell due together/);
});

test("the heartbeat runs in a move for upkeep that only time brings, though the engine has nothing to do", async () => {
  const start = Date.now();
  const upkeep = [3, 7].map((hours) => start + hours * HOUR_MS);
  const { clock, quiet, runs } = heartbeat(upkeep);
  clock.watch(
    agenda([MINUTE_MS], () => quiet.promise("tick", start + 100 * HOUR_MS, quiet.version())),
  );
  await clock.advance(10 * HOUR_MS);
  const late = runs.map((run) => Date.parse(run)).filter((at) => at > start + HOUR_MS);
  expect(late).toHaveLength(2);
  for (const [index, at] of late.entries()) {
    expect(at).toBeGreaterThanOrEqual(upkeep[index]!);
    expect(at).toBeLessThan(upkeep[index]! + 5 * MINUTE_MS);
  }
});

test("a promise that something happened since does not count", () => {
  const quiet = createQuiet(() => true);
  const asOf = quiet.version();
  quiet.promise("tick", 5, asOf);
  expect(quiet.until("tick")).toBe(5);
  quiet.end();
  expect(quiet.until("tick")).toBe(0);
  quiet.promise("tick", 5, asOf);
  expect(quiet.until("tick")).toBe(0);
});

test("in real time nothing is passed over", () => {
  const quiet = createQuiet(() => false);
  quiet.promise("tick", 5, quiet.version());
  expect([quiet.until("tick"), quiet.untilAll()]).toEqual([0, 0]);
});
