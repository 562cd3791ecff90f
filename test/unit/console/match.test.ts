import fc from "fast-check";
import { expect, test } from "vitest";
import { matchPath } from "../../../src/console/pure/match.ts";

test.each([
  ["/campaigns", "/campaigns", {}],
  ["/campaigns/:id/steps", "/campaigns/7/steps", { id: "7" }],
  ["/a/:x/:y", "/a/b%2Fc/%C3%A9", { x: "b/c", y: "é" }],
  ["/campaigns/:id", "/campaigns/", null],
  ["/campaigns/:id", "/campaigns/7/steps", null],
  ["/campaigns/:id", "/campaigns/%", null],
  ["/campaigns", "/Campaigns", null],
])("%s and %s", (pattern, path, expected) => {
  expect(matchPath(pattern, path)).toEqual(expected);
});

test("whatever an id is, it comes back as it was", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (id) => {
      const path = `/person/${encodeURIComponent(id)}`;
      expect(matchPath("/person/:lead", path)).toEqual({ lead: id });
    }),
  );
});
