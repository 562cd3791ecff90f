import {
  makeScenario,
  type ScenarioOptions,
  SIMULATED_LEAD_ZONES,
  SIMULATED_ZONES,
} from "../support/engine-scenario.ts";
import { createRandom, type Random } from "../support/random.ts";
import { CLEAN, ROUGH, STORMY } from "./faults.ts";
import type { Run } from "./simulate.ts";

export interface Size {
  campaigns: number;
  days: number;
  leads: number;
}

const DAY_MS = 86_400_000;

type Scenario = Omit<Run, "world">;

/** Around the changes of clocks: Apia without 2011-12-30, Berlin and Havana in March, Lord Howe in April, Havana in November. */
const STARTS = [
  "2011-12-26",
  "2026-03-02",
  "2026-03-20",
  "2026-03-27",
  "2026-09-28",
  "2026-10-26",
  "2026-12-25",
];

const WINDOWS: [string, string][] = [
  ["00:00:00", "00:00:00"],
  ["08:00:00", "17:00:00"],
  ["09:30:00", "11:00:00"],
  ["22:00:00", "04:00:00"],
  ["01:30:00", "03:30:00"],
];

/** Everything goes wrong at once. */
export function stormy(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date(`${random.pick(STARTS)}T${10 + random.below(14)}:00:00Z`);
  // In every other storm the senders of a domain could send more than it may.
  const domainLimits = [seed % 2 === 1 ? campaigns * 2 + 1 : campaigns * 20];
  const data = stormyData(random, { start, campaigns, leads, domainLimits });
  return { seed, data, start, days, rates: STORMY, heartbeatMinutes: 60 };
}

const stormyData = (
  random: Random,
  options: Pick<
    ScenarioOptions,
    "start" | "campaigns" | "leads" | "domainLimits" | "accounts" | "drafted" | "operators"
  >,
) =>
  makeScenario(random, {
    lanes: Math.max(2, Math.ceil(options.campaigns * 0.8)),
    lanesPerCampaign: 3,
    delays: [0, random.below(2), 2],
    zones: SIMULATED_ZONES,
    leadZones: SIMULATED_LEAD_ZONES,
    windows: WINDOWS,
    intervals: [60, 90, 120, 300],
    dailyLimits: [3, 6, 12, 40],
    newLimits: [null, null, 2, 5],
    laneCaps: [5, 10, 100],
    sharedAddresses: 0.2,
    workspaceTimezone: random.pick(SIMULATED_ZONES),
    spreadDays: 1,
    ...options,
  });

/** The same by mail alone, where steps are appended, removed and delayed while messages are under way, and each tenth begin comes twice. */
export function stormySteps(seed: number, size: Size): Scenario {
  const run = stormy(seed, size);
  return { ...run, stepChanges: 0.15, rates: { ...run.rates, repeated: 0.1 } };
}

/** The same, where operators of several domains put senders off and refuse them by policy. */
export function stormyOperators(seed: number, size: Size): Scenario {
  const run = stormy(seed, size);
  const { campaigns, leads } = size;
  const domainLimits = [campaigns * 20, campaigns * 20];
  const options = { start: run.start, campaigns, leads, domainLimits, operators: OPERATORS };
  const rates = { ...run.rates, relay: 0.2 };
  return { ...run, rates, data: stormyData(createRandom(seed ^ 0x0be2), options) };
}

const OPERATORS = [
  { domain: "one.zz", operator: "big" },
  { domain: "two.zz", operator: "big" },
  { domain: "three.zz", operator: "other" },
];

/** The same by mail alone, where each step has two texts that are tried out against each other. */
export function stormyTried(seed: number, size: Size): Scenario {
  const run = stormy(seed, size);
  const experiment = { metric: "reply" as const, horizon_days: 1, floor: 0.05 };
  for (const campaign of run.data.campaigns)
    campaign.steps = campaign.steps.map((step) => ({
      ...step,
      experiment,
      variants: ["A", "B"].map((label) => ({ ...step.variants[0]!, label, weight: 50 })),
    }));
  return run;
}

