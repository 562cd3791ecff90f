import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillSteps, stepFaults, type StepInput } from "#src/domain/campaigns/steps.ts";
import {
  bodyOf,
  formOf,
  moved,
  newStep,
  newVariant,
  shares,
  type StoredStep,
  typeOf,
} from "#src/console/pure/step-form.ts";
import { faultsAt, placedFault, typedFaults } from "#src/console/pure/step-faults.ts";

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }).filter((words) => words.trim() !== ""),
  fc.constantFrom("<script>alert(1)</script>", "{{ first_name }}", "’\u202e\u{1F600}"),
);
const id = fc.uuid();
const variant = fc.record(
  {
    label: fc.constant(null),
    weight: fc.option(fc.integer({ min: 1, max: 100 })),
    sender_profile_id: fc.option(id),
  },
  { requiredKeys: [] },
);
const variants = (minLength: number) =>
  fc.array(
    fc.oneof(
      fc
        .tuple(variant, id)
        .map(([rest, template_id]) => ({ ...rest, type: "TEMPLATE" as const, template_id })),
      fc
        .tuple(variant, text, fc.option(fc.oneof(text, fc.constant(""))))
        .map(([rest, body, subject]) => ({ ...rest, type: "INLINE" as const, body, subject })),
    ),
    { minLength, maxLength: 10 },
  );
const rest = {
  delay_days: fc.integer({ min: 0, max: 365 }),
  track_opens: fc.boolean(),
  track_clicks: fc.boolean(),
};
const step: fc.Arbitrary<Omit<StepInput, "step">> = fc.oneof(
  fc.record({
    ...rest,
    channel: fc.constant("email" as const),
    ai_personalization_enabled: fc.boolean(),
    variants: variants(1),
    experiment: fc.option(fc.constant({ metric: "reply" as const, horizon_days: 7, floor: 0.03 })),
  }),
  fc.record({
    ...rest,
    channel: fc.constant("socialnet" as const),
    ai_personalization_enabled: fc.constant(false),
    action_type: fc.constantFrom("connection_request" as const, "message" as const),
    message_template: text,
  }),
  fc.record({
    ...rest,
    channel: fc.constant("socialnet" as const),
    ai_personalization_enabled: fc.constant(false),
    action_type: fc.constant("connection_request" as const),
    note_optional: fc.option(fc.boolean()),
  }),
  fc.record({
    ...rest,
    channel: fc.constant("socialnet" as const),
    ai_personalization_enabled: fc.constant(false),
    action_type: fc.constant("message" as const),
    variants: variants(1),
  }),
);
/** Any steps that the API would take. */
const taken = fc
  .array(step, { minLength: 1, maxLength: 10 })
  .map((steps) => steps.map((each, index) => ({ ...each, step: index + 1 })))
  .filter((steps) => stepFaults(steps, "mixed").length === 0);

describe("steps that are edited", () => {
  test("and not changed go back as they came, by the API's own filling in", () => {
    fc.assert(
      fc.property(taken, (steps) => {
        const stored = fillSteps(steps, "mixed");
        const back = bodyOf(formOf(stored as StoredStep[]));
        expect(stepFaults(back, "mixed")).toEqual([]);
        expect(fillSteps(back, "mixed")).toEqual(stored);
        expect(typedFaults(formOf(stored as StoredStep[]))).toEqual({});
      }),
    );
  });

  test("have the weights that the API gives", () => {
    fc.assert(
      fc.property(variants(1), (given) => {
        const [filled] = fillSteps(
          [{ step: 1, ...plain, channel: "email", variants: given }],
          "email",
        );
        const total = filled!.variants.reduce((sum, { weight }) => sum + weight, 0);
        fc.pre(total > 0);
        const typed = given.map((each, index) => ({
          ...newVariant([]),
          label: String(index),
          weight: each.weight == null ? "" : String(each.weight),
        }));
        expect(shares(typed)).toEqual(
          filled!.variants.map(({ weight }) => Math.round((100 * weight) / total)),
        );
      }),
    );
  });

  test("a new step and a new variant lack only their words", () => {
    const first = newStep([], "email");
    expect(Object.keys(typedFaults([first]))).toEqual(["steps/0/variants/0/body"]);
    const written = { ...first, variants: [{ ...first.variants[0]!, body: "Hello" }] };
    const steps = [written, { ...newStep([written], "socialnet"), message: "Hi" }];
    expect(stepFaults(bodyOf(steps), typeOf(steps))).toEqual([]);
    expect(steps.map(({ key }) => key)).toEqual([0, 1]);
    expect(newVariant([written.variants[0]!]).label).toBe("B");
  });

  test("moving keeps all steps", () => {
    expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 2)).toEqual(["a", "b"]);
  });
});

const plain = {
  delay_days: 0,
  ai_personalization_enabled: false,
  track_opens: false,
  track_clicks: false,
};

describe("faults", () => {
  test.each(["", " ", "1.5", "-1", "366", "1e2", "three"])(
    "%j is no number of days",
    (delayDays) => {
      const found = typedFaults([{ ...newStep([], "socialnet"), delayDays }]);
      expect(found).toEqual({ "steps/0/delay_days": "Give a whole number of days from 0 to 365." });
    },
  );
  test("the API's words find their field, from either of its forms", () => {
    expect(placedFault("steps.1.variants: At least one variant needs a weight above 0.")).toEqual({
      at: "steps/1/variants",
      message: "At least one variant needs a weight above 0.",
    });
    expect(placedFault("The campaign is active: no.")).toBeNull();
    expect(
      faultsAt([
        { at: "a", message: "first" },
        { at: "a", message: "second" },
      ]),
    ).toEqual({
      a: "first",
    });
  });
});
