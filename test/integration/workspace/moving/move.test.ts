/** A workspace moves from one database to another: whole, once, and whoever dies on the way. */
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { columnsIn, movedTables, STAYS } from "#db/workspace/moving/tables.ts";
import { residenceOf } from "#db/workspace/moving/state.ts";
import { eraseDeletedWorkspaces } from "#src/domain/workspace/erase-workspaces.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { busyTenant } from "../../../conformance/busy-tenant.ts";
import { startWholeApi } from "../../../conformance/upstreams.ts";
import type { Tenant } from "../../../support/api.ts";
import { Died, type OtherCell, rowsOf, runMove, startOtherCell } from "../../../support/cells.ts";
import { inFull } from "../../../support/full.ts";
import { patience } from "../../../support/patience.ts";
import { api, useApi } from "../../../support/use-api.ts";

vi.setConfig({ testTimeout: patience(inFull(1_200_000, 120_000)) });

useApi({ start: startWholeApi });
let other: OtherCell;
beforeAll(async () => {
  other = await startOtherCell(api);
});
afterAll(() => other.close());

const now = () => api.deps.clock.now();
const there = (): [string, string] => [api.databaseUrl, other.url];
const back = (): [string, string] => [other.url, api.databaseUrl];

/** Where it is in use. */
async function homes({ workspaceId }: Tenant): Promise<string[]> {
  const found = [];
  for (const [name, { db }] of [
    ["a", api.deps],
    ["b", other.deps],
  ] as const) {
    const residence = await residenceOf(db, workspaceId);
    if (residence !== undefined && residence.frozenAt === null && residence.cell === null)
      found.push(name);
  }
  return found;
}

const DIRECTORY = [
  "api_keys",
  "identities",
  "notification_preferences",
  "users",
  "workspace_members",
  "workspaces",
];

test("every table belongs to a workspace and moves with it, or stays for a reason", async () => {
  const all = new Set((await columnsIn(api.deps.db)).map(({ table }) => table));
  const moved = (await movedTables(api.deps.db, "0")).map(({ name }) => name);
  expect([...moved, ...Object.keys(STAYS)].toSorted()).toEqual([...all].toSorted());
});

test("what is found through another table is copied behind it: a copy of which half was made is found again", async () => {
  const tables = await movedTables(api.deps.db, "0");
  const found = tables.flatMap(({ name }, index) => {
    const before = new Set(tables.slice(0, index).map((table) => table.name));
    const through = ["campaigns", "datasets", "webhooks", "generation_batches"].filter((parent) =>
      new PgDialect().sqlToQuery(tables[index]!.rows).sql.includes(`from ${parent} `),
    );
    return through.map((parent) => [name, parent, before.has(parent)]);
  });
  expect(found.filter(([, , isBehind]) => isBehind !== true)).toEqual([]);
  expect(found).toContainEqual(["campaign_lead_sums", "campaigns", true]);
});

test("all of it arrives and nothing stays but where it lives; its keys are known here and open there", async () => {
  const tenant = await busyTenant(api);
  const neighbour = await busyTenant(api);
  await api.settled();
  const [before, beside] = await Promise.all(
    [tenant, neighbour].map(({ workspaceId }) => rowsOf(api.databaseUrl, workspaceId)),
  );
  expect(Object.keys(before!).length).toBeGreaterThan(40);
  await runMove(there(), tenant.workspaceId, { now });
  expect(await rowsOf(other.url, tenant.workspaceId)).toEqual(before);
  expect(Object.keys(await rowsOf(api.databaseUrl, tenant.workspaceId)).toSorted()).toEqual(
    DIRECTORY,
  );
  expect(await rowsOf(api.databaseUrl, neighbour.workspaceId)).toEqual(beside);
  expect(await homes(tenant)).toEqual(["b"]);

  const refused = await tenant.call("GET", "/api/v1/templates");
  expect([refused.status, refused.body.detail, refused.body.cell]).toEqual([
    503,
    "WORKSPACE_MOVED",
    "b",
  ]);
  expect((await tenant.callAsUser("GET", "/api/v1/templates")).status).toBe(503);
  expect((await other.get("/api/v1/templates", tenant.key)).status).toBe(200);
  expect((await other.get("/api/v1/templates", tenant.jwt)).status).toBe(200);
  const { rows: left } = await api.sql.query(
    "select tgname from pg_trigger where tgname like 'moving%'",
  );
  expect(left).toEqual([]);
  // And home again, over the entry that it left.
  await runMove(back(), tenant.workspaceId, { now, name: "a" });
  expect(await rowsOf(api.databaseUrl, tenant.workspaceId)).toEqual(before);
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);
});