/** Workers and relays fail, nobody does anything, and the store is put back three times to some minutes or hours before. */
export function restoredDays(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed ^ 0x4e57);
  const start = new Date(`${random.pick(STARTS)}T08:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns,
    leads: 3 * leads,
    lanes: campaigns * 2,
    lanesPerCampaign: 3,
    delays: [0, 1, 2],
    zones: SIMULATED_ZONES,
    windows: WINDOWS,
    intervals: [60, 120, 300],
    dailyLimits: [12, 40],
    sharedAddresses: 0,
    workspaceTimezone: random.pick(SIMULATED_ZONES),
    spreadDays: 2,
  });
  const rates = { ...STORMY, relay: 0.03, actionsPerDay: 0, aimed: 0, answers: 0 };
  return { seed, data, start, days, rates, heartbeatMinutes: 60, restores: 3 };
}

/** The same where a model writes the emails, slowly, and fails now and then; in every third storm each text is approved by hand. */
export function stormyDrafts(seed: number, size: Size): Scenario {
  const run = stormy(seed, size);
  const { campaigns, leads } = size;
  const drafted = seed % 3 === 0 ? "hold" : "launch_default";
  const options: Parameters<typeof stormyData>[1] = {
    start: run.start,
    campaigns,
    leads,
    domainLimits: [campaigns * 20],
    drafted,
  };
  const drafts = { latencyMs: 20_000, failures: 0.05, places: 20, everyMs: 1_800_000 };
  return { ...run, data: stormyData(createRandom(seed ^ 0xd4af7), options), drafts };
}

/** The same with a second channel: campaigns by mail, by accounts of a network, and mixed. */
export function stormyChannels(seed: number, size: Size): Scenario {
  const run = stormy(seed, size);
  const { campaigns, leads } = size;
  const accounts = Math.max(2, Math.ceil(campaigns / 2));
  const options = { start: run.start, campaigns, leads, domainLimits: [campaigns * 20], accounts };
  return { ...run, data: stormyData(createRandom(seed ^ 0xc4a2), options) };
}

/**
 * One campaign by mail and over three accounts, everything going wrong at once: connection requests take from a budget of
 * the day and the week, messages and visits from another. Every other one starts on the network.
 */
export function mixedCampaign(seed: number, { days, leads }: Size): Scenario {
  const random = createRandom(seed ^ 0x3a11);
  const start = new Date(`${random.pick(STARTS)}T08:00:00Z`);
  const onNetwork = ["connection_request", "message", "profile_view"] as const;
  const data = makeScenario(random, {
    start,
    campaigns: 1,
    leads,
    lanes: 2,
    lanesPerCampaign: 2,
    accounts: 3,
    sharesAccounts: true,
    accountLimits: { connections: 20, messages: 25, warmupDays: 14 },
    actions:
      seed % 2 === 1
        ? ["send_email", ...onNetwork, "send_email"]
        : [...onNetwork, "message", "send_email"],
    delays: [0, 1, 2, 1, 2],
    zones: SIMULATED_ZONES,
    leadZones: SIMULATED_LEAD_ZONES,
    windows: WINDOWS.filter(([from]) => from !== "01:30:00"),
    intervals: [60, 120],
    dailyLimits: [60, 120],
    laneCaps: [40],
    sharedAddresses: 0,
    workspaceTimezone: random.pick(SIMULATED_ZONES),
  });
  // In a long run people who drain a campaign would leave nothing to look at.
  const people = days > 60 ? { actionsPerDay: 0.1, aimed: 0.01 } : {};
  const rates = { ...STORMY, ...people };
  return { seed, data, start, days, rates, heartbeatMinutes: 60 };
}

/** Nothing goes wrong; one warm account has more people to connect with than its weeks let it. */
export function weekly(seed: number, { days }: Size): Scenario {
  const random = createRandom(seed ^ 0x3eec);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns: 1,
    leads: 15 * days,
    lanes: 1,
    lanesPerCampaign: 1,
    accounts: 1,
    sharesAccounts: true,
    accountLimits: { connections: 40, messages: 50, warmupDays: 0 },
    actions: ["connection_request", "message"],
    delays: [0, 1],
    dailyLimits: [200],
  });
  const network = { accepts: 1, declines: 0, withinMs: 43_200_000 };
  return { seed, data, start, days, rates: CLEAN, network };
}

/** Some recipients refuse always, and for two days the relay refuses everybody; nothing else goes wrong. */
export function refusing(seed: number, { days, leads }: Size): Scenario {
  const random = createRandom(seed ^ 0x57bb);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns: 5,
    leads: 2 * leads,
    lanes: 2,
    lanesPerCampaign: 2,
    delays: [0, 1],
    intervals: [60, 300],
    dailyLimits: [8, 12],
    sharedAddresses: 0,
  });
  const from = start.getTime() + DAY_MS;
  const relay = { from, until: from + 2 * DAY_MS };
  const refusals = { stubborn: seed % 2 === 1 ? 0.05 : 0.3, relay };
  return { seed, data, start, days, rates: CLEAN, refusals };
}

/** Nothing goes wrong, and the days are too short for the leads. */
export function plenty(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns,
    leads,
    lanes: campaigns * 2,
    lanesPerCampaign: 2,
    delays: [0, 0, 1],
    zones: SIMULATED_ZONES,
    windows: WINDOWS,
    intervals: [60, 300],
    dailyLimits: [5, 10, 15],
    laneCaps: [100],
    sharedAddresses: 0,
  });
  return { seed, data, start, days, rates: CLEAN, isPlenty: true };
}

/** Busy people and no faults; senders are mostly parked, at their caps or for want of leads, so that each wake counts. */
export function idle(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns,
    leads: Math.ceil(leads / 5),
    lanes: Math.max(2, Math.ceil(campaigns * 0.6)),
    lanesPerCampaign: 2,
    delays: [0, 1, 1],
    zones: SIMULATED_ZONES,
    leadZones: SIMULATED_LEAD_ZONES,
    intervals: [60, 120],
    dailyLimits: [4, 20],
    // In every other one the days are too short, and else the leads too few.
    laneCaps: seed % 2 === 1 ? [100] : [2, 3],
    workspaceTimezone: random.pick(SIMULATED_ZONES),
    domainLimits: [seed % 2 === 1 ? 100 : campaigns],
    spreadDays: 3,
  });
  const rates = { ...CLEAN, actionsPerDay: 6 };
  return { seed, data, start, days, rates, heartbeatMinutes: 60 };
}

/** Windows around midnight, few leads, and much that goes back or of which nobody knows whether it arrived. */
export function midnights(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date(`${random.pick(STARTS)}T20:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns,
    // In every other one a sender has nothing else to do than the message that may have arrived.
    leads: seed % 2 === 1 ? leads * 3 : 1,
    lanes: campaigns * 2,
    lanesPerCampaign: 4,
    delays: [0, 1, 1],
    windows: [["23:50:00", "00:10:00"]],
    intervals: [60],
    dailyLimits: [20, 40],
    sharedAddresses: 0,
    spreadDays: 3,
  });
  const rates = { ...STORMY, crash: 0.03, relay: 0.4, aimed: 0.4, actionsPerDay: 0.5 };
  return { seed, data, start, days, rates, heartbeatMinutes: 60 };
}

