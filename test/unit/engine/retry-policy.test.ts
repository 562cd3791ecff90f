/** What an arguable refusal means, by what happens to others. */
import { expect, test } from "vitest";
import type { SenderHistory } from "#db/engine/index.ts";
import { judgeRefusal, needsHistory } from "#src/domain/engine/retry-policy.ts";
import type { ActionResult } from "#src/domain/engine/channel.ts";
import { outcomeOf } from "#src/domain/engine/outcome.ts";

const NOW = new Date("2026-03-02T09:00:00Z");
const ALONE: SenderHistory = { refusals: 0, refusedOperators: 1, acceptedSince: false };
const rejected = { state: "rejected", reply: "550", scope: "doubtful" } as const;
const deferred = { state: "deferred", reply: "451", scope: "doubtful" } as const;
const ours = { ...rejected, scope: "sender", isNamed: true } as const;

const of = (
  result: Parameters<typeof judgeRefusal>[0],
  history: Partial<SenderHistory> = {},
  attempts = 0,
) => judgeRefusal(result, { ...ALONE, ...history }, { id: "a", reason: "no", attempts }, NOW);

test("the first refusal is the recipient's, who has waits as after any temporary refusal", () => {
  const waits = [0, 1, 2, 3, 4].map((attempts) => {
    const end = of(rejected, {}, attempts);
    expect(end).toMatchObject({ kind: "retry", attemptSpent: true, lane: "none" });
    return end.kind === "retry" ? (end.retryAt.getTime() - NOW.getTime()) / 60_000 : null;
  });
  expect(waits).toEqual([5, 30, 120, 480, 1440]);
});

test("refused again while the sender was accepted elsewhere, a 5xx is final and a 4xx is not", () => {
  expect(of(rejected, { acceptedSince: true }, 1)).toMatchObject({
    kind: "rejected",
    scope: "recipient",
    suppress: false,
  });
  expect(of({ ...rejected, gone: "for_good" }, { acceptedSince: true }, 1)).toMatchObject({
    suppress: true,
  });
  expect(of(deferred, { acceptedSince: true }, 1)).toMatchObject({ kind: "retry" });
  expect(of(deferred, { acceptedSince: true }, 5)).toMatchObject({ kind: "given_up" });
});

test("a third domain in a row makes it the sender's, whatever was accepted before", () => {
  expect(of(rejected, { refusedOperators: 2 })).toMatchObject({ lane: "none" });
  for (const acceptedSince of [false, true])
    expect(of(rejected, { refusedOperators: 3, acceptedSince })).toMatchObject({
      kind: "retry",
      attemptSpent: false,
      lane: "limited",
      retryAt: NOW,
    });
});

test("attempts that are used up fail nobody while the sender is accepted nowhere", () => {
  expect(of(rejected, { refusals: 5 }, 5)).toMatchObject({ kind: "retry", lane: "limited" });
});

test.each([
  ["the sender's", ours],
  ["of a policy", rejected],
  ["for now", deferred],
  ["of an address that is gone", { ...rejected, gone: "for_good" as const }],
])("the twelfth refusal is the last, six days after the first at least: %s", (_, result) => {
  let waited = 0;
  for (let refusals = 0; refusals < 11; refusals++) {
    const end = of(result, { refusals }, 5);
    expect(end).toMatchObject({ kind: "retry", attemptSpent: false, lane: "limited" });
    if (end.kind === "retry") waited += end.retryAt.getTime() - NOW.getTime();
  }
  expect(waited / 86_400_000).toBeGreaterThan(6);
  expect(of(result, { refusals: 11 }, 5)).toMatchObject({ kind: "given_up" });
});

test("an account's own trouble, and a line that broke before the recipient was named, are asked about by nobody", () => {
  const down = { state: "deferred", reply: "lost", scope: "connection" } as const;
  const cases: [ActionResult, boolean][] = [
    [{ ...down, isNamed: false }, false],
    [{ ...down, isNamed: true }, true],
    [{ ...down, scope: "sender", isNamed: true, accountError: "login refused" }, false],
    [{ ...down, scope: "recipient", isNamed: true }, false],
    [{ ...rejected, scope: "message", isNamed: true }, false],
    [rejected, true],
    [{ state: "accepted", reply: "250" }, false],
  ];
  for (const [result, expected] of cases) expect(needsHistory(result)).toBe(expected);
});

test("a refusal in doubt is put down to nobody where the store did not say what happened to others", () => {
  const plan = {
    configVersion: 1,
    nextDelayDays: null,
    nextChannel: null,
    nextBudget: "",
    nextHold: null,
  } as const;
  const context = {
    sendId: "a",
    step: { step: 1 },
    attempts: 4,
    timezone: "UTC",
    zone: "",
    ...plan,
  };
  const end = outcomeOf(context, rejected, { now: NOW, slotAt: NOW });
  expect(end).toMatchObject({ kind: "retry", attemptSpent: false, lane: "none", isRefusal: true });
  expect(end.kind === "retry" && end.retryAt.getTime() - NOW.getTime()).toBe(300_000);
});