test("sessions that were ended where a workspace was stay ended where it comes back to", async () => {
  const { workspaceId } = await api.tenant();
  await runMove(there(), workspaceId, { now });
  const ofOwner = "where user_id = (select owner_user_id from workspaces where id = $1)";
  await other.rows(`update identities set sessions_valid_from = '2099-01-02Z' ${ofOwner}`, [
    workspaceId,
  ]);
  await runMove(back(), workspaceId, { now, name: "a" });
  const { rows } = await api.sql.query(`select sessions_valid_from from identities ${ofOwner}`, [
    workspaceId,
  ]);
  expect(rows).toEqual([{ sessions_valid_from: new Date("2099-01-02Z") }]);
});

test("what a person is called, and where they are told, is in each cell what was said last", async () => {
  const { workspaceId, userId, callAsUser } = await api.tenant();
  const path = "/api/v1/notifications/preferences";
  expect((await callAsUser("PUT", path, { personal_email: "first@people.zz" })).status).toBe(200);
  const here: OtherCell["rows"] = async (text, values) => (await api.sql.query(text, values)).rows;
  const said = async (rows: OtherCell["rows"], word: string) => {
    api.advance(60);
    const values = [userId, word, now()];
    await rows("update users set name = $2, updated_at = $3 where id = $1", values);
    await rows(
      "update notification_preferences set personal_email = $2 || '@people.zz', updated_at = $3 where user_id = $1",
      values,
    );
  };
  const known = (rows: OtherCell["rows"]) =>
    rows(
      "select u.name, p.personal_email from users u join notification_preferences p on p.user_id = u.id where u.id = $1",
      [userId],
    );
  await runMove(there(), workspaceId, { now });
  await said(other.rows, "second");
  await runMove(back(), workspaceId, { now, name: "a" });
  expect(await known(here)).toEqual([{ name: "second", personal_email: "second@people.zz" }]);
  // In another workspace, which did not move.
  await runMove(there(), workspaceId, { now });
  await said(here, "third");
  await runMove(back(), workspaceId, { now, name: "a" });
  expect(await known(here)).toEqual([{ name: "third", personal_email: "third@people.zz" }]);
});

test("what an erased workspace left in the cell that it came from is erased there too, once it is said", async () => {
  const { workspaceId, userId, callAsUser } = await api.tenant();
  const path = "/api/v1/notifications/preferences";
  await callAsUser("PUT", path, { personal_email: "left@people.zz" });
  const forget = (env: Record<string, string> = { CELL_B_DATABASE_URL: other.url }) =>
    runAdmin(["forget", workspaceId], api.databaseUrl, now(), env);
  await expect(forget()).rejects.toThrow("does not live in another cell");
  await runMove(there(), workspaceId, { now });
  await expect(forget()).rejects.toThrow("is not erased in b");
  await expect(forget({})).rejects.toThrow("Set CELL_B_DATABASE_URL");
  await other.rows("update workspaces set deleted_at = '2020-01-01Z' where id = $1", [workspaceId]);
  await eraseDeletedWorkspaces(other.deps);
  const left = async () => {
    const [row] = (
      await api.sql.query(
        `select w.name, u.email, (select count(*)::int from identities i where i.user_id = u.id) as logins,
           (select p.personal_email from notification_preferences p where p.user_id = u.id) as told
         from users u join workspaces w on w.owner_user_id = u.id where u.id = $1 and w.id = $2`,
        [userId, workspaceId],
      )
    ).rows;
    return row;
  };
  expect(await left()).toMatchObject({ logins: 1, told: "left@people.zz" });
  expect(await forget()).toContain("erased here too");
  await eraseDeletedWorkspaces(api.deps);
  expect(await left()).toEqual({ name: "", email: null, logins: 0, told: null });
});

test("whoever dies wherever, it is in use in one cell at most, and the same command ends it", async () => {
  const tenant = await busyTenant(api);
  await api.settled();
  const { workspaceId } = tenant;
  const before = await rowsOf(api.databaseUrl, workspaceId);
  let deaths = 0;
  // Of some 1,600 statements.
  let stride = inFull(2, 31);
  for (const [ends, name] of [
    [there(), "b"],
    [back(), "a"],
  ] as const) {
    for (let statements = 1; ; statements += stride) {
      const end = await runMove([...ends], workspaceId, { now, name, statements }).catch(
        (error: unknown) => error,
      );
      if (typeof end === "number") break;
      if (!hasDied(end)) throw end;
      deaths += 1;
      expect((await homes(tenant)).length).toBeLessThanOrEqual(1);
    }
    stride = inFull(3, 43);
    expect(await homes(tenant)).toEqual([name]);
    expect(await rowsOf(ends[1], workspaceId)).toEqual(before);
    expect(Object.keys(await rowsOf(ends[0], workspaceId)).toSorted()).toEqual(DIRECTORY);
  }
  expect(deaths).toBeGreaterThan(20);
});

function hasDied(error: unknown): boolean {
  return error instanceof Died || (error instanceof Error && hasDied(error.cause));
}
