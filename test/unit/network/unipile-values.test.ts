import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  count,
  id,
  instant,
  optionalName,
  optionalUrl,
  text,
  yes,
} from "#src/providers/network/unipile/values.ts";

describe("instants, as the API writes them at one place or another", () => {
  const noon = new Date("2026-11-22T12:00:00.000Z");

  test.each([
    ["2026-11-22T12:00:00.000Z", "with milliseconds"],
    ["2026-11-22T12:00:00Z", "without"],
    ["2026-11-22T12:00:00.000000Z", "with microseconds"],
    ["2026-11-22T12:00:00", "without a zone, which is UTC"],
    ["2026-11-22 12:00:00.000", "with a space"],
    ["2026-11-22T13:00:00+01:00", "with an offset"],
    [1_795_348_800, "as seconds"],
    [1_795_348_800_000, "as milliseconds"],
    [1_795_348_800.5, "as broken seconds"],
    ["1795348800", "as seconds in a text"],
    ["1795348800000", "as milliseconds in a text"],
  ] as const)("%j, %s", (given, _) => {
    expect(Math.abs(+instant.parse(given)! - +noon)).toBeLessThan(1_000);
  });

  test.each([
    "2w",
    "yesterday",
    "",
    null,
    undefined,
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    {},
    [],
    true,
    "2026-11-22",
    "2026-13-45T12:00:00Z",
    "9".repeat(400),
  ])("%j is none", (given) => {
    expect(instant.parse(given)).toBeNull();
  });

  test("whatever is given: an instant that Postgres takes, or none", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.integer(), fc.anything()), (given) => {
        const at = instant.parse(given);
        expect(at === null || (+at > 0 && at.getUTCFullYear() <= 9999)).toBe(true);
      }),
    );
  });
});

test("text is what the database takes: no NUL, no half of a character", () => {
  expect(text.parse("a\0b\ud800c😀")).toBe("ab\ufffdc😀");
});

test("whatever a provider tells without end is cut between characters", () => {
  expect(text.parse("😀".repeat(100_000)).length).toBeLessThanOrEqual(50_000);
  expect(text.parse(`x${"😀".repeat(100_000)}`).isWellFormed()).toBe(true);
  const name = optionalName.parse(`x${"😀".repeat(100_000)}`)!;
  expect([name.length <= 1_000, name.isWellFormed()]).toEqual([true, true]);
  expect(["", null, undefined, 4].map((each) => optionalName.parse(each))).toEqual(
    Array(4).fill(null),
  );
});

test.each([
  ["https://www.linkedin.com/in/zoë", true],
  ["HTTP://example.zz/a?b=c", true],
  ["javascript:alert(1)", false],
  ["data:text/html,x", false],
  ["//example.zz", false],
  ["https://a b", false],
  ["https://a\nb", false],
  [`https://example.zz/${"x".repeat(2_000)}`, false],
  ["", false],
  [4, false],
])("%s is an address to follow: %s", (given, is) => {
  expect(optionalUrl.parse(given)).toBe(is ? given : null);
});

test.each(["", " ", "a b", "a\nb", "a\0b", "\ud800", "\u202e", "x".repeat(501), 4, null])(
  "%j is no id",
  (given) => {
    expect(id.safeParse(given).success).toBe(false);
  },
);

test.each(["urn:li:activity:7000", "ACoAAB-_x", "zoë-müller", "MXw2==", "x".repeat(500)])(
  "%s is an id",
  (given) => {
    expect(id.parse(given)).toBe(given);
  },
);

test("a count that is not told is not 0", () => {
  expect([0, 7, undefined, null, -1, 1.5, "7", Infinity].map((each) => count.parse(each))).toEqual([
    0,
    7,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("yes is true or 1", () => {
  expect([true, 1, false, 0, undefined, "1", 2].map((each) => yes.parse(each))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
