import type { StepExperiment } from "../api/schema.ts";
import { count, num, percent } from "./words.ts";

/** Twin of JUDGED_BEFORE_SHIFT in src/domain/campaigns/experiments/weigh.ts; a test holds them equal. */
export const JUDGED_BEFORE_SHIFT = 50;

type State = Pick<
  StepExperiment,
  "status" | "winner_label" | "frozen_at" | "horizon_days" | "variants" | "e_value_needed"
>;

/** Where an experiment stands, and what it waits for. */
export function stateWords(of: State): string {
  if (of.frozen_at !== null) return "Frozen: its weights stay.";
  if (of.status === "winner") return winnerWords(of);
  if (of.status === "shifting") return "Weights follow, once a day; no winner yet.";
  const days = count(of.horizon_days, "day");
  return of.variants.every(({ matured }) => matured === 0)
    ? `Nothing is judged yet: each message is, ${days} after it went out.`
    : `Weights follow when ${JUDGED_BEFORE_SHIFT} messages of each variant are judged, ${days} after they went out.`;
}

/** A figure of evidence beyond this one says no more. */
const MUCH = 1_000_000;

function winnerWords({ variants, winner_label: winner, e_value_needed: needed }: State): string {
  const evidence = variants.find(({ label }) => label === winner)?.e_value ?? 0;
  const said = evidence > MUCH ? `over ${num(MUCH)}` : num(Math.round(evidence));
  return `${winner} is the winner: its evidence is ${said}, and ${num(needed)} names one.`;
}

const REASONS: Record<StepExperiment["history"][number]["reason"], string> = {
  shifted: "follows what came back",
  vetoed: "a variant is left out, of which more people opt out",
  winner: "a winner",
  arms_changed: "texts were edited",
  frozen: "frozen",
  reset: "begun anew",
};

/** A change of weights in a line: when, why and to which. */
export function changeWords({ at, reason, weights }: StepExperiment["history"][number]): string {
  const to = weights?.map(({ label, weight }) => `${label} ${percent(weight)}`).join(", ");
  return `${at.slice(0, 10)}, ${REASONS[reason]}: ${to ?? "weights as they were given"}`;
}
