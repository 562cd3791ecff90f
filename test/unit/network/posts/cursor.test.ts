import fc from "fast-check";
import { expect, test } from "vitest";
import { readCursor, writeCursor } from "#src/domain/network/posts/cursor.ts";

const scope = { workspaceId: "01a1fc0c-6921-718e-aa4a-ab45df202f28", accountId: undefined };
const place = {
  createdAt: new Date("2026-11-22T12:00:00.123Z"),
  id: "01a1fc0c-6921-718e-aa4a-ab45df202f29",
};

test("a cursor leads back to its place, in its own list alone", async () => {
  const cursor = await writeCursor(scope, place);
  expect(await readCursor(scope, cursor)).toEqual(place);
  expect(await readCursor({ ...scope, workspaceId: place.id }, cursor)).toBeNull();
  expect(await readCursor({ ...scope, accountId: place.id }, cursor)).toBeNull();
});

test("one that was changed anywhere, or never was one, is refused", async () => {
  const cursor = await writeCursor(scope, place);
  const text = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc
      .tuple(fc.nat(cursor.length - 1), fc.base64String({ minLength: 4, maxLength: 4 }))
      .map(([at, put]) => cursor.slice(0, at) + put[0] + cursor.slice(at + 1)),
  );
  await fc.assert(
    fc.asyncProperty(text, async (changed) => {
      const read = await readCursor(scope, changed);
      // The last character may have bits that mean nothing.
      if (read !== null) expect(read).toEqual(place);
    }),
    { numRuns: 1_000 },
  );
});
