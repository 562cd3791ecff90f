import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { effectOf, snoozes } from "../../../src/console/pure/inbox-words.ts";
import { fromLocalInput, toLocalInput } from "#src/console/pure/local-input.ts";

const lead = (status: string, more: object = {}) => ({
  status,
  stop_reason: null,
  next_step: 2,
  next_action_at: "2026-12-04T08:00:00Z",
  ...more,
});
const said = (...of: Parameters<typeof effectOf>) => {
  const effect = effectOf(...of);
  return effect && `${effect.before}${effect.at ?? ""}${effect.after}`;
};

describe("what a message did", () => {
  test("an absence moves the next step to when the forecast has it, else to when the lead may be written to", () => {
    const due = { step: 2, at: "2026-12-04T09:12:00Z" };
    expect(said("out_of_office", lead("active"), due)).toBe(
      "Out of office: step 2 moved to 2026-12-04T09:12:00Z.",
    );
    expect(said("out_of_office", lead("active"), undefined)).toContain("2026-12-04T08:00:00Z");
  });

  test("a reply ends it, in a campaign that goes on it does not", () => {
    expect(said("reply", lead("replied"), undefined)).toContain("no further step");
    expect(said("reply", lead("active"), undefined)).toContain("goes on: step 2");
  });

  test("an absence that ended it is not said to have moved anything", () => {
    expect(
      said("out_of_office", lead("replied", { stop_reason: "auto_replied" }), undefined),
    ).not.toContain("moved");
  });

  test("a doubtful opt-out is left to the person, who is told that nobody is suppressed", () => {
    expect(said("possible_opt_out", lead("replied"), undefined)).toContain("not suppressed");
  });

  test("nothing is said where nothing is known, or nothing is to come", () => {
    expect(effectOf("reply", undefined, undefined)).toBeNull();
    const over = lead("active", { next_step: null, next_action_at: null });
    expect(effectOf("out_of_office", over, undefined)).toBeNull();
  });
});

test("a time typed is the same on the way back, to the minute", () => {
  const instants = fc.date({
    min: new Date("2020-01-01"),
    max: new Date("2040-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (at) => {
      at.setSeconds(0, 0);
      expect(fromLocalInput(toLocalInput(at))).toBe(at.toISOString());
    }),
  );
  for (const none of ["", "soon", "2026-13-01T00:00"]) expect(fromLocalInput(none)).toBeNull();
});

test("every snooze is still to come, and Monday is one", () => {
  const instants = fc.date({
    min: new Date("2020-01-01"),
    max: new Date("2040-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (now) => {
      const all = snoozes(now);
      for (const [, at] of all) expect(at.getTime()).toBeGreaterThan(now.getTime());
      expect(all.at(-1)![1].getDay()).toBe(1);
    }),
  );
});
