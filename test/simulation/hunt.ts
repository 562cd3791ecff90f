import { ACCEPTANCE_MUTANTS } from "./acceptance-mutants.ts";
import { BUDGET_MUTANTS } from "./budget-mutants.ts";
import { CAMPAIGN_MUTANTS } from "./campaign-mutants.ts";
import { CHANNEL_MUTANTS } from "./channel-mutants.ts";
import { DRAFT_MUTANTS } from "./draft-mutants.ts";
import { LANE_MUTANTS } from "./lane-mutants.ts";
import { REFUSAL_MUTANTS } from "./refusal-mutants.ts";
import { ENGINE_MUTANTS, type Mutant, mutantWorld } from "./mutants.ts";
import {
  idle,
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
  stormyChannels,
  stormyDrafts,
  // One campaign has few leads for three accounts, and only some of them accept.
  mixedCampaign: (seed: number, size: typeof SIZE) =>
    mixedCampaign(seed, { ...size, leads: 3 * size.leads }),
  weekly,
  refusing,
};

/** Lets one mutant run through seeds until an invariant breaks. */
export async function hunt(mutant: Mutant, seeds: number): Promise<Hunt> {
  for (let seed = 1; seed <= seeds; seed++)
    for (const [scenario, make] of Object.entries(SCENARIOS)) {
      const run = make(seed, SIZE);
      const { violations } = await simulate({ ...run, world: mutantWorld(run.data, mutant) });
      if (violations.length === 0) continue;
      const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
      return { mutant: mutant.name, caughtBy: { seed, scenario, invariants } };
    }
  return { mutant: mutant.name, caughtBy: null };
}

export const MUTANTS: Mutant[] = [
  ...ENGINE_MUTANTS,
  ...LANE_MUTANTS,
  ...CAMPAIGN_MUTANTS,
  ...CHANNEL_MUTANTS,
  ...DRAFT_MUTANTS,
  ...BUDGET_MUTANTS,
  ...ACCEPTANCE_MUTANTS,
  ...REFUSAL_MUTANTS,
];
