import { describe, expect, test } from "vitest";
import { sourcesOf, type Trigger } from "#db/base/fragments/transitions.ts";
import { CAMPAIGN_STATUSES } from "#src/domain/campaigns/read.ts";
import { judgeStepChange, lockedFields } from "#src/domain/campaigns/change-rules.ts";
import type { CampaignConfig } from "#src/domain/campaigns/config.ts";
import { snakeKeys } from "#src/http/case.ts";
import { canChange, canDo, freedomOf, type Verb } from "#src/console/pure/campaign-rules.ts";
import { nowSentence } from "#src/console/pure/now-sentence.ts";
import { drainWords, launchWords, pauseWords } from "#src/console/pure/launch-words.ts";
import { waitWords, whenWords } from "#src/console/pure/day-words.ts";

const FIELDS = {
  name: 0,
  description: 0,
  datasetId: 0,
  type: 0,
  steps: 0,
  aliasIds: 0,
  connectedAccountId: 0,
  launchType: 0,
  startDate: 0,
  dailyLimit: 0,
  maxNewLeadsPerDay: 0,
  sendingWindowStart: 0,
  sendingWindowEnd: 0,
  minIntervalSeconds: 0,
  timezone: 0,
  useLeadTimezone: 0,
  sendDays: 0,
  systemPrompt: 0,
  unreviewedLaunchPolicy: 0,
  stopOnReply: 0,
  stopOnAutoReply: 0,
  stopOnCompanyReply: 0,
} satisfies Record<keyof CampaignConfig, 0>;

describe("what may be done", () => {
  test.each(CAMPAIGN_STATUSES)(
    "with the fields of a campaign that is %s is what the API lets",
    (status) => {
      for (const field of Object.keys(FIELDS) as (keyof CampaignConfig)[]) {
        const name = Object.keys(snakeKeys({ [field]: 0 }))[0]!;
        expect([name, canChange(name, status)]).toEqual([
          name,
          lockedFields(status, [field]).length === 0,
        ]);
      }
    },
  );

  test("with a campaign is what its states let", () => {
    const triggers: Record<Exclude<Verb, "duplicate">, Trigger[]> = {
      launch: ["launch", "schedule"],
      unschedule: ["unschedule"],
      pause: ["pause"],
      resume: ["resume", "resume_draining", "resume_launch"],
      drain: ["drain"],
      reset: ["reset"],
      delete: ["remove"],
    };
    for (const [verb, all] of Object.entries(triggers))
      for (const status of CAMPAIGN_STATUSES)
        expect([verb, status, canDo(verb as Verb, status)]).toEqual([
          verb,
          status,
          all.some((trigger) => sourcesOf(trigger).includes(status)),
        ]);
  });

  test.each(["active", "paused", "scheduled", "draft"] as const)(
    "with a step of a campaign that is %s is what the API lets",
    (status) => {
      const step = {
        step: 1,
        delay_days: 1,
        channel: "email" as const,
        action_type: "send_email" as const,
        ...{ ai_personalization_enabled: false, track_opens: false, track_clicks: false },
        variants: [{ label: "A", weight: 100, type: "INLINE" as const, body: "One" }],
      };
      const reworded = { ...step, variants: [{ ...step.variants[0]!, body: "Two" }] };
      const later = { ...step, delay_days: 2 };
      for (const sent of [new Set<number>(), new Set([1])]) {
        const freedom = freedomOf(status, 1, sent);
        const may = (after: typeof step) => judgeStepChange(status, [step], [after], sent).ok;
        expect(may(reworded)).toBe(freedom === "free" || freedom === "text");
        expect(may(later)).toBe(freedom === "free");
      }
    },
  );
});

const NOW = Date.parse("2026-11-26T13:20:07Z");
const waiting = {
  status: "active" as const,
  sending: false,
  reasons: [
    {
      code: "window_closed",
      message: "Its sending window is closed.",
      until: "2026-11-27T08:00:00Z",
    },
  ],
  next_send_at: "2026-11-27T08:00:12.000Z",
};
const next = { at: "2026-11-26T13:20:48Z", to: "juho@kaiku.zz", step: 3, from: "anna@nordwind.zz" };

describe("the sentence of now", () => {
  test("while it sends", () => {
    expect(nowSentence({ ...waiting, sending: true }, next, NOW, "Europe/Berlin")).toEqual({
      tone: "good",
      state: "Sending.",
      why: null,
      next: "The next message goes to juho@kaiku.zz in 41 s, step 3 from anna@nordwind.zz.",
    });
  });
  test("while its window is closed: the API's reason and time, in the campaign's zone", () => {
    const later = { ...next, at: waiting.next_send_at };
    expect(nowSentence(waiting, later, NOW, "Europe/Berlin")).toMatchObject({
      state: "Waiting.",
      why: "Its sending window is closed.",
      next: "The next message goes to juho@kaiku.zz tomorrow at 09:00:12, step 3 from anna@nordwind.zz.",
    });
    expect(nowSentence(waiting, null, NOW, "Europe/Berlin").next).toBe(
      "The next message goes out tomorrow at 09:00:12.",
    );
  });
  test("of a draft and of one that is paused: as if", () => {
    const later = { ...next, at: "2026-12-04T08:12:00Z" };
    expect(nowSentence({ ...waiting, status: "draft" }, later, NOW, "UTC").next).toBe(
      "If it were launched now, the first message would go to juho@kaiku.zz on Fri 4 Dec at 08:12:00, step 3 from anna@nordwind.zz.",
    );
    expect(nowSentence({ ...waiting, status: "paused" }, null, NOW, "UTC").state).toBe("Paused.");
    expect(nowSentence({ ...waiting, status: "completed" }, null, NOW, "UTC").next).toBeNull();
  });
  test("times and waits are in words that a person would use", () => {
    expect([41_000, 200_000, 6 * 3_600_000, 5 * 86_400_000].map(waitWords)).toEqual([
      "in 41 s",
      "in 3 min",
      "in 6 h",
      "in 5 days",
    ]);
    expect(whenWords(NOW, NOW, "Asia/Kathmandu")).toBe("19:05");
    expect(whenWords(Date.parse("2027-01-02T00:00:00Z"), NOW, "UTC")).toBe("Sat 2 Jan 2027, 00:00");
  });
});

describe("numbers before a deed", () => {
  const ahead = {
    days: [
      { new_leads: 400, sends: 400 },
      { new_leads: 271, sends: 1969 },
    ],
    total_sends: 2369,
    finishes_at: "2026-12-10T10:36:00Z",
    generated_at: "2026-11-26T13:20:07Z",
    until: "2027-02-24T13:20:07Z",
    timezone: "Europe/Berlin",
  };
  test("a launch says how many people, how many messages, and its end", () => {
    expect(launchWords(ahead)).toBe("Launch: 671 people, 2,369 messages, ends Thu 10 Dec");
    expect(launchWords({ ...ahead, finishes_at: null })).toBe(
      "Launch: 671 people, 2,369 messages, goes on after Wed 24 Feb 2027",
    );
  });
  test("a pause and a drain say what will not go out", () => {
    expect(pauseWords(ahead)).toBe("Pause: 2,369 messages to come are held back");
    expect(drainWords(ahead)).toBe("Drain: 671 people will not be written to");
    expect(drainWords({ ...ahead, days: [] })).toBe("Drain: nobody is left to begin");
  });
});
