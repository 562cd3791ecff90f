import { afterEach, expect, test } from "vitest";
import {
  onWarp,
  setWarpOffsetMs,
  sleepUntilWarped,
  warpOffsetMs,
} from "../../../scripts/stack/warp.ts";

const HOUR_MS = 3_600_000;

afterEach(() => setWarpOffsetMs(0));

test("Date.now, new Date() and Date() run ahead by the offset", () => {
  const before = Date.now();
  setWarpOffsetMs(HOUR_MS);
  expect(Date.now() - before).toBeGreaterThanOrEqual(HOUR_MS);
  expect(new Date().getTime() - before).toBeGreaterThanOrEqual(HOUR_MS);
  expect(Date.parse(Date()) - before).toBeGreaterThanOrEqual(HOUR_MS - 1000);
  expect(warpOffsetMs()).toBe(HOUR_MS);
});

test("a date of its own, its class and its parsing stay as they are", () => {
  setWarpOffsetMs(HOUR_MS);
  const date = new Date("2026-03-29T01:30:00Z");
  expect(date.toISOString()).toBe("2026-03-29T01:30:00.000Z");
  expect(date).toBeInstanceOf(Date);
  expect(new Date(2026, 0, 1).getFullYear()).toBe(2026);
  expect(Date.UTC(2026, 0, 1)).toBe(Date.parse("2026-01-01T00:00:00Z"));
  class Stamp extends Date {}
  expect(new Stamp(0)).toBeInstanceOf(Stamp);
});

test("a move wakes whoever sleeps until an instant that it reaches, and nobody else", async () => {
  const woken: string[] = [];
  const start = Date.now();
  const near = sleepUntilWarped(new Date(start + HOUR_MS)).then(() => woken.push("near"));
  const stop = new AbortController();
  const far = sleepUntilWarped(new Date(start + 3 * HOUR_MS), stop.signal).catch(() =>
    woken.push("stopped"),
  );
  setWarpOffsetMs(2 * HOUR_MS);
  await near;
  expect(woken).toEqual(["near"]);
  stop.abort(new Error("enough"));
  await far;
  expect(woken).toEqual(["near", "stopped"]);
});

test("a sleep until a past instant ends at once", async () => {
  await sleepUntilWarped(new Date(Date.now() - 1));
});

test("a listener that left is not called again", () => {
  let calls = 0;
  const stop = onWarp(() => calls++);
  setWarpOffsetMs(1);
  stop();
  setWarpOffsetMs(2);
  expect(calls).toBe(1);
});

test("warped milliseconds stay whole, also when the clock was moved by a fraction", () => {
  setWarpOffsetMs(1234.5678);
  expect([warpOffsetMs(), Number.isInteger(Date.now())]).toEqual([1235, true]);
});
