import { expect, test } from "vitest";
import { instantWithOffset } from "#src/http/fields.ts";

test.each([
  ["1970-01-01T00:00:00Z", true],
  ["9998-12-31T23:59:59Z", true],
  ["1969-12-31T23:59:59Z", false],
  ["9999-01-01T00:00:00Z", false],
  ["0000-01-01T00:00:00Z", false],
  // By its offset in the year 10000.
  ["9999-12-31T23:59:59-12:00", false],
  ["2026-01-31T09:00:00", false],
])("an instant of %s is taken: %s", (given, isTaken) => {
  expect(instantWithOffset.safeParse(given).success).toBe(isTaken);
});
