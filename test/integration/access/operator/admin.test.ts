import { spawn } from "node:child_process";
import * as path from "node:path";
import { expect, test } from "vitest";
import { auditLedger } from "#src/domain/billing/credits/audit.ts";
import { activeCampaign } from "../../../support/campaigns.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { type Tenant } from "../../../support/api.ts";
import { api, query, useApi } from "../../../support/use-api.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
useApi();

/** What the script does, in this process; a refusal is its sentence. */
const admin = (words: string[]) =>
  runAdmin(words, api.databaseUrl).then(
    (out) => ({ code: 0, out, err: "" }),
    (error: Error) => ({ code: 1, out: "", err: error.message }),
  );

/** The script as an operator runs it. */
function spawned(words: string[], env: Record<string, string> = { DATABASE_URL: api.databaseUrl }) {
  const inherited = { PATH: process.env["PATH"]! };
  const child = spawn(process.execPath, ["scripts/admin.ts", ...words], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.err += chunk));
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, ...said })),
  );
}

const emailOf = async ({ userId }: Tenant): Promise<string> =>
  (await query`select email from users where id = ${userId}`)[0].email;
const balanceOf = async (tenant: Tenant) =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body;

test("a workspace is found by its user's address, put on a plan, and given credits once for a reference", async () => {
  const tenant = await api.tenant({ plan: "free", credits: 0 });
  const email = await emailOf(tenant);
  const found = await admin(["find", email.toUpperCase()]);
  expect(found.code).toBe(0);
  expect(found.out).toContain(tenant.workspaceId);

  expect((await admin(["plan", email, "paid"])).code).toBe(0);
  const grant = ["grant", tenant.workspaceId, "500", "--reference", "invoice-7"];
  const [once, twice] = [await admin(grant), await admin(grant)];
  expect([once.code, once.out]).toEqual([0, expect.stringContaining("500 credits granted")]);
  expect([twice.code, twice.out]).toEqual([0, expect.stringContaining("nothing was moved")]);
  expect(await balanceOf(tenant)).toEqual({ available: 500, held: 0, owed: 0, plan: "paid" });

  const other = await admin(["grant", tenant.workspaceId, "900", "--reference", "invoice-7"]);
  expect([other.code, other.err]).toEqual([1, expect.stringContaining("used before, for 500")]);
  const { items } = (await tenant.call("GET", "/api/v1/payments/ledger")).body;
  expect(items).toMatchObject([{ kind: "grant", ref_type: "operator", ref_id: "invoice-7" }]);
  await auditLedger(api.deps);
  expect((await api.sql.query("select 1 from credit_discrepancies")).rowCount).toBe(0);
});

test("of several who grant by one reference at once one does", async () => {
  const tenant = await api.tenant({ credits: 0 });
  const grant = ["grant", tenant.workspaceId, "10", "--reference", "once"];
  const all = await Promise.all([1, 2, 3].map(() => admin(grant)));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await balanceOf(tenant)).available).toBe(10);
});

test("a page of a workspace has plan, credits and campaigns by status; a deleted one can be restored", async () => {
  const tenant = await api.tenant({ credits: 7 });
  await activeCampaign(api, tenant);
  const page = await admin(["show", await emailOf(tenant)]);
  expect(page.out).toMatch(/^Plan {7}paid$/m);
  expect(page.out).toMatch(/^Credits {4}7 available, 0 held, 0 owed$/m);
  expect(page.out).toMatch(/^Campaigns {2}active 1$/m);

  expect((await admin(["restore", tenant.workspaceId])).err).toContain("is not deleted");
  await tenant.callAsUser("DELETE", "/api/v1/workspace");
  expect((await admin(["show", tenant.workspaceId])).out).toContain("can be restored until");
  const granted = await admin(["grant", tenant.workspaceId, "1", "--reference", "late"]);
  expect([granted.code, granted.err]).toEqual([1, expect.stringContaining("restore it first")]);
  expect((await admin(["restore", tenant.workspaceId])).code).toBe(0);
  expect((await tenant.callAsUser("GET", "/api/v1/workspace")).status).toBe(200);
  expect((await admin(["show", tenant.workspaceId])).out).toMatch(/^Campaigns {2}paused 1$/m);
});

test("plan and grant are refused where a workspace does not live, or is being moved, and say where it is", async () => {
  const tenant = await api.tenant({ plan: "free", credits: 3 });
  const orders = [
    ["plan", tenant.workspaceId, "paid"],
    ["grant", tenant.workspaceId, "5", "--reference", "elsewhere"],
  ];
  for (const [frozenAt, sentence] of [
    [null, "lives in b"],
    [new Date("2026-01-02T03:04:05Z"), "being moved, to b, since 2026-01-02T03:04:05"],
  ] as const) {
    await query`update workspaces set cell = 'b', frozen_at = ${frozenAt} where id = ${tenant.workspaceId}`;
    for (const order of orders)
      expect(await admin(order)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
  }
  await query`update workspaces set cell = null, frozen_at = null where id = ${tenant.workspaceId}`;
  expect(await balanceOf(tenant)).toMatchObject({ available: 3, plan: "free" });
});

const nobody = "0191f000-0000-7000-8000-000000000000";
test.each([
  [[], "Say what to do"],
  [["sell"], "There is no command sell"],
  [["toString"], "There is no command toString"],
  [["find"], "wants the email address"],
  [["find", "nobody@example.zz"], "No user has the address"],
  [["show", nobody], "There is no workspace"],
  [["plan", nobody, "gold"], "free or paid"],
  [["grant", nobody, "5", "--reference", "x"], "There is no workspace"],
  [["show", "--colour"], "Unknown option"],
])("%j is refused in a sentence, with 1", async (words, sentence) => {
  const { code, out, err } = await admin(words);
  expect([code, out, err]).toEqual([1, "", expect.stringContaining(sentence)]);
});

test("amounts and references are read strictly", async () => {
  const { workspaceId } = await api.tenant({ credits: 0 });
  for (const amount of ["0", "-5", "1e3", "99999999", "5.5", ""])
    expect((await admin(["grant", "--reference", "x", "--", workspaceId, amount])).code).toBe(1);
  expect((await admin(["grant", workspaceId, "5"])).err).toContain("--reference");
  const rows =
    await query`select available from credit_balances where workspace_id = ${workspaceId}`;
  expect(rows).toEqual([{ available: 0 }]);
});

test("help needs no database; without one, or with one that is gone, it says so", async () => {
  // Side by side: each start of the script costs seconds on a busy machine.
  const { workspaceId } = await api.tenant();
  const [help, found, without, gone] = await Promise.all([
    spawned(["--help"], {}),
    spawned(["show", workspaceId]),
    spawned(["find", "a@b.zz"], { OVERTURE_LOCAL: "/nowhere" }),
    spawned(["find", "a@b.zz"], { DATABASE_URL: "postgres://x:y@127.0.0.1:9/z" }),
  ]);
  expect([help.code, help.out]).toEqual([0, expect.stringContaining("restore WORKSPACE")]);
  expect(found).toEqual({ code: 0, out: expect.stringContaining(workspaceId), err: "" });
  expect([without.code, without.err]).toEqual([1, expect.stringContaining("DATABASE_URL")]);
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
});
