import { expect, test } from "vitest";
import { createModel, type ModelData } from "#src/domain/engine/memory/index.ts";
import { runAhead } from "#src/domain/engine/run-ahead.ts";
import { aheadByTicks } from "../../support/ahead-by-ticks.ts";
import {
  makeScenario,
  SIMULATED_LEAD_ZONES,
  SIMULATED_ZONES,
} from "../../support/engine-scenario.ts";
import { createRandom } from "../../support/random.ts";

const START = new Date("2026-03-06T07:59:30Z");
const DAY_MS = 86_400_000;
const FEW = {
  start: START,
  campaigns: 4,
  lanes: 5,
  lanesPerCampaign: 3,
  leads: 60,
  delays: [0, 1, 2],
};
const WORKDAY: [string, string][] = [["09:00:00", "17:00:00"]];

async function compare(data: ModelData, days: number): Promise<number> {
  const limits = {
    until: new Date(START.getTime() + days * DAY_MS),
    periodSeconds: 60,
    maxSends: 20_000,
  };
  const model = () => createModel(structuredClone(data));
  const ahead = await runAhead(model(), START, limits);
  expect(ahead).toEqual(await aheadByTicks(model(), START, limits));
  return ahead.length;
}

test.each([1, 2, 3, 4, 5, 6])(
  "what a forecast foretells is what the engine's ticks do where all is accepted at once: %i",
  async (seed) => {
    const random = createRandom(seed);
    const ofLimits = { dailyLimits: [20, 500], newLimits: [null, 7], intervals: [1, 60, 600] };
    const ofZones = { zones: SIMULATED_ZONES, leadZones: SIMULATED_LEAD_ZONES, windows: WORKDAY };
    const ofOthers = { sharedAddresses: 0.3, domainLimits: [40], accounts: 2 };
    const data = makeScenario(random, { ...FEW, ...ofLimits, ...ofZones, ...ofOthers });
    expect(await compare(data, 10)).toBeGreaterThan(50);
  },
);

test("of 1,100 senders that are due at one instant, too, to shared addresses and to leads without one", async () => {
  const many = {
    campaigns: 2,
    lanes: 1_100,
    lanesPerCampaign: 1_100,
    leads: 2_500,
    delays: [0, 1],
  };
  const data = makeScenario(createRandom(7), {
    ...many,
    start: START,
    sharedAddresses: 0.5,
    dailyLimits: [5_000],
  });
  for (const lane of data.lanes) lane.nextSlotAt = START;
  for (const [place, lead] of data.leads.entries()) if (place % 9 === 0) lead.emailKey = null;
  const minutes = 5 / 1_440;
  expect(await compare(data, minutes)).toBeGreaterThan(2_000);
});
