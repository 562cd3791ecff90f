import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { auditNextPiece } from "#db/billing/credit-audit.ts";
import { auditLedger } from "#src/domain/billing/credits/audit.ts";
import { checkStatus } from "#src/domain/workspace/health/check.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import type { Tenant } from "../../../support/api.ts";
import { emptyTables } from "../../../support/empty-tables.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { meetAtRow } from "../../../support/locks.ts";
import { ledgerOf } from "../../../support/ledger.ts";

useApi();
beforeEach(() => emptyTables(api.sql, ["workspaces", "credit_audit", "credit_discrepancies"]));

const component = async () => (await checkStatus(api.deps)).components["ledger"]!;

/** What the audit says in the log. */
async function audit() {
  const lines: { event: string; fields: Record<string, unknown> }[] = [];
  const hear = (event: string, fields = {}) => void lines.push({ event, fields });
  await auditLedger({ ...api.deps, log: { info: hear, error: hear } });
  return lines;
}

async function busyTenant(): Promise<Tenant> {
  const tenant = await api.tenant({ credits: 10 });
  const ledger = ledgerOf(api, tenant);
  const refs = Array.from({ length: 4 }, () => randomUUID());
  await ledger.hold(refs);
  await ledger.end(refs.slice(0, 2), true);
  await ledger.end(refs.slice(2, 3), false);
  return tenant;
}

test("a ledger in order is healthy, and the status page says when it was audited", async () => {
  await busyTenant();
  expect(await component()).toMatchObject({
    status: "healthy",
    detail: "no audit is complete yet",
  });
  await fullCheck(api.deps);
  await api.settled();
  const at = api.deps.clock.now().toISOString().slice(0, 10);
  expect(await component()).toMatchObject({
    status: "healthy",
    detail: expect.stringContaining(`last audit ${at}`),
  });
  const fields = { workspaces: 1, entries: 8, wrong: 0, round_complete: true };
  expect(await audit()).toEqual([{ event: "ledger_audited", fields }]);
});

const falsifications = {
  "a balance": "update credit_balances set available = available + 1 where workspace_id = $1",
  "an entry":
    "update credit_entries set available_delta = 11 where workspace_id = $1 and kind = 'grant'",
  "an entry that is gone":
    "delete from credit_entries where workspace_id = $1 and kind = 'release'",
  "what is owed": "update credit_balances set owed = 1 where workspace_id = $1",
  "the amount of a hold": "update credit_holds set amount = 2 where workspace_id = $1",
  "a hold that is gone": "delete from credit_holds where workspace_id = $1",
  "a balance that is gone": "delete from credit_balances where workspace_id = $1",
};

for (const [what, falsify] of Object.entries(falsifications))
  test(`the audit finds ${what} that was falsified, says so in the log, and the status page is degraded`, async () => {
    await busyTenant();
    const { workspaceId } = await busyTenant();
    await api.sql.query(falsify, [workspaceId]);
    const found = (await audit()).filter(({ event }) => event === "ledger_discrepancy");
    expect(found.map(({ fields }) => fields["workspace_id"])).toEqual([workspaceId]);
    const { status, detail } = await component();
    expect(status).toBe("degraded");
    expect(detail).toContain("1 workspace's balance is not the sum");
    expect(detail).toContain("docs/design/credits.md");
    expect(detail).not.toContain(workspaceId);
  });

test("what adds up again is healthy again after the next audit", async () => {
  const { workspaceId } = await busyTenant();
  const change = (by: number) =>
    api.sql.query("update credit_balances set available = available + $2 where workspace_id = $1", [
      workspaceId,
      by,
    ]);
  await change(3);
  await audit();
  const { rows } = await api.sql.query("select available_off, held_off from credit_discrepancies");
  expect(rows).toEqual([{ available_off: "3", held_off: "0" }]);
  await change(-3);
  await audit();
  expect((await component()).status).toBe("healthy");
});

test("an audit in pieces goes on where it ended, comes round, and reports what it found before it has", async () => {
  const tenants = [];
  for (let count = 0; count < 5; count++) tenants.push((await busyTenant()).workspaceId);
  const first = tenants.toSorted()[0]!;
  await api.sql.query("update credit_balances set held = held + 1 where workspace_id = $1", [
    first,
  ]);
  const piece = () => auditNextPiece(api.deps.db, api.deps.clock.now(), 2);
  expect(await piece()).toMatchObject({ workspaces: 2, entries: 16, wrong: 1, isLast: false });
  expect((await component()).status).toBe("degraded");
  expect(await piece()).toMatchObject({ workspaces: 2, wrong: 0, isLast: false });
  expect(await piece()).toMatchObject({ workspaces: 1, wrong: 0, isLast: true });
  expect(await piece()).toMatchObject({ workspaces: 2, wrong: 1, isLast: false });
});

test("auditors at once share the work: none audits what another has just audited", async () => {
  await audit();
  for (let count = 0; count < 6; count++) await busyTenant();
  await api.sql.query("update credit_balances set owed = 1");
  const piece = () => auditNextPiece(api.deps.db, api.deps.clock.now(), 2);
  const lock = "select from credit_audit for update";
  const pieces = await meetAtRow(api.sql, lock, [], [piece, piece, piece]);
  expect(pieces).toMatchObject([{ wrong: 2 }, { wrong: 2 }, { wrong: 2 }]);
  const { rows } = await api.sql.query("select count(*)::int as found from credit_discrepancies");
  expect(rows[0].found).toBe(6);
});

test("an audit beside busy spenders never mistakes a move under way for a discrepancy", async () => {
  const ledgers = await Promise.all(
    [1, 2, 3].map(async () => ledgerOf(api, await api.tenant({ credits: 100 }))),
  );
  let spending = true;
  const spend = async (ledger: (typeof ledgers)[number]) => {
    for (let turn = 0; turn < 40; turn++) {
      const refs = [randomUUID(), randomUUID()];
      await ledger.hold(refs);
      await ledger.end(refs, turn % 2 === 0);
    }
  };
  const auditors = [1, 2].map(async () => {
    let wrong = 0;
    while (spending) wrong += (await auditNextPiece(api.deps.db, api.deps.clock.now(), 2)).wrong;
    return wrong;
  });
  await Promise.all(ledgers.map(spend)).finally(() => (spending = false));
  expect(await Promise.all(auditors)).toEqual([0, 0]);
});

test("an audit that does not come round for a day is said", async () => {
  await busyTenant();
  await audit();
  api.advance(25 * 3600);
  expect(await component()).toMatchObject({
    status: "degraded",
    detail: expect.stringContaining("does not come round"),
  });
  await audit();
  expect((await component()).status).toBe("healthy");
});
