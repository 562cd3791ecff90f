import { expect, test } from "vitest";
import { inFull } from "../support/full.ts";
import { type Delays, once, runWeek, type Sent, type Week, weekOf } from "./late-week.ts";

const LATE_MS = 5_000;
const INTERVALS = [60, 90, 300];
const SEEDS = inFull([1, 2, 3, 4, 5, 6], [1, 2, 3]);

const plans = new Map<string, Promise<Week>>();
/** The week without any delay, which each delay is held against. */
function planOf(seed: number, intervalSeconds: number): Promise<Week> {
  const name = `${seed} ${intervalSeconds}`;
  const plan = plans.get(name) ?? runWeek(weekOf(seed, intervalSeconds));
  plans.set(name, plan);
  return plan;
}

const delays: [string, () => Delays][] = [
  ["a tick", () => ({ tick: once("2026-03-02T09:00:00Z", LATE_MS) })],
  ["a message", () => ({ message: once("2026-03-02T10:30:00Z", LATE_MS) })],
];

test.each(delays)(
  "%s five seconds late moves no send of the week by more, and none to another sender",
  async (_, delay) => {
    let affected = 0;
    for (const intervalSeconds of INTERVALS)
      for (const seed of SEEDS) {
        const { sent: plan } = await planOf(seed, intervalSeconds);
        const { sent: real, refused } = await runWeek(weekOf(seed, intervalSeconds), delay());
        expect(refused, "begins refused").toBe(0);
        expect(real.size).toBe(plan.size);
        for (const [key, planned] of plan) {
          const { at, laneId } = real.get(key)!;
          if (at !== planned.at) affected++;
          expect(laneId, `seed ${seed}`).toBe(planned.laneId);
          expect(Math.abs(at - planned.at), `seed ${seed}`).toBeLessThanOrEqual(LATE_MS);
        }
        for (const gapMs of gapsOf(real))
          expect(gapMs).toBeGreaterThanOrEqual(intervalSeconds * 1000);
      }
    expect(affected).toBeGreaterThan(0);
  },
);

/** What lies between two messages of one sender. */
function gapsOf(sent: Map<string, Sent>): number[] {
  const last = new Map<string, number>();
  return [...sent.values()].flatMap(({ at, laneId }) => {
    const before = last.get(laneId);
    last.set(laneId, at);
    return before === undefined ? [] : [at - before];
  });
}
