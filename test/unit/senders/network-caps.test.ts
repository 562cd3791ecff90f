import fc from "fast-check";
import { expect, test } from "vitest";
import { networkCaps } from "#src/domain/senders/network-caps.ts";

const first = new Date("2026-03-02T23:30:00Z");
const DAY_MS = 86_400_000;

const onDay = (day: number, over: Partial<Parameters<typeof networkCaps>[0]> = {}) =>
  networkCaps(
    {
      dailyConnectionLimit: 20,
      dailyMessageLimit: 50,
      warmupDays: 14,
      warmupFrom: first,
      connectionsOfLastSixDates: 0,
      ...over,
    },
    new Date(first.getTime() + day * DAY_MS),
    "UTC",
  );

test("a new account begins with a fifth of its limits and has all of them when its warm-up is over", () => {
  expect(onDay(0)).toEqual({ connections: 4, messages: 10 });
  expect(onDay(7)).toEqual({ connections: 12, messages: 30 });
  expect(onDay(13)).toEqual({ connections: 19, messages: 48 });
  expect(onDay(14)).toEqual({ connections: 20, messages: 50 });
  expect(onDay(400)).toEqual({ connections: 20, messages: 50 });
});

test("what comes out whole is not rounded up", () => {
  expect(onDay(1, { dailyMessageLimit: 5, warmupDays: 2 }).messages).toBe(3);
});

test("without a warm-up the limits hold from the first date", () => {
  expect(onDay(0, { warmupDays: 0 })).toEqual({ connections: 20, messages: 50 });
});

test("an account that was never connected stands at its first date", () => {
  expect(onDay(100, { warmupFrom: null })).toEqual({ connections: 4, messages: 10 });
});

test("dates are those of the workspace's zone, and a zone that is not known any more is UTC", () => {
  const account = {
    dailyConnectionLimit: 20,
    dailyMessageLimit: 50,
    warmupDays: 4,
    warmupFrom: first,
    connectionsOfLastSixDates: 0,
  };
  const anHourLater = new Date("2026-03-03T00:30:00Z");
  expect(networkCaps(account, anHourLater, "UTC").connections).toBe(8);
  expect(networkCaps(account, anHourLater, "Europe/Berlin").connections).toBe(4);
  expect(networkCaps(account, anHourLater, "Gone/Zone").connections).toBe(8);
});

test("a hundred connections go out in seven dates at most, and messages do not mind", () => {
  expect(onDay(20, { connectionsOfLastSixDates: 95 })).toEqual({ connections: 5, messages: 50 });
  expect(onDay(20, { connectionsOfLastSixDates: 130 })).toEqual({ connections: 0, messages: 50 });
});

test("caps never shrink while a warm-up goes on, never pass the limit, and a limit above 0 leaves at least 1", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(90), fc.nat(100), (limit, warmupDays, day) => {
      const messages = (on: number) => onDay(on, { dailyMessageLimit: limit, warmupDays }).messages;
      expect(messages(day)).toBeLessThanOrEqual(messages(day + 1));
      expect(messages(day)).toBeLessThanOrEqual(limit);
      expect(messages(day)).toBeGreaterThanOrEqual(Math.min(1, limit));
    }),
  );
});

test("in no seven dates in a row are there more than a hundred, however high the limit", () => {
  const sent: number[] = [];
  for (let day = 0; day < 60; day++) {
    const connectionsOfLastSixDates = sent.slice(-6).reduce((sum, count) => sum + count, 0);
    sent.push(onDay(day, { dailyConnectionLimit: 60, connectionsOfLastSixDates }).connections);
  }
  const weeks = sent.map((_, at) => sent.slice(at, at + 7).reduce((sum, count) => sum + count, 0));
  expect(Math.max(...weeks)).toBe(100);
});
