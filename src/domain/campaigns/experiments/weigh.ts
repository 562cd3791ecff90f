import type { Experiment } from "#db/campaigns/experiments.ts";
import type { NewVersion } from "#db/campaigns/experiment-versions.ts";
import type { ExperimentArm, ExperimentEvidence } from "#db/schema/index.ts";
import { type Count, probabilitiesBest, weightsOf } from "./best.ts";
import { weightsInForce } from "./draw.ts";
import { type Block, ERROR_RATE, lnEvidence, vetoedOf, winnerOf } from "./evidence.ts";

/** Nothing shifts before so many sends of each arm were judged. */
export const JUDGED_BEFORE_SHIFT = 50;

/** Weights are kept to the ten thousandth: a smaller move is none. */
const KEPT = 10_000;

export interface Weighed {
  evidence: ExperimentEvidence;
  status: "collecting" | "shifting" | "winner";
  /** Arms, not labels. */
  winner: string | null;
  vetoed: string[];
  /** By arm, to be in force from now on; null where the configured ones are. */
  weights: Record<string, number> | null;
}

type Judged = Pick<
  Experiment,
  "config" | "arms" | "version" | "weights" | "winner" | "vetoed" | "frozenAt" | "blocks"
>;

/** What the judged sends of a step say of its arms: the same counts give the same answer. */
export function weigh(of: Judged): Weighed {
  const { variants, experiment, ai_personalization_enabled: isWritten } = of.config;
  const places = variants.flatMap(({ weight }, i) => (weight > 0 ? [i] : []));
  const ids = places.map((i) => of.arms[i]!);
  const judged = blocksOf(of, ids, experiment?.metric === "click" ? "clicked" : "replied");
  const harm = blocksOf(of, ids, "harmed");
  const [lnE, lnHarm] = [lnEvidence(judged, ids.length), lnEvidence(harm, ids.length)];
  const [counts, harmed] = [totals(judged, ids), totals(harm, ids)];
  const vetoed = vetoes(of, ids, lnHarm);
  const able = ids.flatMap((arm, i) => (vetoed.includes(arm) ? [] : [i]));
  const best = spread(probabilitiesBest(able.map((i) => counts[i]!)), able, ids.length);
  const named = winnerOf(lnE, able);
  const isKnown = of.winner !== null && able.some((i) => ids[i] === of.winner);
  const winner = isKnown ? of.winner : named === null ? null : ids[named]!;
  const isReady = able.every((i) => counts[i]!.n >= JUDGED_BEFORE_SHIFT);
  const configured = places.map((i) => variants[i]!.weight);
  const weights = isReady
    ? spread(
        weightsOf(
          able.map((i) => best[i]!),
          experiment?.floor ?? 0,
        ),
        able,
        ids.length,
      )
    : configured.map((weight, i) => (able.includes(i) ? weight : 0));
  const moved = !isWritten && (isReady || vetoed.length > 0);
  return {
    evidence: {
      arms: ids.map((arm, i): ExperimentArm => {
        const { n, r } = counts[i]!;
        const of = { arm, label: variants[places[i]!]!.label, weight: partOf(weights, i) };
        const isVetoed = vetoed.includes(arm);
        return {
          ...of,
          matured: n,
          successes: r,
          harmed: harmed[i]!.r,
          probability_best: best[i]!,
          vetoed: isVetoed,
        };
      }),
      ln_e: lnE,
      ln_e_harm: lnHarm,
    },
    status: winner !== null ? "winner" : isReady ? "shifting" : "collecting",
    winner,
    vetoed,
    weights: moved ? Object.fromEntries(ids.map((arm, i) => [arm, partOf(weights, i)])) : null,
  };
}

const partOf = (weights: readonly number[], i: number): number =>
  Math.round((KEPT * weights[i]!) / weights.reduce((sum, each) => sum + each, 0)) / KEPT;

/** Values of some places, 0 at the others. */
function spread(values: readonly number[], places: readonly number[], of: number): number[] {
  const all = Array.from({ length: of }, () => 0);
  for (const [k, place] of places.entries()) all[place] = values[k]!;
  return all;
}

/** A veto stays, as a winner does, while its arm is there; but never of all of them: then the first vetoed arm keeps it. */
function vetoes({ vetoed }: Judged, ids: readonly string[], lnHarm: number[][]): string[] {
  const now = vetoedOf(lnHarm);
  const all = ids.filter((arm, i) => now.includes(i) || vetoed.includes(arm));
  if (all.length < ids.length) return all;
  const before = ids.filter((arm) => vetoed.includes(arm));
  // Of an edited step those may be left that were all vetoed.
  return before.length < ids.length ? before : before.slice(0, -1);
}

function blocksOf(
  { blocks }: Judged,
  ids: readonly string[],
  by: "replied" | "clicked" | "harmed",
): Block[] {
  return [...Map.groupBy(blocks, ({ block }) => block).values()].map((rows) =>
    ids.map((arm) => {
      const row = rows.find((each) => each.arm === arm);
      return { n: row?.n ?? 0, r: row?.[by] ?? 0 };
    }),
  );
}

const totals = (blocks: readonly Block[], ids: readonly string[]): Count[] =>
  ids.map((_, i) =>
    blocks.reduce((sum, block) => ({ n: sum.n + block[i]!.n, r: sum.r + block[i]!.r }), {
      n: 0,
      r: 0,
    }),
  );

/** The version that a day's look makes; null where nothing changes. */
export function changeOf(of: Judged, weighed: Weighed): NewVersion | null {
  if (of.frozenAt !== null) return null;
  const { evidence, weights, vetoed, winner } = weighed;
  const isKnown = weightsInForce(of.config.variants, { ...of }).version === of.version;
  const reason =
    winner !== null && winner !== of.winner
      ? "winner"
      : vetoed.some((arm) => !of.vetoed.includes(arm))
        ? "vetoed"
        : of.weights !== null && !isKnown
          ? "arms_changed"
          : isSame(of.weights, weights)
            ? null
            : "shifted";
  if (reason === null) return null;
  const label = evidence.arms.find(({ arm }) => arm === winner)?.label ?? null;
  return { weights, evidence, reason, winnerLabel: reason === "winner" ? label : null };
}

function isSame(a: Record<string, number> | null, b: Record<string, number> | null): boolean {
  if (a === null || b === null) return a === b;
  return Object.keys(b).every((arm) => a[arm] === b[arm]);
}

/** The e-value beyond which an arm is the winner. */
export const evidenceNeeded = (arms: number): number => arms / ERROR_RATE;
