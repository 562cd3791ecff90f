/** A cell that was put back to before a workspace left it has the workspace, too: the other cell's word counts. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import pg from "pg";
import { residenceOf } from "#db/workspace/moving/state.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { busyTenant } from "../../../conformance/busy-tenant.ts";
import { startWholeApi } from "../../../conformance/upstreams.ts";
import { endedSince, takeBackup } from "../../../support/backup.ts";
import { type OtherCell, rowsOf, runMove, startOtherCell } from "../../../support/cells.ts";
import { patience } from "../../../support/patience.ts";
import { api, useApi } from "../../../support/use-api.ts";

vi.setConfig({ testTimeout: patience(120_000) });

useApi({ start: startWholeApi });
let other: OtherCell;
beforeAll(async () => {
  other = await startOtherCell(api);
});
afterAll(() => other.close());

/** The statement of docs/operating.md. */
const MOVED = /^```sql\n(select format\('update workspaces set cell[^`]*)```$/m.exec(
  readFileSync("docs/operating.md", "utf8"),
)![1]!;

test("what moved away since is the other cell's alone again", async () => {
  const [tenant, neighbour] = [await busyTenant(api), await busyTenant(api)];
  await api.settled();
  const backup = await takeBackup(api.sql);
  const beside = await rowsOf(api.databaseUrl, neighbour.workspaceId);
  const move = () =>
    runMove([api.databaseUrl, other.url], tenant.workspaceId, { now: () => api.deps.clock.now() });
  await move();
  const moved = await rowsOf(other.url, tenant.workspaceId);
  await backup.restore();
  expect((await tenant.call("GET", "/api/v1/templates")).status).toBe(200);

  const statements = await other.rows(MOVED);
  const found = [];
  for (const { format } of statements) found.push(...(await api.sql.query(`${format}`)).rows);
  expect(found).toEqual([{ id: tenant.workspaceId }]);
  await move();
  expect(await residenceOf(api.deps.db, tenant.workspaceId)).toMatchObject({
    cell: "b",
    frozenAt: null,
  });
  expect(Object.keys(await rowsOf(api.databaseUrl, tenant.workspaceId))).not.toContain("templates");
  expect(await rowsOf(other.url, tenant.workspaceId)).toEqual(moved);
  expect(await rowsOf(api.databaseUrl, neighbour.workspaceId)).toEqual(beside);
});

test.each([
  ["never knew", false],
  ["has an entry of", true],
])(
  "what moved into a cell that %s it is brought in from before that, and then what ended since ends again",
  async (_, isKnown) => {
    const now = () => api.deps.clock.now();
    const atT = async () => ({ since: now(), backup: await takeBackup(api.sql) });
    const unknown = await atT();
    const { workspaceId: id, call, callAsUser } = await busyTenant(api);
    const key = await callAsUser("POST", "/api/v1/api-keys", { name: "lost" });
    await api.settled();
    await runMove([api.databaseUrl, other.url], id, { now });
    const { since, backup } = isKnown ? await atT() : unknown;
    const there = new pg.Pool({ connectionString: other.url });
    const moveIn = () => runMove([other.url, api.databaseUrl], id, { now, name: "a" });
    try {
      const beside = await takeBackup(there);
      const moved = now();
      api.advance(60);
      await moveIn();
      const suppressed = async () =>
        (
          await api.sql.query("select value from suppressions where workspace_id = $1", [id])
        ).rows.map(({ value }) => value as string);
      const [known] = await suppressed();
      const done = [
        await call("POST", "/api/v1/suppressions", { value: "gone@example.zz" }),
        await callAsUser("DELETE", `/api/v1/api-keys/${key.body.id}`),
      ];
      expect(done.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2]);
      const statements = (await api.sql.query(endedSince(since))).rows as { format: string }[];
      const end = async () => {
        for (const { format } of statements) await api.sql.query(format);
      };
      api.advance(60);
      await backup.restore();
      await runAdmin(["restored", "--since", since.toISOString()], api.databaseUrl, now());
      // Out of turn it leaves nothing that keeps the workspace from coming.
      await end();
      expect(await suppressed()).toEqual([]);

      await beside.restore();
      await runAdmin(["restored", "--since", moved.toISOString()], other.url, now());
      await moveIn();
      expect(await suppressed()).toEqual([known]);
      await end();
      await runAdmin(["restored", "--erased"], api.databaseUrl, now());
      expect(
        (
          await api.sql.query(
            "select revoked_at is not null as revoked from api_keys where id = $1",
            [key.body.id],
          )
        ).rows,
      ).toEqual([{ revoked: true }]);
      expect((await suppressed()).toSorted()).toEqual([known, "gone@example.zz"].toSorted());
    } finally {
      await there.end();
    }
  },
);
