import { expect, test } from "vitest";
import * as said from "#src/console/pure/experiment-words.ts";
import { JUDGED_BEFORE_SHIFT } from "#src/domain/campaigns/experiments/weigh.ts";

const variant = (label: string, matured: number) => ({
  label,
  matured,
  weight: 0.5,
  successes: 0,
  opt_outs: 0,
  probability_best: 0.5,
  e_value: 1,
  vetoed: false,
});
const state = {
  status: "collecting" as const,
  winner_label: null,
  frozen_at: null,
  horizon_days: 5,
  e_value_needed: 40,
  variants: [variant("A", 0), variant("B", 0)],
};

test.each([
  [{}, "Nothing is judged yet: each message is, 5 days after it went out."],
  [
    { variants: [variant("A", 60), variant("B", 49)], horizon_days: 1 },
    "Weights follow when 50 messages of each variant are judged, 1 day after they went out.",
  ],
  [{ status: "shifting" as const }, "Weights follow, once a day; no winner yet."],
  [
    {
      status: "winner" as const,
      winner_label: "B",
      variants: [variant("A", 400), { ...variant("B", 400), e_value: 5319.6 }],
    },
    "B is the winner: its evidence is 5,320, and 40 names one.",
  ],
  [
    {
      status: "winner" as const,
      winner_label: "A",
      variants: [{ ...variant("A", 9000), e_value: 1e300 }, variant("B", 400)],
    },
    "A is the winner: its evidence is over 1,000,000, and 40 names one.",
  ],
  [{ status: "winner" as const, frozen_at: "2026-01-12T09:00:00Z" }, "Frozen: its weights stay."],
])("an experiment with %j says where it stands", (change, words) => {
  expect(said.stateWords({ ...state, ...change })).toBe(words);
});

test("a change says when, why and to which weights", () => {
  const change = { version: 2, at: "2026-01-12T09:00:00.000Z", evidence: [] };
  const weights = [
    { label: "A", weight: 0.05 },
    { label: "B", weight: 0.95 },
  ];
  expect(said.changeWords({ ...change, reason: "shifted", weights })).toBe(
    "2026-01-12, follows what came back: A 5 %, B 95 %",
  );
  expect(said.changeWords({ ...change, reason: "reset", weights: null })).toBe(
    "2026-01-12, begun anew: weights as they were given",
  );
});

test("the console shifts when the service does", () => {
  expect(said.JUDGED_BEFORE_SHIFT).toBe(JUDGED_BEFORE_SHIFT);
});
