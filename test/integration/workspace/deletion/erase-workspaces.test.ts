import { expect, test, vi } from "vitest";
import { ERASED, KEPT } from "#db/workspace/workspace-erasure.ts";
import { restoreWorkspace } from "#db/workspace/workspace-deletion.ts";
import type { Deps } from "#src/deps.ts";
import { eraseDeletedWorkspaces, ERASURE } from "#src/domain/workspace/erase-workspaces.ts";
import { auditLedger } from "#src/domain/billing/credits/audit.ts";
import { busyTenant } from "../../../conformance/busy-tenant.ts";
import { startWholeApi } from "../../../conformance/upstreams.ts";
import type { Tenant } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { patience } from "../../../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

useApi({ start: startWholeApi });

const names = async (text: string): Promise<string[]> =>
  (await api.sql.query(text)).rows.map(({ name }) => name as string);

/** Tables in which one of the texts stands, whatever the column. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const all = await names(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  );
  const found = [];
  for (const name of all) {
    const { rowCount } = await api.sql.query(
      `select 1 from "${name}" t where exists (select 1 from unnest($1::text[]) said where t::text ilike '%' || said || '%') limit 1`,
      [texts],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found;
}

const deleteIt = async (tenant: Tenant) => {
  const reply = await tenant.callAsUser("DELETE", "/api/v1/workspace");
  if (reply.status !== 200) throw new Error(reply.text);
};

test("every table with a workspace is one that is erased, or one that stays for a reason", async () => {
  const all = await names(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1",
  );
  const known = new Set([...ERASED.map(({ table }) => table), ...Object.keys(KEPT)]);
  expect(all.filter((name) => !known.has(name))).toEqual([]);
});

test("after 30 days nothing is left but the ledger and two stubs, and the same login is somebody new", async () => {
  const tenant = await busyTenant(api);
  const neighbour = await busyTenant(api);
  const before = await tablesWith(...neighbour.marks);
  const [{ email }] = (
    await api.sql.query("select email from users where id = $1", [tenant.userId])
  ).rows;
  await deleteIt(tenant);
  api.advance(30 * 86_400 - 60);
  expect(await eraseDeletedWorkspaces(api.deps)).toBe(0);
  expect((await tablesWith(...tenant.marks)).length).toBeGreaterThan(20);
  api.advance(61);
  expect(await eraseDeletedWorkspaces(api.deps)).toBe(1);
  expect(await tablesWith(...tenant.marks)).toEqual([
    "api_keys",
    "credit_balances",
    "credit_entries",
    "payment_orders",
    "users",
    "workspaces",
  ]);
  expect(await tablesWith(email)).toEqual([]);
  const keys =
    "select name, key_prefix, revoked_at is null as works from api_keys where workspace_id = $1";
  const { rows: kept } = await api.sql.query(keys, [tenant.workspaceId]);
  expect(kept).toEqual(kept.map(() => ({ name: "", key_prefix: "", works: false })));
  const { status, body: refusal } = await tenant.call("GET", "/api/v1/templates");
  expect([status, refusal.detail]).toEqual([401, "KEY_REVOKED"]);
  const ordered = "select success_url, cancel_url from payment_orders where workspace_id = $1";
  expect((await api.sql.query(ordered, [tenant.workspaceId])).rows).toEqual([
    { success_url: "", cancel_url: "" },
  ]);
  expect(await tablesWith(...neighbour.marks)).toEqual(before);
  expect((await api.sql.query("select from raw_mails")).rowCount).toBe(1);
  expect(await restoreWorkspace(api.deps.db, tenant.workspaceId, api.deps.clock.now())).toBe(false);

  const jwt = await api.token({ subject: email.split("@")[0], email });
  const me = await api.request("/api/v1/auth/me", { headers: { authorization: `Bearer ${jwt}` } });
  const body = (await me.json()) as { workspace: { id: string; plan: string; credits: number } };
  expect(body.workspace).toMatchObject({ plan: "free", credits: 0 });
  expect(tenant.marks).not.toContain(body.workspace.id);
  await auditLedger(api.deps);
  expect((await api.sql.query("select 1 from credit_discrepancies")).rowCount).toBe(0);
});

/** The database as a worker has it that dies behind so many statements. */
function dyingAfter(statements: number): Deps {
  let left = statements;
  const count =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      if (left-- <= 0) throw new Error("died");
      return work(...args);
    };
  const { db } = api.deps;
  const dying = Object.create(db, {
    execute: { value: count(db.execute.bind(db)) },
    batch: { value: count(db.batch.bind(db)) },
  });
  return { ...api.deps, db: dying };
}

test("whoever dies wherever, the next goes on, and it ends", async () => {
  const tenant = await busyTenant(api);
  await deleteIt(tenant);
  api.advance(31 * 86_400);
  let deaths = 0;
  for (let statements = 1; ; statements += 3) {
    const end = await eraseDeletedWorkspaces(dyingAfter(statements)).catch(() => "died");
    if (end === 1) break;
    deaths += 1;
    expect(statements).toBeLessThan(300);
  }
  expect(deaths).toBeGreaterThan(5);
  expect(await tablesWith(...tenant.marks)).toEqual([
    "api_keys",
    "credit_balances",
    "credit_entries",
    "payment_orders",
    "users",
    "workspaces",
  ]);
});

test("a large workspace goes in pieces over several checks, and two at once do no harm", async () => {
  const tenant = await api.tenant();
  const rows = ERASURE.rowsAtOnce * 3;
  await api.sql.query(
    `insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     select gen_random_uuid(), $1, $2, now(), now(), n::text, n::text, 'email', 'manual' from generate_series(1, $3) n`,
    [tenant.workspaceId, tenant.userId, rows],
  );
  await deleteIt(tenant);
  api.advance(31 * 86_400);
  const whole = ERASURE.pieces;
  ERASURE.pieces = ERASED.findIndex(({ table }) => table === "suppressions") + 2;
  const left = async () =>
    (
      await api.sql.query("select count(*)::int as n from suppressions where workspace_id = $1", [
        tenant.workspaceId,
      ])
    ).rows[0].n;
  expect(await eraseDeletedWorkspaces(api.deps)).toBe(0);
  expect(await left()).toBe(rows - 2 * ERASURE.rowsAtOnce);
  ERASURE.pieces = whole;
  await Promise.all([1, 2].map(() => eraseDeletedWorkspaces(api.deps)));
  expect(await tablesWith(tenant.workspaceId)).toEqual([
    "api_keys",
    "credit_balances",
    "credit_entries",
    "workspaces",
  ]);
});
