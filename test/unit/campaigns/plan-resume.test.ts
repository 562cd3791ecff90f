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
const lead = { zone: "", currentStep: 0 };

test.each([
  ["its first", [], 1, "connection"],
  ["the one after what went out", [{ step: 1, state: "accepted" }], 2, "message"],
  ["a mail", [{ step: 2, state: "assumed_sent" }], 3, ""],
  ["the one that is on its way", [{ step: 1, state: "unknown" }], 1, "connection"],
] as const)(
  "a lead that goes on takes from the budget of its step: %s",
  (_, ledger, step, budget) => {
    const lines = ledger.map((line) => ({ ...line, slotAt: NOW }));
    const { set } = planResume(campaign, lead, lines, NOW);
    expect(set).toMatchObject({ nextStep: step, nextBudget: budget });
  },
);

test("a lead that goes on is for who does its next step", () => {
  const after = (step: number) =>
    planResume(campaign, lead, [{ step, state: "accepted", slotAt: NOW }], NOW).channel;
  expect([after(1), after(2), after(3)]).toEqual(["socialnet", "email", undefined]);
});

test("a lead whose messages have ended goes on behind those that it had, now", () => {
  const after = (currentStep: number, ledger: { step: number; state: "failed" }[] = []) => {
    const lines = ledger.map((line) => ({ ...line, slotAt: NOW }));
    return planResume(campaign, { zone: "", currentStep }, lines, NOW);
  };
  expect(after(2)).toMatchObject({
    step: 3,
    channel: "email",
    set: { status: "active", nextStep: 3, nextActionAt: NOW },
  });
  // Given up since, and so not sent.
  expect(after(2, [{ step: 3, state: "failed" }])).toEqual(after(2));
  expect(after(3).set).toEqual({ status: "completed", nextStep: null, nextActionAt: null });
});
