import { expect, test } from "vitest";
import type { Step } from "#db/schema/index.ts";
import { planResume } from "#src/domain/campaigns/lead-actions.ts";

const NOW = new Date("2026-03-02T09:00:00Z");
const ACTIONS = ["connection_request", "message", "send_email"] as const;
const steps = ACTIONS.map(
  (action, index) =>
    ({
      step: index + 1,
      delay_days: 0,
      action_type: action,
      channel: action === "send_email" ? "email" : "socialnet",
    }) as Step,
);
const campaign = { steps, timezone: "UTC" };

test.each([
  ["its first", [], 1, "connection"],
  ["the one after what went out", [{ step: 1, state: "accepted" }], 2, "message"],
  ["a mail", [{ step: 2, state: "assumed_sent" }], 3, ""],
  ["the one that is on its way", [{ step: 1, state: "unknown" }], 1, "connection"],
] as const)(
  "a lead that goes on takes from the budget of its step: %s",
  (_, ledger, step, budget) => {
    const lines = ledger.map((line) => ({ ...line, slotAt: NOW }));
    const { set } = planResume(campaign, { zone: "" }, lines, NOW);
    expect(set).toMatchObject({ nextStep: step, nextBudget: budget });
  },
);

test("a lead that goes on is for who does its next step", () => {
  const after = (step: number) =>
    planResume(campaign, { zone: "" }, [{ step, state: "accepted", slotAt: NOW }], NOW).channel;
  expect([after(1), after(2), after(3)]).toEqual(["socialnet", "email", undefined]);
});
