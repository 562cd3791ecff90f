import * as fc from "fast-check";
import { expect, test } from "vitest";
import { storableParam } from "#db/base/storable-params.ts";
import { storable } from "#src/platform/storable.ts";

const HALF = "\ud83d";

test.each([
  ["a text", `a\0b${HALF}`, "ab\ufffd"],
  ["texts in a list", [`a${HALF}`, ["\0b"], null], ["a\ufffd", ["b"], null]],
  [
    "JSON",
    JSON.stringify({ [`k${HALF}`]: [`a\0b${HALF}c`, HALF] }),
    '{"k\ufffd":["ab\ufffdc","\ufffd"]}',
  ],
  [
    "JSON with backslashes before",
    JSON.stringify(["\\u0000", "\\\0", `\\${HALF}`]),
    '["\\\\u0000","\\\\","\\\\\ufffd"]',
  ],
  [
    "JSON in JSON, whose outer one is kept",
    JSON.stringify([JSON.stringify(HALF)]),
    '["\\"\\\\ud83d\\""]',
  ],
  ["a text that speaks of escapes", "write \\u0000 or \\ud83d", "write \\u0000 or \\ud83d"],
  ["JSON as nobody here writes it", '{ "a": "\\u0000" }', '{ "a": "\\u0000" }'],
  ["a number", 5, 5],
  ["null", null, null],
])("%s", (_what, param, stored) => {
  expect(storableParam(param)).toEqual(stored);
});

test("of any JSON what comes out says the same, and has nothing in it that Postgres refuses", () => {
  const strings = fc.string({
    unit: fc.constantFrom("a", "\\", '"', "\0", HALF, "\ude00", "u0000", "ud83d", "\n"),
  });
  const same = (value: unknown): unknown =>
    typeof value === "string" ? storable(value) : Array.isArray(value) ? value.map(same) : value;
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      strings,
      fc.integer(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.array(values), (value) => {
      const out = storableParam(JSON.stringify(value)) as string;
      expect(JSON.parse(out)).toEqual(same(value));
    }),
    { numRuns: 300 },
  );
});
