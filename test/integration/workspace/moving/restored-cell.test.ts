/** A cell that was put back to before a workspace left it has the workspace, too: the other cell's word counts. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { residenceOf } from "#db/workspace/moving/state.ts";
import { busyTenant } from "../../../conformance/busy-tenant.ts";
import { startWholeApi } from "../../../conformance/upstreams.ts";
import { takeBackup } from "../../../support/backup.ts";
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
