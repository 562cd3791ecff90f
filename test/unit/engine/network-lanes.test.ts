import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accountDay,
  DEFAULT_LIMITS,
  laneOpening,
  planMessage,
  roomToday,
  warmedUp,
} from "#src/domain/engine/network-lanes.ts";

const DAY = 86_400_000;
const at = (days: number) => new Date(Date.UTC(2027, 0, 1) + days * DAY);

describe("the warm-up", () => {
  test("grows by the day from at least one to the limit", () => {
    const days = [1, 2, 7, 13, 14, 99];
    expect(days.map((day) => warmedUp(20, day, 14))).toEqual([1, 2, 10, 18, 20, 20]);
    expect(warmedUp(3, 1, 14)).toBe(1);
    expect(warmedUp(0, 5, 14)).toBe(0);
  });

  test("never shrinks from one day to the next, and never passes the limit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 90 }),
        (limit, warmupDays, day) => {
          const today = warmedUp(limit, day, warmupDays);
          expect(today).toBeGreaterThanOrEqual(1);
          expect(today).toBeLessThanOrEqual(limit);
          expect(warmedUp(limit, day + 1, warmupDays)).toBeGreaterThanOrEqual(today);
        },
      ),
    );
  });

  test("an account is on day 1 from the minute it is connected", () => {
    expect([0, 0.5, 1, 13.9].map((days) => accountDay(at(0), at(days)))).toEqual([1, 1, 2, 14]);
  });
});

describe("the day's room", () => {
  const warm = 30;

  test("is what the limit of the kind leaves", () => {
    const use = { today: 15, connectionsThisWeek: 15 };
    expect(roomToday("connection_request", DEFAULT_LIMITS, warm, use)).toBe(5);
    expect(roomToday("message", DEFAULT_LIMITS, warm, use)).toBe(35);
    expect(roomToday("profile_view", DEFAULT_LIMITS, warm, use)).toBe(35);
  });

  test("of connections ends with the week's hundred", () => {
    const use = { today: 0, connectionsThisWeek: 97 };
    expect(roomToday("connection_request", DEFAULT_LIMITS, warm, use)).toBe(3);
    expect(roomToday("message", DEFAULT_LIMITS, warm, use)).toBe(50);
  });

  test("is never negative", () => {
    const use = { today: 90, connectionsThisWeek: 500 };
    expect(roomToday("connection_request", DEFAULT_LIMITS, warm, use)).toBe(0);
    expect(roomToday("message", DEFAULT_LIMITS, 1, use)).toBe(0);
  });
});

test("only a connected account acts; a limited one comes back at its time", () => {
  expect(laneOpening("connected", null, at(0))).toEqual({ open: true });
  expect(laneOpening("rate_limited", at(1), at(0))).toEqual({ open: false, until: at(1) });
  expect(laneOpening("rate_limited", at(1), at(1))).toEqual({ open: true });
  for (const status of ["disconnected", "reconnecting", "error"] as const)
    expect(laneOpening(status, null, at(9))).toEqual({ open: false, until: null });
});

describe("a message after a connection request", () => {
  const waiting = { requestedAt: at(0), acceptedAt: null, dueAt: at(2), laterSteps: [] };

  test("waits for the acceptance, and then for its own time", () => {
    expect(planMessage(waiting, at(3))).toEqual({ do: "wait", until: at(14) });
    expect(planMessage({ ...waiting, acceptedAt: at(1) }, at(1))).toEqual({
      do: "send",
      at: at(2),
    });
    expect(planMessage({ ...waiting, acceptedAt: at(5) }, at(5))).toEqual({
      do: "send",
      at: at(5),
    });
  });

  test("is given up after 14 days: the lead goes on with its next email, or ends", () => {
    expect(planMessage(waiting, at(14))).toEqual({ do: "end" });
    const laterSteps = [
      { step: 3, channel: "socialnet" as const },
      { step: 4, channel: "email" as const },
    ];
    expect(planMessage({ ...waiting, laterSteps }, at(14))).toEqual({ do: "skip_to", step: 4 });
  });

  test("without a request goes when it is due", () => {
    expect(planMessage({ ...waiting, requestedAt: null }, at(0))).toEqual({
      do: "send",
      at: at(2),
    });
  });
});
