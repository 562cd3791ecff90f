import { describe, expect, test } from "vitest";
import type { CampaignStatus, Step } from "#db/schema/index.ts";
import {
  changesPacing,
  judgeStepChange,
  lockedFields,
} from "#src/domain/campaigns/change-rules.ts";

const EVERYTHING = [
  ...["name", "description", "datasetId", "type", "steps", "aliasIds", "connectedAccountId"],
  ...["launchType", "startDate", "dailyLimit", "maxNewLeadsPerDay", "sendingWindowStart"],
  ...["sendingWindowEnd", "minIntervalSeconds", "timezone", "useLeadTimezone", "sendDays"],
  ...["systemPrompt", "unreviewedLaunchPolicy", "stopOnReply", "stopOnAutoReply"],
  ...["stopOnCompanyReply"],
] as const;

const NEVER_UNDER_WAY = "datasetId type launchType stopOnReply stopOnAutoReply stopOnCompanyReply";
const ONLY_PAUSED = "aliasIds connectedAccountId timezone systemPrompt";

test.each<[CampaignStatus, string]>([
  ["draft", ""],
  ["failed", ""],
  ["scheduled", `${NEVER_UNDER_WAY} ${ONLY_PAUSED}`],
  ["active", `${NEVER_UNDER_WAY} ${ONLY_PAUSED} startDate`],
  ["paused", `${NEVER_UNDER_WAY} startDate`],
])("%s locks: %s", (status, locked) => {
  expect(lockedFields(status, [...EVERYTHING]).toSorted()).toEqual(
    locked.split(" ").filter(Boolean).toSorted(),
  );
});

test.each<CampaignStatus>(["launching", "draining", "completed"])(
  "%s lets only name and description change",
  (status) => {
    expect(lockedFields(status, [...EVERYTHING])).toEqual(EVERYTHING.slice(2));
  },
);

const step = (number: number, body = "Text", more: Partial<Step> = {}): Step => ({
  step: number,
  delay_days: 0,
  channel: "email",
  action_type: "send_email",
  ai_personalization_enabled: false,
  track_opens: true,
  track_clicks: false,
  variants: [{ label: "A", weight: 100, type: "INLINE", body }],
  ...more,
});

describe("steps of a campaign whose step 1 was sent", () => {
  const before = [step(1), step(2), step(3)];
  const sent = new Set([1]);

  test.each<[string, CampaignStatus, Step[], boolean]>([
    ["an appended step", "active", [...before, step(4)], true],
    ["another text of an unsent step", "active", [step(1), step(2, "New"), step(3)], true],
    ["another text of a sent step", "active", [step(1, "New"), step(2), step(3)], false],
    ["another delay", "active", [step(1), step(2, "Text", { delay_days: 3 }), step(3)], false],
    [
      "a note that may be left out, of a sent step",
      "active",
      [step(1, "Text", { note_optional: true }), step(2), step(3)],
      true,
    ],
    ["a step less", "active", [step(1), step(2)], false],
    ["a step less", "paused", [step(1), step(2)], true],
    ["another delay", "paused", [step(1), step(2, "Text", { delay_days: 3 }), step(3)], true],
    ["another text of a sent step", "paused", [step(1, "New"), step(2), step(3)], false],
    ["anything at all", "draft", [step(1, "New")], true],
  ])("%s, %s", (_, status, after, ok) => {
    expect(judgeStepChange(status, before, after, sent).ok).toBe(ok);
  });

  test("the steps that must still be unsent are those that change", () => {
    const after = [step(1), step(2, "New"), step(3), step(4)];
    expect(judgeStepChange("active", before, after, sent)).toEqual({ ok: true, unsentSteps: [2] });
  });

  test("the order of a stored object's keys is no change", () => {
    const stored = JSON.parse('{"step":1,"channel":"email","delay_days":0}') as Step;
    const same = JSON.parse('{"delay_days":0,"channel":"email","step":1}') as Step;
    expect(judgeStepChange("active", [stored], [same], sent)).toEqual({
      ok: true,
      unsentSteps: [],
    });
  });
});

test("a cap moves the pace, a name does not", () => {
  expect(changesPacing(["dailyLimit"])).toBe(true);
  expect(changesPacing(["name", "steps"])).toBe(false);
});
