import { describe, expect, test } from "vitest";
import { missingFields } from "#src/domain/campaigns/config.ts";
import { judgeSchedule, type ScheduledCampaign } from "#src/domain/campaigns/launch/check.ts";

const START = new Date("2026-03-02T09:00:00Z");
const after = (hours: number) => new Date(START.getTime() + hours * 3_600_000);

const campaign = (more: Partial<ScheduledCampaign> = {}): ScheduledCampaign => ({
  startDate: START,
  steps: [{ ai_personalization_enabled: false }],
  reviewedAt: null,
  unreviewedLaunchPolicy: "launch_default",
  ...more,
});
const ai = { steps: [{ ai_personalization_enabled: true }] };

describe("a scheduled campaign", () => {
  test.each([
    ["before its date waits", campaign(), -0.001, "wait"],
    ["at its date launches", campaign(), 0, "launch"],
    ["24 hours late still launches", campaign(), 24, "launch"],
    ["later than that was missed", campaign(), 24.001, "missed"],
    [
      "unreviewed with policy hold is held",
      campaign({ ...ai, unreviewedLaunchPolicy: "hold" }),
      0,
      "hold",
    ],
    ["is held however late", campaign({ ...ai, unreviewedLaunchPolicy: "hold" }), 48, "hold"],
    [
      "unreviewed with policy cancel is cancelled",
      campaign({ ...ai, unreviewedLaunchPolicy: "cancel" }),
      0,
      "cancel",
    ],
    ["unreviewed with launch_default launches", campaign(ai), 0, "launch"],
    [
      "reviewed launches whatever the policy",
      campaign({ ...ai, reviewedAt: START, unreviewedLaunchPolicy: "hold" }),
      0,
      "launch",
    ],
    ["without AI has nothing to review", campaign({ unreviewedLaunchPolicy: "hold" }), 0, "launch"],
  ] as const)("%s", (_, scheduled, hours, verdict) => {
    expect(judgeSchedule(scheduled, after(hours))).toBe(verdict);
  });
});

test.each([
  ["email", "immediate", ["alias_ids"]],
  ["mixed", "immediate", ["alias_ids", "connected_account_id"]],
  ["socialnet", "scheduled", ["connected_account_id", "start_date"]],
] as const)("a bare %s campaign, %s, lacks %j", (type, launchType, fields) => {
  const bare = { type, launchType, aliasIds: null, connectedAccountId: null, startDate: null };
  expect(missingFields(bare).map(({ field }) => field)).toEqual(fields);
  expect(missingFields({ ...bare, aliasIds: [] }).map(({ field }) => field)).toEqual(fields);
});
