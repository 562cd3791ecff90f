import { expect, test } from "vitest";
import { memoryWorld } from "../support/engine-worlds.ts";
import { textOf } from "./end-invariants.ts";
import { idle, midnights, plenty, stormy, stormyChannels, stormyDrafts } from "./scenarios.ts";
import { simulate } from "./simulate.ts";

const FULL = process.env["TEST_FULL"] !== undefined;
const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each(seeds(FULL ? 400 : 30))(
  "a storm of faults breaks no invariant, seed %i",
  async (seed) => {
    const run = stormy(seed, { campaigns: 6, days: 15, leads: 20 });
    const { violations, sends } = await simulate({ ...run, world: memoryWorld(run.data) });
    expect(violations.map(textOf)).toEqual([]);
    expect(sends).toBeGreaterThan(50);
  },
);

test.each(seeds(FULL ? 200 : 15))(
  "nor does it with a second channel, alone and mixed with email, seed %i",
  async (seed) => {
    const run = stormyChannels(seed, { campaigns: 6, days: 15, leads: 20 });
    const { violations, sends } = await simulate({ ...run, world: memoryWorld(run.data) });
    expect(violations.map(textOf)).toEqual([]);
    expect(sends).toBeGreaterThan(50);
  },
);

test.each(seeds(FULL ? 200 : 15))(
  "nor where a model writes the texts, slowly, and fails now and then, seed %i",
  async (seed) => {
    const run = stormyDrafts(seed, { campaigns: 6, days: 15, leads: 20 });
    const result = await simulate({ ...run, world: memoryWorld(run.data) });
    expect(result.violations.map(textOf)).toEqual([]);
    expect(result.sends).toBeGreaterThan(50);
    if (seed % 3 !== 0) expect(result.draftsWritten).toBeGreaterThanOrEqual(result.sends);
  },
);

test.each(seeds(FULL ? 20 : 4))("without faults the days are used, seed %i", async (seed) => {
  const run = plenty(seed, { campaigns: 4, days: 10, leads: 60 });
  const { violations } = await simulate({ ...run, world: memoryWorld(run.data) });
  expect(violations.map(textOf)).toEqual([]);
});

test.each(seeds(FULL ? 100 : 8))("busy people break no invariant, seed %i", async (seed) => {
  const run = idle(seed, { campaigns: 5, days: 12, leads: 16 });
  const { violations } = await simulate({ ...run, world: memoryWorld(run.data) });
  expect(violations.map(textOf)).toEqual([]);
});

test.each(seeds(FULL ? 100 : 6))("midnights break no invariant, seed %i", async (seed) => {
  const run = midnights(seed, { campaigns: 5, days: 12, leads: 16 });
  const { violations } = await simulate({ ...run, world: memoryWorld(run.data) });
  expect(violations.map(textOf)).toEqual([]);
});

test("a seed replays to the same digest, and another seed does not", async () => {
  const digestOf = async (seed: number) => {
    const run = stormy(seed, { campaigns: 4, days: 8, leads: 10 });
    return (await simulate({ ...run, world: memoryWorld(run.data) })).hash;
  };
  expect(await digestOf(7)).toBe(await digestOf(7));
  expect(await digestOf(7)).not.toBe(await digestOf(8));
});
