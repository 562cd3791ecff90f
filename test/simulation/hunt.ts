import { ACCEPTANCE_MUTANTS } from "./acceptance-mutants.ts";
import { BUDGET_MUTANTS } from "./budget-mutants.ts";
import catches from "./catches.json" with { type: "json" };
import { CAMPAIGN_MUTANTS } from "./campaign-mutants.ts";
import { CHANNEL_MUTANTS } from "./channel-mutants.ts";
import { DRAFT_MUTANTS } from "./draft-mutants.ts";
import { LANE_MUTANTS } from "./lane-mutants.ts";
import { OPERATOR_MUTANTS } from "./operator-mutants.ts";
import { REFUSAL_MUTANTS } from "./refusal-mutants.ts";
import { memoryWorld } from "../support/engine-worlds.ts";
import { textOf } from "./end-invariants.ts";
import { RESTORE_MUTANTS, STEP_MUTANTS } from "./step-mutants.ts";
import { ENGINE_MUTANTS, type Mutant, mutantWorld } from "./mutants.ts";
import {
  idle,
  lonely,
  midnights,
  mixedCampaign,
  plenty,
  refusing,
  restoredDays,
  stormy,
  stormyChannels,
  stormyDrafts,
  stormyOperators,
  stormySteps,
  weekly,
} from "./scenarios.ts";
import { simulate } from "./simulate.ts";

export interface Hunt {
  mutant: string;
  /** Null for one that nobody noticed. */
  caughtBy: { seed: number; scenario: string; invariants: string[] } | null;
}

const SIZE = { campaigns: 5, days: 12, leads: 16 };
const SCENARIOS = {
  stormy,
  idle,
  plenty,
  midnights,
  lonely,
  stormyChannels,
  stormyDrafts,
  // One campaign has few leads for three accounts, and only some of them accept.
  mixedCampaign: (seed: number, size: typeof SIZE) =>
    mixedCampaign(seed, { ...size, leads: 3 * size.leads }),
  weekly,
  refusing,
  stormyOperators,
  stormySteps,
  restoredDays,
};

type ScenarioName = keyof typeof SCENARIOS;
/** These show nothing of the others' mistakes that a storm does not. */
const OF_THEIR_OWN: ScenarioName[] = ["stormyOperators", "stormySteps", "restoredDays"];
const EVERYWHERE = (Object.keys(SCENARIOS) as ScenarioName[]).filter(
  (name) => !OF_THEIR_OWN.includes(name),
);

/** A mutant, and where its mistake can show: one in drafts shows nowhere but where there are drafts. */
type Hunted = Mutant & { shows?: ScenarioName[] };

/** Where each was caught when it was looked for last: there it is looked for first. */
const KNOWN: Record<string, string | undefined> = catches;

/** Lets one mutant run through seeds until an invariant breaks that holds for the engine itself. */
export async function hunt(mutant: Hunted, seeds: number): Promise<Hunt> {
  const known = KNOWN[mutant.name];
  if (known !== undefined) {
    const [scenario, seed] = known.split(" ") as [ScenarioName, string];
    const caughtBy = await tryOne(mutant, scenario, Number(seed));
    if (caughtBy !== null) return { mutant: mutant.name, caughtBy };
  }
  for (let seed = 1; seed <= seeds; seed++)
    for (const scenario of mutant.shows ?? EVERYWHERE) {
      const caughtBy = await tryOne(mutant, scenario, seed);
      if (caughtBy !== null) return { mutant: mutant.name, caughtBy };
    }
  return { mutant: mutant.name, caughtBy: null };
}

async function tryOne(
  mutant: Hunted,
  scenario: ScenarioName,
  seed: number,
): Promise<Hunt["caughtBy"]> {
  const run = SCENARIOS[scenario](seed, SIZE);
  const world = mutantWorld(run.data, mutant);
  const { violations } = await simulate({ ...run, world, mostViolations: 1 });
  if (violations.length === 0) return null;
  await mustBeSound(scenario, seed);
  const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
  return { seed, scenario, invariants };
}

/** Many mutants are caught by the same run: without any mistake it is run once. */
const sound = new Map<string, Promise<void>>();

function mustBeSound(scenario: ScenarioName, seed: number): Promise<void> {
  const name = `${scenario} with seed ${seed}`;
  const proved = sound.get(name) ?? prove();
  sound.set(name, proved);
  return proved;

  async function prove(): Promise<void> {
    const run = SCENARIOS[scenario](seed, SIZE);
    const { violations } = await simulate({ ...run, world: memoryWorld(run.data) });
    if (violations.length > 0)
      throw new Error(`Without any mistake ${name} breaks: ${textOf(violations[0]!)}`);
  }
}

const showingIn = (shows: ScenarioName[], mutants: Mutant[]): Hunted[] =>
  mutants.map((mutant) => ({ ...mutant, shows }));
const NETWORK: ScenarioName[] = ["stormyChannels", "mixedCampaign", "weekly"];

export const MUTANTS: Hunted[] = [
  ...ENGINE_MUTANTS,
  ...LANE_MUTANTS,
  ...CAMPAIGN_MUTANTS,
  ...showingIn(NETWORK, CHANNEL_MUTANTS),
  ...showingIn(["stormyDrafts"], DRAFT_MUTANTS),
  ...showingIn(NETWORK, BUDGET_MUTANTS),
  ...showingIn(NETWORK, ACCEPTANCE_MUTANTS),
  ...showingIn(["refusing"], REFUSAL_MUTANTS),
  ...showingIn(["stormySteps"], STEP_MUTANTS),
  ...showingIn(["stormyOperators"], OPERATOR_MUTANTS),
  ...showingIn(["restoredDays"], RESTORE_MUTANTS),
];
