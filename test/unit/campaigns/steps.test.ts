import { describe, expect, test } from "vitest";
import {
  fillSteps,
  referencesOf,
  type StepInput,
  stepFaults,
  type VariantInput,
} from "#src/domain/campaigns/steps.ts";

const TEMPLATE = "0195b6a0-0000-7000-8000-000000000001";
const template: VariantInput = { type: "TEMPLATE", template_id: TEMPLATE };
const inline: VariantInput = { type: "INLINE", subject: "Hi", body: "Hello" };

const step = (more: Partial<StepInput> = {}): StepInput => ({
  step: 1,
  delay_days: 0,
  ai_personalization_enabled: false,
  track_opens: true,
  track_clicks: false,
  variants: [template],
  ...more,
});

/** A step that is tried out, with variants of these weights. */
const tried = (
  more: Partial<NonNullable<StepInput["experiment"]>> = {},
  weights: number[] = [50, 50],
) =>
  step({
    variants: weights.map((weight) => ({ ...inline, weight })),
    experiment: { metric: "reply", horizon_days: 5, floor: 0.05, ...more },
  });

const noted = (message_template: string, more: Partial<StepInput> = {}) =>
  step({ variants: [], message_template, ...more });

const distinctVariables = (count: number) =>
  Array.from({ length: count }, (_, at) => `{{ v${at} }}`).join(" ");

const pathsOf = (...args: Parameters<typeof stepFaults>) =>
  stepFaults(...args).map(({ path }) => path.join("."));

describe("what is wrong with steps", () => {
  test.each<[string, StepInput, "email" | "socialnet" | "mixed", string[]]>([
    ["nothing", step(), "email", []],
    ["a number other than its place", step({ step: 2 }), "email", ["0.step"]],
    ["a note of 300 characters", noted("x".repeat(300)), "socialnet", []],
    ["a text too long for a note", noted("x".repeat(301)), "socialnet", ["0.action_type"]],
    [
      "the same in a variant of a mixed campaign",
      step({ channel: "socialnet", variants: [{ ...inline, body: "x".repeat(301) }] }),
      "mixed",
      ["0.action_type"],
    ],
    [
      "the same, said to be a message, or an invitation",
      noted("x".repeat(301), { action_type: "message" }),
      "socialnet",
      [],
    ],
    ["an optional note", noted("Hello", { note_optional: true }), "socialnet", []],
    [
      "an optional note of a message",
      noted("Hello", { action_type: "message", note_optional: true }),
      "socialnet",
      ["0.note_optional"],
    ],
    ["an optional note of an email", step({ note_optional: false }), "email", ["0.note_optional"]],
    ["an experiment", tried(), "email", []],
    ["one of a single variant that is sent", tried({}, [50, 0]), "email", ["0.experiment"]],
    ["one by clicks", tried({ metric: "click" }), "email", ["0.experiment.metric"]],
    [
      "one by clicks that are tracked",
      { ...tried({ metric: "click" }), track_clicks: true },
      "email",
      [],
    ],
    [
      "one whose floors leave nothing",
      tried({ floor: 0.2 }, [20, 20, 20, 20, 20]),
      "email",
      ["0.experiment.floor"],
    ],
    ["no channel in a mixed campaign", step(), "mixed", ["0.channel"]],
    [
      "a text with 101 variables",
      step({ variants: [{ ...inline, body: distinctVariables(101) }] }),
      "email",
      ["0.variants.0.body"],
    ],
    [
      "a channel that the campaign is not of",
      step({ channel: "socialnet" }),
      "email",
      ["0.channel"],
    ],
    [
      "an action of the other channel",
      step({ action_type: "message" }),
      "email",
      ["0.action_type"],
    ],
    ["an email step without variants", step({ variants: [] }), "email", ["0.variants"]],
    [
      "an email step with a message",
      step({ message_template: "Hi" }),
      "email",
      ["0.message_template"],
    ],
    [
      "TEMPLATE without a template",
      step({ variants: [{ type: "TEMPLATE" }] }),
      "email",
      ["0.variants.0.template_id"],
    ],
    [
      "INLINE without a body",
      step({ variants: [{ type: "INLINE" }] }),
      "email",
      ["0.variants.0.body"],
    ],
    [
      "weights that are all 0",
      step({
        variants: [
          { ...template, weight: 0 },
          { ...inline, weight: 0 },
        ],
      }),
      "email",
      ["0.variants"],
    ],
    [
      "two variants of one label",
      step({
        variants: [
          { ...template, label: "A" },
          { ...inline, label: "A" },
        ],
      }),
      "email",
      ["0.variants"],
    ],
    [
      "a message without text",
      step({ action_type: "message", variants: null }),
      "socialnet",
      ["0.message_template"],
    ],
    [
      "both a message and variants",
      step({ message_template: "Hi" }),
      "socialnet",
      ["0.message_template"],
    ],
    ["a bare connection request", step({ variants: null }), "socialnet", []],
  ])("%s", (_, faulty, type, paths) => {
    expect(pathsOf([faulty], type)).toEqual(paths);
  });

  test("without a type, what depends on it is left out", () => {
    expect(pathsOf([step({ variants: [] })], null)).toEqual([]);
    expect(pathsOf([step({ step: 3, channel: "email", variants: [] })], null)).toEqual([
      "0.step",
      "0.variants",
    ]);
  });
});

describe("defaults", () => {
  test("a step of an email campaign sends email", () => {
    expect(fillSteps([step()], "email")).toEqual([
      {
        step: 1,
        delay_days: 0,
        channel: "email",
        action_type: "send_email",
        ai_personalization_enabled: false,
        track_opens: true,
        track_clicks: false,
        variants: [{ label: "A", weight: 100, type: "TEMPLATE", template_id: TEMPLATE }],
      },
    ]);
  });

  test("a step of a network campaign asks for a connection", () => {
    const [filled] = fillSteps([step({ variants: null, message_template: "Hi" })], "socialnet");
    expect(filled).toMatchObject({
      channel: "socialnet",
      action_type: "connection_request",
      message_template: "Hi",
      variants: [],
    });
  });

  test.each([
    [
      [{}, {}, {}],
      ["A", "B", "C"],
      [33, 33, 33],
    ],
    [
      [{ label: "B" }, {}, {}],
      ["B", "A", "C"],
      [33, 33, 33],
    ],
    [
      [{ weight: 80 }, {}],
      ["A", "B"],
      [80, 20],
    ],
    [
      [{ weight: 0 }, {}],
      ["A", "B"],
      [0, 100],
    ],
    [
      [{ weight: 100 }, {}],
      ["A", "B"],
      [100, 50],
    ],
  ])("labels and weights of %j", (given, labels, weights) => {
    const variants = given.map((more) => ({ ...inline, ...more }));
    const [filled] = fillSteps([step({ variants })], "email");
    expect(filled!.variants.map(({ label }) => label)).toEqual(labels);
    expect(filled!.variants.map(({ weight }) => weight)).toEqual(weights);
  });

  test("an empty subject is no subject, and null fields are absent", () => {
    const variant = { type: "INLINE", subject: "", body: "B", sender_profile_id: null } as const;
    const [filled] = fillSteps([step({ variants: [variant], message_template: null })], "email");
    expect(filled).not.toHaveProperty("message_template");
    expect(filled!.variants).toEqual([{ label: "A", weight: 100, type: "INLINE", body: "B" }]);
  });
});

test("references name each record once", () => {
  const steps = fillSteps([step(), step({ step: 2, variants: [template, inline] })], "email");
  expect(referencesOf(steps)).toEqual({ templateIds: [TEMPLATE], profileIds: [] });
});
