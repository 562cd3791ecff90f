import { expect, test } from "vitest";
import { inParts } from "../../../src/console/pure/in-parts.ts";

const leads = Array.from({ length: 650 }, (_, index) => index);

test("650 leads of which 500 are taken at once are all done, part by part", async () => {
  let isRunning = false;
  const { answers, left } = await inParts(leads, 500, async (some) => {
    expect(isRunning).toBe(false);
    isRunning = true;
    await Promise.resolve();
    isRunning = false;
    return some;
  });
  expect(answers.map(({ length }) => length)).toEqual([500, 150]);
  expect(answers.flat()).toEqual(leads);
  expect(left).toEqual([]);
});

test("what comes after a part that failed is not begun, and is left with it", async () => {
  let asked = 0;
  const { answers, left } = await inParts(leads, 250, async (some) =>
    ++asked === 2 ? undefined : some,
  );
  expect(asked).toBe(2);
  expect(answers.flat()).toEqual(leads.slice(0, 250));
  expect(left).toEqual(leads.slice(250));
});
