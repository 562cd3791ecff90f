import { expect, test } from "vitest";
import {
  kindsFor,
  NOTICE_KINDS,
  recipientOn,
} from "#src/domain/workspace/notifications/audience.ts";
import { planTopic } from "#src/domain/workspace/notifications/open-notices.ts";
import { DEFAULT_PREFERENCES } from "#src/domain/workspace/notifications/preferences.ts";
import { attemptEnd, MOST_ATTEMPTS } from "#src/domain/workspace/notifications/retry.ts";

const ALWAYS = [
  "campaign_paused",
  "campaign_launch_held",
  "campaign_launch_cancelled",
  "account_disconnected",
  "inbox_failing",
  "domain_rule_failing",
  "postmaster_lost",
  "webhook_failing",
  "webhook_disabled",
];
const REPLIES = ["lead_reply", "email_reply", "network_reply"];

test("without a word: replies and what concerns a campaign by email, nothing by WhatsApp", () => {
  expect(kindsFor("email", DEFAULT_PREFERENCES, "owner")).toEqual([...ALWAYS, ...REPLIES]);
  expect(kindsFor("whatsapp", DEFAULT_PREFERENCES, "owner")).toEqual([]);
});

test("email off silences what concerns leads alone; WhatsApp on hears what email does not", () => {
  const all = { notifyOnReply: true, notifyOnBounce: true, notifyOnComplaint: true };
  const preferences = {
    ...DEFAULT_PREFERENCES,
    ...all,
    emailEnabled: false,
    whatsappEnabled: true,
  };
  expect(kindsFor("email", preferences, "member")).toEqual(ALWAYS);
  expect(kindsFor("whatsapp", preferences, "member")).toEqual(NOTICE_KINDS);
});

test("a notice goes to the personal address, or else the user's; to a number only if it is one", () => {
  const preferences = { ...DEFAULT_PREFERENCES, whatsappNumber: "0170 1" };
  expect(recipientOn("email", preferences, "login@x.example")).toBe("login@x.example");
  const mine = { ...preferences, personalEmail: "me@x.example" };
  expect(recipientOn("email", mine, "login@x.example")).toBe("me@x.example");
  expect(recipientOn("email", preferences, null)).toBeNull();
  expect(recipientOn("whatsapp", preferences, null)).toBeNull();
});

const due = {
  topic: "t",
  workspaceId: "w",
  isErased: false,
  kinds: ["lead_reply" as const, "lead_hard_bounce" as const],
  recentKinds: ["lead_reply" as const, "lead_hard_bounce" as const],
  members: [{ userId: "o", role: "owner" as const, preferences: null }],
};
const channels = { email: true, whatsapp: false };

test("what nobody wants opens no window: it is let go", () => {
  const bounces = { ...due, recentKinds: ["lead_hard_bounce" as const] };
  expect(planTopic(bounces, channels, "n").notice).toBeNull();
  expect(planTopic({ ...due, recentKinds: [] }, channels, "n").notice).toBeNull();
  expect(planTopic({ ...due, isErased: true }, channels, "n").notice).toBeNull();
  expect(planTopic(due, channels, "n").notice).toEqual({
    id: "n",
    kinds: ["lead_reply"],
    deliveries: [{ userId: "o", channel: "email", error: null }],
  });
});

test("each member hears what they want; a viewer nothing that only others can mend", () => {
  expect(kindsFor("email", DEFAULT_PREFERENCES, "viewer")).toEqual(REPLIES);
  const silent = { ...DEFAULT_PREFERENCES, notifyOnReply: false };
  const all = {
    ...silent,
    notifyOnBounce: true,
    whatsappEnabled: true,
  };
  const members = [
    { userId: "o", role: "owner" as const, preferences: silent },
    { userId: "m", role: "member" as const, preferences: all },
    { userId: "v", role: "viewer" as const, preferences: null },
  ];
  expect(planTopic({ ...due, members }, channels, "n").notice).toEqual({
    id: "n",
    kinds: ["lead_hard_bounce", "lead_reply"],
    deliveries: [
      { userId: "m", channel: "email", error: null },
      { userId: "m", channel: "whatsapp", error: "This deployment sends nothing by whatsapp." },
      { userId: "v", channel: "email", error: null },
    ],
  });
  const kinds = ["campaign_paused" as const];
  const plan = planTopic({ ...due, kinds, recentKinds: kinds, members }, channels, "n");
  expect(plan.notice!.deliveries.map(({ userId }) => userId)).toEqual(["o", "m", "m"]);
});

test("what may be tried again is, five times, and not before the provider wants it", () => {
  const now = new Date(0);
  const later = { kind: "later" as const, error: "busy", notBeforeMs: 0 };
  const waits = Array.from({ length: MOST_ATTEMPTS }, (_, index) => {
    const end = attemptEnd(later, index + 1, now);
    return end.kind === "again" ? end.dueAt.getTime() / 60_000 : end.kind;
  });
  expect(waits).toEqual([1, 5, 30, 120, 480, "dead"]);
  expect(attemptEnd({ ...later, notBeforeMs: 90_000 }, 1, now)).toMatchObject({
    dueAt: new Date(90_000),
  });
});
