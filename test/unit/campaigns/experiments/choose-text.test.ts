import { expect, test } from "vitest";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";

type Choice = Parameters<typeof chooseText>[0];

const leadOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

/** The labels of a hundred leads' texts, of two variants that are configured alike. */
function labelsOf(more: Partial<Choice>): string[] {
  const variants = ["A", "B"].map((label) => ({
    label,
    weight: 50,
    type: "INLINE" as const,
    subject: "Hello",
    body: label,
  }));
  return Array.from({ length: 100 }, (_, n) => {
    const chosen = chooseText({
      step: { step: 1, variants } as Choice["step"],
      templates: [],
      senderProfiles: [],
      lead: { campaignLeadId: leadOf(n) },
      ...more,
    });
    if (!chosen.ok) throw new Error(chosen.reason);
    return chosen.variant.label;
  });
}

const draw = { arms: ["a", "b"], version: 3, weights: { a: 1, b: 0 } };

test("of a step that is tried out the weights in force decide; of one that a model writes the configured ones", () => {
  expect(new Set(labelsOf({ draw }))).toEqual(new Set(["A"]));
  const drafts = { policy: "launch_default" as const, approved: null, written: null };
  const configured = labelsOf({});
  expect(new Set(configured)).toEqual(new Set(["A", "B"]));
  expect(labelsOf({ draw, drafts })).toEqual(configured);
});
