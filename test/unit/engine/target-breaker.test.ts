import { expect, test } from "vitest";
import { createTargetBreaker } from "#src/domain/engine/target-breaker.ts";

const now = new Date("2026-05-05T10:00:00Z");
const refusal = {
  state: "deferred",
  reply: "451 later",
  scope: "doubtful",
  isOfTarget: true,
} as const;

function afterRefusals(count: number) {
  const breaker = createTargetBreaker();
  for (let index = 0; index < count; index++) breaker.note("example.zz", refusal);
  return breaker;
}

test("one refusal stops nothing", () => {
  expect(afterRefusals(1).waitFor("send", "example.zz", now)).toBeUndefined();
});

test.each([2, 5])("after %i refusals a send waits, says so and spends no attempt", (count) => {
  expect(afterRefusals(count).waitFor("send", "example.zz", now)).toMatchObject({
    kind: "retry",
    reason: `example.zz just refused ${count} messages for now; this one waits.`,
    retryAt: new Date("2026-05-05T10:05:00Z"),
    attemptSpent: false,
  });
});

test("another target's refusals stop nothing", () => {
  expect(afterRefusals(2).waitFor("send", "two.zz", now)).toBeUndefined();
});
