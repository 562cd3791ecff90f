import { expect, test } from "vitest";
import { makeScenario } from "../support/engine-scenario.ts";
import { memoryWorld } from "../support/engine-worlds.ts";
import { createRandom } from "../support/random.ts";
import { textOf } from "./end-invariants.ts";
import { CLEAN } from "./faults.ts";
import { simulate } from "./simulate.ts";

const START = new Date("2026-03-02T00:00:00Z");

/** One campaign of a thousand leads and three steps; with texts that a model writes, or with its own. */
const campaign = (drafted: boolean) =>
  makeScenario(createRandom(11), {
    start: START,
    campaigns: 1,
    lanes: 4,
    lanesPerCampaign: 4,
    leads: 1000,
    delays: [0, 2, 3],
    windows: [["09:00:00", "17:00:00"]],
    intervals: [120],
    dailyLimits: [180],
    laneCaps: [100],
    sharedAddresses: 0,
    ...(drafted ? { drafted: "launch_default" as const } : {}),
  });

const run = (drafted: boolean) => {
  const data = campaign(drafted);
  return simulate({
    seed: 11,
    data,
    world: memoryWorld(data),
    start: START,
    days: 40,
    rates: CLEAN,
    ...(drafted
      ? { drafts: { latencyMs: 20_000, failures: 0.05, places: 20, everyMs: 300_000 } }
      : {}),
  });
};

test("a model of 20 s a call that fails one in twenty costs no slot, and writes no text twice", async () => {
  const plain = await run(false);
  const drafted = await run(true);
  expect([plain.violations.map(textOf), drafted.violations.map(textOf)]).toEqual([[], []]);
  expect(plain.sends).toBe(3000);
  // Day by day as many as without.
  expect(drafted.byDay).toEqual(plain.byDay);
  // What is written is what is sent, and paid for; what failed was asked for again.
  expect(drafted.draftsWritten).toBe(3000);
  expect(drafted.draftsAsked).toBeGreaterThan(3100);
  expect(drafted.draftsAsked).toBeLessThan(3300);
});