/** One lead and one sender each, which has nothing else to do than the message of which nobody knows whether it arrived. */
export function lonely(seed: number, { campaigns, days }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const data = makeScenario(random, {
    start,
    campaigns: 4 * campaigns,
    leads: 1,
    lanes: 4 * campaigns,
    lanesPerCampaign: 1,
    delays: [0, 1, 1],
    windows: WINDOWS,
    intervals: [60],
    dailyLimits: [20],
    sharedAddresses: 0,
  });
  const rates = { ...CLEAN, relay: 0.5 };
  return { seed, data, start, days, rates, heartbeatMinutes: 60 };
}

/** One person, one campaign: each has a lead of its own, and all of the senders, of which there are so many fewer. */
export function personal(
  seed: number,
  { campaigns, days }: Size,
  fewer = 20,
  rates: Scenario["rates"] = STORMY,
): Scenario {
  const random = createRandom(seed ^ 0x0e1d);
  const start = new Date(`${random.pick(STARTS)}T00:00:00Z`);
  const lanes = Math.max(2, Math.ceil(campaigns / fewer));
  const data = makeScenario(random, {
    start,
    campaigns,
    leads: 1,
    lanes,
    lanesPerCampaign: lanes,
    delays: [0, 0, 1],
    intervals: [60],
    sharedAddresses: 0,
  });
  for (const campaign of data.campaigns)
    campaign.days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const looksEvery = Math.ceil(campaigns / 50);
  return { seed, data, start, days, rates, heartbeatMinutes: 60, looksEvery };
}

/** A year with its mishaps, to the size of a large workspace. */
export function year(seed: number, { campaigns, days, leads }: Size): Scenario {
  const random = createRandom(seed);
  const start = new Date("2026-01-01T00:00:00Z");
  const data = makeScenario(random, {
    start,
    campaigns,
    leads,
    lanes: campaigns,
    lanesPerCampaign: 3,
    delays: [0, 3, 4],
    zones: SIMULATED_ZONES,
    leadZones: SIMULATED_LEAD_ZONES,
    // Wide enough for all their leads within the year.
    windows: WINDOWS.filter(([from]) => from !== "09:30:00" && from !== "01:30:00"),
    intervals: [60, 120, 300],
    dailyLimits: [40, 60],
    laneCaps: [400],
    sharedAddresses: 0.01,
    spreadDays: days / 2,
  });
  return {
    seed,
    data,
    start,
    days,
    rates: { ...ROUGH, actionsPerDay: 0.05 },
    batch: 200,
    heartbeatMinutes: 720,
    restDays: 60,
  };
}
