import { ACCEPTANCE_MUTANTS } from "./acceptance-mutants.ts";
import { BUDGET_MUTANTS } from "./budget-mutants.ts";
import { CAMPAIGN_MUTANTS } from "./campaign-mutants.ts";
import { CHANNEL_MUTANTS } from "./channel-mutants.ts";
import { DRAFT_MUTANTS } from "./draft-mutants.ts";
import { LANE_MUTANTS } from "./lane-mutants.ts";
import { REFUSAL_MUTANTS } from "./refusal-mutants.ts";
import { memoryWorld } from "../support/engine-worlds.ts";
import { textOf } from "./end-invariants.ts";
import { ENGINE_MUTANTS, type Mutant, mutantWorld } from "./mutants.ts";
import {
  idle,
  lonely,
  midnights,
  mixedCampaign,
  plenty,
  refusing,
  stormy,
  stormyChannels,
  stormyDrafts,
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
};

type ScenarioName = keyof typeof SCENARIOS;
const EVERYWHERE = Object.keys(SCENARIOS) as ScenarioName[];

/** A mutant, and where its mistake can show: one in drafts shows nowhere but where there are drafts. */
type Hunted = Mutant & { shows?: ScenarioName[] };

/** Lets one mutant run through seeds until an invariant breaks that holds for the engine itself. */
export async function hunt(mutant: Hunted, seeds: number): Promise<Hunt> {
  for (let seed = 1; seed <= seeds; seed++)
    for (const scenario of mutant.shows ?? EVERYWHERE) {
      const make = SCENARIOS[scenario];
      const run = make(seed, SIZE);
      const { violations } = await simulate({ ...run, world: mutantWorld(run.data, mutant) });
      if (violations.length === 0) continue;
      const again = make(seed, SIZE);
      const sound = await simulate({ ...again, world: memoryWorld(again.data) });
      if (sound.violations.length > 0)
        throw new Error(
          `Without any mistake ${scenario} with seed ${seed} breaks: ${textOf(sound.violations[0]!)}`,
        );
      const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
      return { mutant: mutant.name, caughtBy: { seed, scenario, invariants } };
    }
  return { mutant: mutant.name, caughtBy: null };
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
];
