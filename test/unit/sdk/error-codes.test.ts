import { expect, expectTypeOf, test } from "vitest";
import { type ErrorCode, OvertureError } from "#src/sdk/index.ts";

test("an error is asked by the codes that there are, and says those of a newer deployment as they came", () => {
  const stale = new OvertureError(409, "PLAN_STALE", "The plan is stale.");
  expect(stale.is("CAMPAIGN_NOT_FOUND", "PLAN_STALE")).toBe(true);
  expect(stale.is("CAMPAIGN_NOT_FOUND")).toBe(false);
  expect(new OvertureError(409, "OF_TOMORROW", "New.").code).toBe("OF_TOMORROW");
  expectTypeOf(stale.is).parameter(0).toEqualTypeOf<ErrorCode>();
  // Of each way in which the service names one.
  expectTypeOf<
    | "CAMPAIGN_NOT_FOUND"
    | "PLACEMENT_TEST_NOT_FOUND"
    | "IN_USE"
    | "SCOPE_MISSING"
    | "VALIDATION_ERROR"
    | "MISSING_VARIABLE"
    | "KEY_EXPIRED"
    | "RATE_LIMITED"
    | "IDEMPOTENCY_ANSWER_LOST"
    | "NETWORK"
  >().toExtend<ErrorCode>();
  expectTypeOf<"PLAN_STAEL">().not.toExtend<ErrorCode>();
});
