/**
 * `npm run simulate -- [--campaigns N] [--leads N] [--days N] [--seeds N] [--seed S] [--scenario storm|operators|steps|restored|channels|mixed|idle|midnights|refusing|year|plenty] [--sql] [--mutants]`:
 * the engine's own tick in virtual time under seeded faults. Exit code 1 when an invariant broke or a mutant survived.
 * `--mutants` writes down where each was caught, for the tests to look there first.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openSimulationDatabase } from "../test/simulation/database.ts";
import { textOf } from "../test/simulation/end-invariants.ts";
import { hunt, MUTANTS } from "../test/simulation/hunt.ts";
import {
  idle,
  lonely,
  midnights,
  refusing,
  mixedCampaign,
  plenty,
  stormy,
  stormyChannels,
  stormyOperators,
  stormySteps,
  restoredDays,
  year,
} from "../test/simulation/scenarios.ts";
import { type RunResult, simulate } from "../test/simulation/simulate.ts";
import { memoryWorld, postgresWorld } from "../test/support/engine-worlds.ts";
import { rootFolder } from "./command.ts";

const { values } = parseArgs({
  options: {
    campaigns: { type: "string", default: "20" },
    leads: { type: "string", default: "50" },
    days: { type: "string", default: "30" },
    seeds: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    scenario: { type: "string", default: "storm" },
    sql: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
  },
});

const SCENARIOS = {
  storm: stormy,
  operators: stormyOperators,
  steps: stormySteps,
  restored: restoredDays,
  channels: stormyChannels,
  mixed: mixedCampaign,
  idle,
  lonely,
  midnights,
  refusing,
  plenty,
  year,
};
const STORY_LINES = 40;
const count = (name: "campaigns" | "leads" | "days" | "seeds" | "seed"): number => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number from 1; it is "${values[name]}".`);
  process.exit(1);
};
const size = { campaigns: count("campaigns"), leads: count("leads"), days: count("days") };

const isTerminal = process.stdout.isTTY;
let lastPlain = 0;

/** One line that rewrites itself; without a terminal, a plain line every ten seconds. */
function progress(text: string): void {
  if (isTerminal) process.stdout.write(`\r\u001b[K${text}`);
  else if (performance.now() - lastPlain > 10_000) {
    lastPlain = performance.now();
    console.log(text);
  }
}

const clearProgress = () => isTerminal && process.stdout.write("\r\u001b[K");

function bar(share: number): string {
  const full = Math.round(share * 30);
  return `[${"#".repeat(full)}${".".repeat(30 - full)}] ${Math.round(share * 100)} %`;
}

async function runMutants(): Promise<boolean> {
  let survivors = 0;
  const catches: Record<string, string> = {};
  for (const [index, mutant] of MUTANTS.entries()) {
    progress(`${bar(index / MUTANTS.length)} ${mutant.name}`);
    const { caughtBy } = await hunt(mutant, 60);
    clearProgress();
    if (caughtBy === null) survivors++;
    else catches[mutant.name] = `${caughtBy.scenario} ${caughtBy.seed}`;
    const how =
      caughtBy === null
        ? "SURVIVED"
        : `seed ${caughtBy.seed} (${caughtBy.scenario}): ${caughtBy.invariants.join("; ")}`;
    console.log(`${mutant.name.padEnd(52)} ${how}`);
  }
  console.log(`\n${MUTANTS.length - survivors} of ${MUTANTS.length} mutants noticed`);
  // Where each is looked for first from now on.
  const sorted = Object.fromEntries(
    Object.entries(catches).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(
    `${rootFolder}/test/simulation/catches.json`,
    `${JSON.stringify(sorted, null, 2)}\n`,
  );
  return survivors === 0;
}

async function runSeeds(): Promise<boolean> {
  const make = SCENARIOS[values.scenario as keyof typeof SCENARIOS];
  if (make === undefined) {
    console.error(`--scenario is one of ${Object.keys(SCENARIOS).join(", ")}.`);
    return false;
  }
  const database = values.sql ? await openSimulationDatabase() : null;
  let isClean = true;
  try {
    const first = count("seed");
    for (let seed = first; seed < first + count("seeds"); seed++) {
      const startedAt = performance.now();
      const run = make(seed, size);
      const world =
        database === null
          ? memoryWorld(run.data)
          : await postgresWorld(database, run.data, run.start);
      const restDays = database === null ? {} : { restDays: 7 };
      const result = await simulate({
        ...run,
        ...restDays,
        world,
        onDay: (day) => progress(`seed ${seed} ${bar(Math.min(1, day / run.days))} day ${day}`),
      });
      clearProgress();
      report(result, (performance.now() - startedAt) / 1000);
      if (result.violations.length > 0) isClean = false;
    }
  } finally {
    await database?.close();
  }
  return isClean;
}

function report(result: RunResult, seconds: number): void {
  const { seed, sends, ticks, crashes, unknown, refusedByRelay, violations, hash, story } = result;
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `seed ${seed}: ${sends} sends, ${ticks} ticks, ${crashes} crashes, ${unknown} unknown, ${refusedByRelay} refused, ` +
      `${violations.length} violations, digest ${hash}, ${seconds.toFixed(1)} s, ${memory} MB`,
  );
  const { accepted, followed, gaveUp } = result.acceptances;
  const { done, notDone } = result.lookedUp;
  if (accepted + gaveUp > 0)
    console.log(
      `  ${accepted} accepted, ${followed} of them got their message, ${gaveUp} never answered; ` +
        `looked up: ${done} done, ${notDone} not`,
    );
  const [worst] = violations;
  if (worst === undefined) return;
  for (const violation of violations.slice(0, 10)) console.log(`  ${textOf(violation)}`);
  console.log("\nWhat came before the first:");
  for (const line of story.about(worst, STORY_LINES)) console.log(`  ${line}`);
  const { campaigns, leads, days } = size;
  const options = `--scenario ${values.scenario} --campaigns ${campaigns} --leads ${leads} --days ${days}`;
  console.log(
    `\nAgain: npm run simulate -- ${options} --seeds 1 --seed ${seed}${values.sql ? " --sql" : ""}\n`,
  );
}

process.exitCode = (values.mutants ? await runMutants() : await runSeeds()) ? 0 : 1;
