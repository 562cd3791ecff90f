import fc from "fast-check";
import { expect, test } from "vitest";
import { layBars, roundUp } from "../../../src/console/pure/bar-layout.ts";

const HEIGHT = 120;
const figures = fc.array(fc.array(fc.nat(1_000_000), { minLength: 2, maxLength: 2 }), {
  maxLength: 100,
});

test("bars stand beside each other within the picture, each as high as its values are together", () => {
  fc.assert(
    fc.property(figures, (values) => {
      const { top, bars } = layBars(values, HEIGHT);
      let right = 0;
      for (const [index, { left, width, parts }] of bars.entries()) {
        expect(left).toBeGreaterThanOrEqual(right);
        right = left + width;
        const sum = values[index]!.reduce((total, each) => total + each, 0);
        const tall = parts.reduce((total, { height }) => total + height, 0);
        // A pixel more for each part that would be thinner than one.
        expect(Math.abs(tall - (sum / top) * HEIGHT)).toBeLessThanOrEqual(2.001);
        expect(tall).toBeLessThanOrEqual(HEIGHT + 0.001);
        let floor = HEIGHT;
        for (const [part, { y, height }] of parts.entries()) {
          expect(y + height).toBeCloseTo(floor, 6);
          if (values[index]![part] === 0) expect(height).toBe(0);
          floor = y;
        }
      }
      expect(right).toBeLessThanOrEqual(100);
      expect(bars.filter(({ hasLabel }) => hasLabel).length).toBeLessThanOrEqual(7);
    }),
  );
});

test("the uppermost line is a round number that no bar exceeds", () => {
  expect([0, 1, 2, 3, 7, 10, 11, 51, 101].map(roundUp)).toEqual([1, 1, 2, 5, 10, 10, 20, 100, 200]);
  fc.assert(
    fc.property(fc.nat(10_000_000), (value) => {
      const top = roundUp(value);
      expect(top).toBeGreaterThanOrEqual(value);
      expect(String(top)).toMatch(/^[125]0*$/);
      if (value > 1) expect(top).toBeLessThan(value * 2.5 + 0.001);
    }),
  );
});
