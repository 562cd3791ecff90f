import fc from "fast-check";
import { expect, test } from "vitest";
import { toBase64Url } from "#src/platform/encoding.ts";
import { createCursors } from "#src/providers/network/unipile/cursors.ts";

const cursors = createCursors("an-api-key-of-the-tests");

test("a cursor comes back as it went, for its own list", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 600 }),
      fc.string(),
      async (cursor, list) => {
        expect(await cursors.open(list, await cursors.seal(list, cursor))).toBe(cursor);
      },
    ),
    { numRuns: 50 },
  );
});

test("for another list, account or key it is none", async () => {
  const sealed = await cursors.seal("account-1 chats", "next");
  expect(await cursors.open("account-2 chats", sealed)).toBeNull();
  expect(await cursors.open("account-1 users relations", sealed)).toBeNull();
  expect(await createCursors("another-key").open("account-1 chats", sealed)).toBeNull();
});

test("one that somebody made up is none, whatever account the API's own cursor in it names", async () => {
  const theirs = btoa(JSON.stringify({ account_id: "account-2", offset: 0 }));
  const [, seal] = (await cursors.seal("account-1 chats", "next")).split(".");
  const body = toBase64Url(new TextEncoder().encode(theirs));
  for (const made of [theirs, body, `${body}.`, `${body}.${seal}`, `.${seal}`, "", ".", "a.b.c"])
    expect(await cursors.open("account-1 chats", made)).toBeNull();
});

test("what is hostile is none", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom(..."Az09-_.=+/ \0é😀"), maxLength: 200 }),
      async (given) => {
        expect(await cursors.open("account-1 chats", given)).toBeNull();
      },
    ),
    { numRuns: 40 },
  );
  expect(await cursors.open("account-1 chats", `${"A".repeat(1_000_000)}.AAAA`)).toBeNull();
});
