import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of the browser, whose types are none of Node's. */
interface Clock {
  serverNow(): number;
  isClockMoving(): boolean;
  heedDate(date: string | null, askedAt: number): void;
}
const file = path.resolve(import.meta.dirname, "../../../src/console/api/clock.ts");
const HOUR = 3_600_000;

let clock: Clock;
beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-26T09:00:00.400Z") });
  vi.resetModules();
  clock = (await import(pathToFileURL(file).href)) as unknown as Clock;
});
afterEach(() => void vi.useRealTimers());

/** An answer of a service whose clock is so far ahead. */
const answer = (aheadMs: number) =>
  clock.heedDate(new Date(Date.now() + aheadMs).toUTCString(), Date.now());

test("a clock that is like ours is ours, to the millisecond", () => {
  for (const ahead of [0, 900, -900]) {
    answer(ahead);
    expect(clock.serverNow()).toBe(Date.now());
  }
  clock.heedDate(null, Date.now());
  clock.heedDate("soon", Date.now());
  expect(clock.serverNow()).toBe(Date.now());
});

test("one that is ahead is followed, to the second, and does not tremble with each answer", () => {
  answer(HOUR);
  const ahead = clock.serverNow() - Date.now();
  expect(Math.abs(ahead - HOUR)).toBeLessThanOrEqual(500);
  vi.advanceTimersByTime(700);
  answer(HOUR);
  expect(clock.serverNow() - Date.now()).toBe(ahead);
  expect(clock.isClockMoving()).toBe(false);
});

test("it moves while answers find it moved, and a while longer", () => {
  answer(0);
  answer(HOUR);
  expect(clock.isClockMoving()).toBe(true);
  vi.advanceTimersByTime(19_000);
  answer(2 * HOUR);
  vi.advanceTimersByTime(19_000);
  expect(clock.isClockMoving()).toBe(true);
  answer(2 * HOUR);
  vi.advanceTimersByTime(2_000);
  expect(clock.isClockMoving()).toBe(false);
});
