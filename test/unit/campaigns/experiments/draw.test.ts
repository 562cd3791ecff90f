import { expect, test } from "vitest";
import { drawVariant, labelOf, weightsInForce } from "#src/domain/campaigns/experiments/draw.ts";

const variants = [{ weight: 50 }, { weight: 50 }, { weight: 0 }];
const draw = (weights: Record<string, number> | null, arms = ["a", "b", "c"]) => ({
  arms,
  version: 3,
  weights,
});
const leadOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

test.each([
  ["without an experiment", null, 0, [50, 50, 0]],
  ["before the first version", draw(null), 0, [50, 50, 0]],
  ["by the version in force", draw({ a: 0.9, b: 0.1, c: 0 }), 3, [0.9, 0.1, 0]],
  ["with a text that the version does not know", draw({ a: 0.9, x: 0.1 }), 0, [50, 50, 0]],
  ["with an arm that was switched off since", draw({ a: 0.5, b: 0.3, c: 0.2 }), 3, [0.5, 0.3, 0]],
  ["where nothing would be drawn", draw({ a: 0, b: 0, c: 1 }), 0, [50, 50, 0]],
] as const)("weights %s", (_, of, version, weights) => {
  expect(weightsInForce(variants, of as never)).toEqual({ version, weights });
});

test("leads are drawn by the weights, each always the same", () => {
  const of = draw({ a: 0.6, b: 0.4, c: 0 });
  const all = Array.from({ length: 20_000 }, (_, n) => drawVariant(leadOf(n), 1, variants, of));
  expect(all).toEqual(all.map((__, n) => drawVariant(leadOf(n), 1, variants, of)));
  const firsts = all.filter(({ index }) => index === 0);
  expect(firsts.length / all.length).toBeCloseTo(0.6, 1);
  expect(firsts[0]!.drawn).toEqual({ arm: "a", version: 3, share: 0.6 });
  expect(labelOf("A", firsts[0]!.drawn)).toBe("A (60 %)");
  expect(labelOf("A", drawVariant(leadOf(1), 1, variants, null).drawn)).toBe("A");
});
