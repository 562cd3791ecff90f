import { expect, test } from "vitest";
import { nextStepOf } from "#src/domain/engine/outcome.ts";

/** 10:00 in Berlin on the Friday before its clocks go forward. */
const SENT_AT = new Date("2027-03-26T09:00:00Z");

test.each([
  ["", "2027-03-28T08:00:00.000Z"],
  ["Asia/Tokyo", "2027-03-28T09:00:00.000Z"],
  ["America/New_York", "2027-03-28T09:00:00.000Z"],
  ["Mars/Olympus", "2027-03-28T08:00:00.000Z"],
])("two days on are the same wall time where the lead is: %s", (zone, dueAt) => {
  const context = {
    configVersion: 1,
    nextDelayDays: 2,
    nextChannel: null,
    nextBudget: "" as const,
    nextHold: null,
    timezone: "Europe/Berlin",
    zone,
  };
  const { nextActionAt } = nextStepOf(1, SENT_AT, context);
  expect(nextActionAt!.toISOString()).toBe(dueAt);
});
