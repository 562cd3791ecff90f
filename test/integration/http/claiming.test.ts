import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { isWrite } from "#db/base/claiming.ts";
import { commit } from "#db/base/client.ts";
import { startClaiming } from "#src/domain/access/idempotency.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

/** What a request with the key does to a list of words; each write is one of them. */
function begin(keyHash = randomUUID()) {
  const { workspaceId } = tenant;
  const claiming = startClaiming(api.deps, {
    workspaceId,
    keyHash,
    fingerprint: "f",
    isEffect: true,
    resourceId: () => null,
  });
  const { db } = claiming.deps;
  const rename = (name: string) =>
    sql`update workspaces set name = ${name} where id = ${workspaceId}`;
  return {
    ...claiming,
    write: (name: string) => db.execute(rename(name)),
    writeBoth: (...names: [string, string]) =>
      commit(db, [db.execute(rename(names[0])), db.execute(rename(names[1]))]),
    fail: () => db.execute(sql`update workspaces set plan = 'none' where id = ${workspaceId}`),
    read: async () =>
      (await db.execute(sql`select name from workspaces where id = ${workspaceId}`)).rows,
  };
}

const keys = async () =>
  (await query`select 1 from idempotency_keys where workspace_id = ${tenant.workspaceId}`).length;
const nameNow = async () =>
  (await query`select name from workspaces where id = ${tenant.workspaceId}`)[0].name;

test("a request that only reads uses no key", async () => {
  const { read, end } = begin();
  await read();
  expect([await end(), await keys()]).toEqual(["none", 0]);
});

test("writes side by side use one key, whichever is first", async () => {
  const { write, writeBoth, read, end } = begin();
  await Promise.all([read(), write("a"), writeBoth("b", "c"), write("d"), read()]);
  expect([await end(), await keys()]).toEqual(["taken", 1]);
});

test("a write that fails leaves the key to the next, also to one beside it", async () => {
  const one = begin();
  await expect(one.fail()).rejects.toBeInstanceOf(Error);
  expect(await keys()).toBe(0);
  await one.writeBoth("a", "b");
  expect([await one.end(), await keys()]).toEqual(["taken", 1]);
  const other = begin();
  const [failed, written] = await Promise.allSettled([other.fail(), other.write("c")]);
  expect([failed.status, written.status]).toEqual(["rejected", "fulfilled"]);
  expect([await other.end(), await keys()]).toEqual(["taken", 2]);
});

test("who comes second has written nothing, and writes nothing any more", async () => {
  const keyHash = randomUUID();
  const [first, second] = [begin(keyHash), begin(keyHash)];
  await first.write("first");
  for (const attempt of [
    () => second.writeBoth("second", "second"),
    () => second.write("third"),
    second.claimFirst,
  ])
    await expect(attempt()).rejects.toBeInstanceOf(Error);
  expect([await first.end(), await second.end()]).toEqual(["taken", "lost"]);
  expect([await nameNow(), await keys()]).toEqual(["first", 1]);
});

test("what is written after the end, in the background, is not the request's any more", async () => {
  const { end, write } = begin();
  expect(await end()).toBe("none");
  await write("later");
  expect([await nameNow(), await keys()]).toEqual(["later", 0]);
});

test("what the database did and could not say is not done again", async () => {
  const { write, end } = begin();
  api.neon.faults.order("reply_lost", 1);
  await expect(write("once")).rejects.toBeInstanceOf(Error);
  await expect(write("twice")).rejects.toBeInstanceOf(Error);
  expect([await end(), await nameNow(), await keys()]).toEqual(["lost", "once", 1]);
});

test("every function of the database that writes is known as one", async () => {
  // One only looks, and notes for its transaction what it saw; one only makes up an id.
  const functions = await query`
    select proname from pg_proc where proname not in ('require_revision', 'new_uuid') and pronamespace = 'public'::regnamespace and provolatile = 'v' and prokind = 'f' and prorettype <> 'trigger'::regtype`;
  expect(functions.length).toBeGreaterThan(0);
  for (const { proname } of functions)
    expect([proname, isWrite(`select * from ${proname}($1)`)]).toEqual([proname, true]);
});
