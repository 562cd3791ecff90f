import { expect, test } from "vitest";
import { extraTicks, MAX_EXTRA_TICKS } from "#src/domain/jobs/extra-ticks.ts";
import { messagesPerDay } from "../../../scripts/qstash-messages.ts";

const LOAD = {
  campaigns: 10,
  sendersPerCampaign: 3,
  sendsPerCampaign: 100,
  intervalSeconds: 300,
  window: { start: "09:00:00", end: "17:00:00" },
  batch: 50,
  periodSeconds: 60,
};

test("a small service costs its schedule and nothing more, and sends everything", () => {
  expect(messagesPerDay(LOAD)).toEqual({ scheduled: 1440, extra: 0, sends: 1000 });
});

test("a period of two minutes halves the schedule", () => {
  expect(messagesPerDay({ ...LOAD, periodSeconds: 120 }).scheduled).toBe(720);
});

test("further ticks follow the sends: one per batch", () => {
  const { extra, sends } = messagesPerDay({ ...LOAD, campaigns: 1000 });
  expect(sends).toBe(100_000);
  expect(extra).toBeGreaterThan(100_000 / 50 - 300);
  expect(extra).toBeLessThanOrEqual(100_000 / 50);
});

test("the first batch is the scheduled tick's own, and there is an end", () => {
  expect([0, 1, 50, 51, 101].map((lanes) => extraTicks(lanes, 50))).toEqual([0, 0, 0, 1, 2]);
  expect(extraTicks(10_000_000, 50)).toBe(MAX_EXTRA_TICKS);
});
