import { expect, test } from "vitest";
import { nextRun } from "../../../scripts/stack/qstash/cron.ts";

test.each([
  ["* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"],
  ["* * * * *", "2026-01-01T00:00:59.999Z", "2026-01-01T00:01:00Z"],
  ["*/2 * * * *", "2026-12-31T23:58:00Z", "2027-01-01T00:00:00Z"],
  ["*/25 * * * *", "2026-01-01T00:31:00Z", "2026-01-01T00:50:00Z"],
  ["*/25 * * * *", "2026-01-01T00:50:00Z", "2026-01-01T01:00:00Z"],
])("%s after %s is %s", (cron, after, expected) => {
  expect(nextRun(cron, Date.parse(after))).toBe(Date.parse(expected));
});

test.each(["", "*/0 * * * *", "*/60 * * * *", "0 9 * * *", "CRON_TZ=UTC * * * * *", "@hourly"])(
  "%j is refused",
  (cron) => {
    expect(() => nextRun(cron, 0)).toThrow(/the local stack takes .* alone, not/);
  },
);
