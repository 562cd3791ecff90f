import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of the browser, whose types are none of Node's. */
type Poll = (seconds: () => number | null, run: () => Promise<void>) => () => void;
const file = path.resolve(import.meta.dirname, "../../../src/console/api/poll.ts");

class Tab extends EventTarget {
  hidden = false;
  turn(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let tab: Tab;
let poll: Poll;
let runs: number;
let end: () => void;
const run = async () => void runs++;

beforeEach(async () => {
  vi.useFakeTimers();
  runs = 0;
  tab = new Tab();
  vi.stubGlobal("document", tab);
  ({ poll } = (await import(pathToFileURL(file).href)) as { poll: Poll });
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("it runs after each pause, as long as the pause is then", async () => {
  let pause = 15;
  end = poll(() => pause, run);
  await vi.advanceTimersByTimeAsync(14_900);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toBe(1);
  pause = 2;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(runs).toBe(5);
});

test("a tab that nobody sees asks nothing, and asks at once when it is seen", async () => {
  end = poll(() => 2, run);
  tab.turn(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(0);
  tab.turn(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(runs).toBe(2);
});

test("who leaves while an answer is on its way gets no other", async () => {
  let release = () => {};
  end = poll(
    () => 2,
    () => {
      runs++;
      return new Promise((resolve) => (release = resolve));
    },
  );
  await vi.advanceTimersByTimeAsync(2_000);
  tab.turn(true);
  release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(1);
});

test("without a pause nothing runs, until there is one again; and what is over is over", async () => {
  let pause: number | null = null;
  end = poll(() => pause, run);
  tab.turn(true);
  tab.turn(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(0);
  pause = 1;
  await vi.advanceTimersByTimeAsync(7_000);
  expect(runs).toBeGreaterThan(0);
  end();
  const before = runs;
  tab.turn(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(before);
});
