import fc from "fast-check";
import { expect, test } from "vitest";
import { differences } from "#src/domain/campaigns/plan/differences.ts";

test.each<[string, unknown, unknown, unknown[]]>([
  ["nothing", { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
  ["a value", { a: 1 }, { a: 2 }, [{ path: "/a", before: 1, after: 2 }]],
  ["what is new", {}, { a: 1 }, [{ path: "/a", before: null, after: 1 }]],
  ["what is gone", { a: 1 }, {}, [{ path: "/a", before: 1, after: null }]],
  [
    "a place within a list of objects",
    { s: [{ v: [{ b: "x" }] }] },
    { s: [{ v: [{ b: "y" }] }] },
    [{ path: "/s/0/v/0/b", before: "x", after: "y" }],
  ],
  [
    "an object that a list has besides",
    { s: [{ a: 1 }] },
    { s: [{ a: 1 }, { a: 2 }] },
    [{ path: "/s/1", before: null, after: { a: 2 } }],
  ],
  [
    "a list of texts as a whole",
    { d: ["mon", "tue"] },
    { d: ["tue"] },
    [{ path: "/d", before: ["mon", "tue"], after: ["tue"] }],
  ],
  [
    "names with the pointer's own signs",
    { "a/b~": 1 },
    {},
    [{ path: "/a~1b~0", before: 1, after: null }],
  ],
])("two files differ by %s", (_, before, after, expected) => {
  expect(differences(before, after)).toEqual(expected);
});

test("a file differs from no copy of itself, and back and forth by the same places", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(differences(a, structuredClone(a))).toEqual([]);
      const there = differences(a, b).map(({ path }) => path);
      expect(
        differences(b, a)
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual(there.toSorted());
    }),
  );
});
