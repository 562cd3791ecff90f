import { expect, test } from "vitest";
import { changeOf, weigh } from "#src/domain/campaigns/experiments/weigh.ts";

type Judged = Parameters<typeof weigh>[0];

/** [sends, replies, opt-outs] of each arm on each date. */
type Dates = [n: number, replied: number, harmed: number][][];

const ARMS = ["a", "b", "c"];

function judged(
  dates: Dates,
  more: Partial<Judged> & { weights?: Judged["weights"] } = {},
): Judged {
  const arms = ARMS.slice(0, dates[0]!.length);
  return {
    config: {
      step: 1,
      delay_days: 0,
      channel: "email",
      action_type: "send_email",
      ai_personalization_enabled: false,
      track_opens: false,
      track_clicks: false,
      variants: arms.map((arm) => ({
        label: arm.toUpperCase(),
        weight: 50,
        type: "INLINE",
        subject: "Hello",
        body: arm,
      })),
      experiment: { metric: "reply", horizon_days: 5, floor: 0.05 },
    },
    arms,
    version: 1,
    weights: null,
    winner: null,
    vetoed: [],
    frozenAt: null,
    blocks: dates.flatMap((counts, date) =>
      counts.map(([n, replied, harmed], i) => ({
        block: String(date),
        arm: arms[i]!,
        n,
        replied,
        clicked: 0,
        harmed,
      })),
    ),
    ...more,
  };
}

const even: Dates[number] = [
  [100, 4, 0],
  [100, 4, 0],
];
/** So many dates on which the second of two does harm, and then the first. */
const HARMS_SECOND: Dates = Array.from({ length: 3 }, () => [
  [100, 4, 0],
  [100, 4, 30],
]);
const HARMS_FIRST: Dates = Array.from({ length: 4 }, () => [
  [200, 8, 90],
  [200, 8, 0],
]);

test("a variant that harms is vetoed, keeps its veto when the other does harm too, and is never all there is", () => {
  expect(weigh(judged(HARMS_SECOND)).vetoed).toEqual(["b"]);
  expect(weigh(judged([...HARMS_SECOND, ...HARMS_FIRST])).vetoed).toEqual(["a"]);
  const later = weigh(judged([...HARMS_SECOND, ...HARMS_FIRST], { vetoed: ["b"] }));
  expect([later.vetoed, later.weights]).toEqual([["b"], { a: 1, b: 0 }]);
  // A third, the only one that was not vetoed, was taken out of the step.
  const left = weigh(judged([even], { vetoed: ["a", "b"] }));
  expect(left.vetoed).toEqual(["a"]);
});

test("a vetoed variant is no winner, and no rival of one", () => {
  const replies: Dates = Array.from({ length: 4 }, () => [
    [200, 4, 0],
    [200, 30, 0],
    [200, 60, 60],
  ]);
  const weighed = weigh(judged(replies));
  expect(weighed.vetoed).toEqual(["c"]);
  expect(weighed.winner).toBe("b");
  expect(weighed.weights).toEqual({ a: 0.05, b: 0.95, c: 0 });
});

test("a variant that harms gets nothing more even before enough was judged to shift; the others stay as configured", () => {
  const early: Dates = Array.from({ length: 3 }, () => [
    [12, 0, 12],
    [12, 0, 0],
    [12, 0, 0],
  ]);
  const weighed = weigh(judged(early));
  expect(weighed).toMatchObject({ status: "collecting", vetoed: ["a"] });
  expect(weighed.weights).toEqual({ a: 0, b: 0.5, c: 0.5 });
});

test("a variant that is switched off is no arm: it has no part, and nothing waits for it", () => {
  const of = judged([
    [
      [80, 1, 0],
      [80, 9, 0],
      [0, 0, 0],
    ],
  ]);
  of.config.variants[2]!.weight = 0;
  const weighed = weigh(of);
  expect(weighed.status).toBe("shifting");
  expect(Object.keys(weighed.weights!)).toEqual(["a", "b"]);
});

test("weights are kept to the ten thousandth, and the same counts make no second version", () => {
  const of = judged([
    [
      [80, 3, 0],
      [80, 4, 0],
    ],
  ]);
  const { weights } = weigh(of);
  for (const weight of Object.values(weights!)) {
    expect(weight).toBeCloseTo(Math.round(weight * 10_000) / 10_000, 12);
    expect(weight).not.toBe(Math.round(weight * 10) / 10);
  }
  expect(changeOf(of, weigh(of))).toMatchObject({ reason: "shifted" });
  const again = { ...of, weights };
  expect(changeOf(again, weigh(again))).toBeNull();
});
