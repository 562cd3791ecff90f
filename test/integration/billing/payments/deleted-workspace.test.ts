import { afterEach, beforeEach, expect, test } from "vitest";
import { restoreWorkspace } from "#db/workspace/workspace-deletion.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { deleteWorkspace, stopDeletedWorkspaces } from "#src/domain/workspace/delete-workspace.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { attendToOrder } from "#src/domain/billing/payments/attend.ts";
import { purchaseCredits } from "#src/domain/billing/payments/purchase.ts";
import { reconcilePayments } from "#src/domain/billing/payments/reconcile.ts";
import type { Tenant } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { connectWebhook, ledgerOf, purchase } from "../../../support/payments.ts";

let tenant: Tenant;
useApi();
beforeEach(async () => {
  tenant = await api.tenant({ plan: "free", credits: 0 });
  api.payments.sendEventsTo(null);
  await api.sql.query("update payment_orders set check_at = null");
});
afterEach(() => api.payments.faults.clear());

const QUARTER = 15 * 60;
const HOUR = 4 * QUARTER;

const principal = (): Principal => {
  const { workspaceId, userId } = tenant;
  return {
    workspaceId,
    userId,
    plan: "free",
    role: "owner",
    via: "jwt",
    actor: "jwt:of a test",
    scopes: null,
    confirm: "human",
  };
};

const opened = async (more = {}): Promise<string> => (await purchase(tenant, more)).body.session_id;

async function deletes(): Promise<void> {
  await deleteWorkspace(api.deps, principal());
  await api.settled();
}

/** A button at Stripe, of which nobody tells us unless events are sent on; the answer's status. */
async function press(path: string, body: unknown = {}): Promise<number> {
  const reply = await fetch(`${api.payments.url}/api/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  await api.payments.idle();
  return reply.status;
}

interface AtStripe {
  id: string;
  status: string;
  charges: {
    id: string;
    refunds: { id: string; total: string; status: string }[];
    disputes: { id: string }[];
  }[];
}

/** What Stripe has of the session: its page, and the money that came and went. */
async function atStripe(session: string): Promise<AtStripe> {
  const reply = await fetch(`${api.payments.url}/api/payments`);
  const { payments } = (await reply.json()) as { payments: AtStripe[] };
  return payments.find(({ id }) => id === session)!;
}
const refundsOf = async (session: string) =>
  (await atStripe(session)).charges.flatMap(({ refunds }) => refunds);

async function orderOf(session: string) {
  const { rows } = await api.sql.query(
    "select status, check_at from payment_orders where session_id = $1",
    [session],
  );
  return rows[0];
}

const check = async (afterSeconds: number) => {
  api.advance(afterSeconds);
  await reconcilePayments(api.deps);
};
const NOTHING = { available: 0, held: 0, owed: 0 };
const BOUGHT = { available: 1000, held: 0, owed: 0 };
const WHOLE = [{ total: "$19.00", status: "succeeded" }];

test("a deleted workspace's page is expired: nobody can pay it any more", async () => {
  const sessions = [await opened(), await opened({ cancel_url: "https://app.test/other" })];
  await deletes();
  for (const session of sessions) {
    expect((await atStripe(session)).status).toBe("expired");
    expect(await press(`sessions/${session}/pay`)).toBe(422);
    expect(await orderOf(session)).toMatchObject({ status: "expired", check_at: null });
  }
});

test("with Stripe gone the deletion succeeds, and the page is expired by the next check", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  expect((await atStripe(session)).status).toBe("open");
  api.advance(QUARTER);
  await fullCheck(api.deps);
  await api.settled();
  expect((await atStripe(session)).status).toBe("expired");
});

test("what is paid between deletion and expiry goes back whole, once, however often the webhook comes", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  api.payments.faults.order("event_twice", 1);
  connectWebhook(api);
  expect(await press(`sessions/${session}/pay`)).toBe(200);
  await Promise.all([1, 2, 3].map(() => check(QUARTER)));
  await api.payments.idle();
  await check(HOUR);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
  expect(await ledgerOf(api, tenant)).toEqual(NOTHING);
});

test("a payment of which nobody tells is found within an hour and goes back, however old the order", async () => {
  const session = await opened();
  api.advance(10 * HOUR);
  api.payments.faults.order("down", 2);
  await deletes();
  // The expiry of the next check fails as well.
  api.payments.faults.order("down", 2);
  await check(QUARTER);
  expect(await press(`sessions/${session}/pay`)).toBe(200);
  for (let quarter = 0; quarter < 4; quarter++) await check(QUARTER);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
  expect(await ledgerOf(api, tenant)).toEqual(NOTHING);
});

test("what a bank settles days after the deletion goes back", async () => {
  const session = await opened();
  expect(await press(`sessions/${session}/pay-later`)).toBe(200);
  await deletes();
  expect(await orderOf(session)).toMatchObject({ status: "open" });
  api.advance(3 * 24 * HOUR);
  connectWebhook(api);
  await api.payments.idle();
  expect(await press(`sessions/${session}/settle`, { outcome: "succeeded" })).toBeOneOf([200, 422]);
  await check(QUARTER);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
});

test("a refund whose answer was lost, or whose worker died behind it, is not made again", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  await press(`sessions/${session}/pay`);
  const { payments } = api.deps;
  const dying: Deps = {
    ...api.deps,
    payments: {
      ...payments!,
      refund: async (order) => {
        await payments!.refund(order);
        throw new Error("the worker is gone");
      },
    },
  };
  api.advance(QUARTER);
  await reconcilePayments(dying);
  expect(await refundsOf(session)).toHaveLength(1);
  expect(await ledgerOf(api, tenant)).toEqual(BOUGHT);
  await check(HOUR);
  await check(HOUR);
  expect(await refundsOf(session)).toHaveLength(1);
  expect(await ledgerOf(api, tenant)).toEqual(NOTHING);
});

test("several who come upon it at once make one refund", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  connectWebhook(api);
  await press(`sessions/${session}/pay`);
  const { rows } = await api.sql.query("select id from payment_orders where session_id = $1", [
    session,
  ]);
  const attend = () => attendToOrder(api.deps, api.deps.payments!, rows[0].id);
  await Promise.allSettled([1, 2, 3, 4].map(attend));
  await check(HOUR);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
  expect(await ledgerOf(api, tenant)).toEqual(NOTHING);
});

test("an error that Stripe repeats for a day puts the refund off, and keeps no other order waiting", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  connectWebhook(api);
  await press(`sessions/${session}/pay`);
  api.payments.sendEventsTo(null);
  const other = await api.tenant({ plan: "free", credits: 0 });
  const { session_id: theirs } = (await purchase(other)).body;
  await press(`sessions/${theirs}/pay`);
  api.payments.faults.order("server_error_kept", 1);
  await check(QUARTER);
  expect(await refundsOf(session)).toEqual([]);
  expect(await ledgerOf(api, other)).toEqual(BOUGHT);
  for (let hour = 0; hour < 26; hour++) await check(HOUR);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
});

test("restored before the money went back, it keeps what it bought; a page that is still open can be paid", async () => {
  const [paid, open] = [await opened(), await opened({ cancel_url: "https://app.test/other" })];
  api.payments.faults.order("down", 2);
  await deletes();
  connectWebhook(api);
  await press(`sessions/${paid}/pay`);
  const now = () => api.deps.clock.now();
  expect(await restoreWorkspace(api.deps.db, tenant.workspaceId, now())).toBe(true);
  await press(`sessions/${open}/pay`);
  await check(HOUR);
  expect([await refundsOf(paid), await refundsOf(open)]).toEqual([[], []]);
  expect(await ledgerOf(api, tenant)).toEqual({ ...BOUGHT, available: 2000 });
  // What it bought while it was in use is not for another deletion to give back.
  await deletes();
  await check(HOUR);
  await check(HOUR);
  expect([await refundsOf(paid), await refundsOf(open)]).toEqual([[], []]);
});

test("what was bought and granted before the deletion stays as it is", async () => {
  connectWebhook(api);
  const session = await opened();
  await press(`sessions/${session}/pay`);
  await deletes();
  for (let hour = 0; hour < 3; hour++) await check(HOUR);
  expect(await refundsOf(session)).toEqual([]);
  expect(await ledgerOf(api, tenant)).toEqual(BOUGHT);
});

test("a refund that the bank sends back is not made again, and is said", async () => {
  const lines: string[] = [];
  api.onLog((line) => lines.push(line));
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  connectWebhook(api);
  await press(`sessions/${session}/pay`);
  await check(QUARTER);
  const [refund] = await refundsOf(session);
  await press(`refunds/${refund!.id}/fail`);
  for (let hour = 0; hour < 30; hour++) await check(HOUR);
  expect(await refundsOf(session)).toHaveLength(1);
  expect(lines.filter((line) => line.includes("payment_mismatch")).join()).toContain(
    "did not arrive",
  );
});

test("a dispute that is won brings money back, which then goes back", async () => {
  const session = await opened();
  api.payments.faults.order("down", 2);
  await deletes();
  connectWebhook(api);
  await press(`sessions/${session}/pay`);
  const { charges } = await atStripe(session);
  await press(`charges/${charges[0]!.id}/dispute`);
  await check(QUARTER);
  expect(await refundsOf(session)).toEqual([]);
  const [charge] = (await atStripe(session)).charges;
  await press(`disputes/${charge!.disputes[0]!.id}/close`, { status: "won" });
  await check(QUARTER);
  expect(await refundsOf(session)).toMatchObject(WHOLE);
  expect(await ledgerOf(api, tenant)).toEqual(NOTHING);
});

const ORDER = {
  packId: "starter",
  successUrl: "https://app.test/paid",
  cancelUrl: "https://app.test/",
} as const;

test("a purchase that was let in before the deletion opens no page behind it", async () => {
  await deletes();
  await expect(purchaseCredits(api.deps, principal(), ORDER)).rejects.toThrow("changed by others");
  const { rows } = await api.sql.query("select 1 from payment_orders where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(rows).toEqual([]);
});

test("a page that Stripe makes while the workspace is deleted is given to nobody, and expired", async () => {
  const payments = api.deps.payments!;
  let session = "";
  const meanwhile: Deps = {
    ...api.deps,
    payments: {
      ...payments,
      async createSession(checkout) {
        await deletes();
        const made = await payments.createSession(checkout);
        session = made.id;
        return made;
      },
    },
  };
  await expect(purchaseCredits(meanwhile, principal(), ORDER)).rejects.toThrow("changed by others");
  await api.settled();
  expect((await atStripe(session)).status).toBe("expired");
});

test("purchases and deletions at once leave no page that can be paid for nothing", async () => {
  for (let round = 0; round < 5; round++) {
    tenant = await api.tenant({ plan: "free", credits: 0 });
    const urls = [1, 2, 3, 4].map((each) => ({ cancel_url: `https://app.test/${each}` }));
    const buying = Promise.all(urls.map((url) => purchase(tenant, url)));
    const [replies] = await Promise.all([buying, deletes()]);
    await api.settled();
    await check(QUARTER);
    for (const reply of replies)
      if (reply.status === 200)
        expect((await atStripe(reply.body.session_id)).status).toBe("expired");
    const { rows } = await api.sql.query(
      "select status from payment_orders where workspace_id = $1 and (status = 'open' or closed_at is null)",
      [tenant.workspaceId],
    );
    expect(rows).toEqual([]);
  }
});

test("an order that an older release left open in a deleted workspace is closed by the full check", async () => {
  const session = await opened();
  await api.sql.query("update workspaces set deleted_at = $2 where id = $1", [
    tenant.workspaceId,
    api.deps.clock.now(),
  ]);
  await api.sql.query("update api_keys set revoked_at = created_at where workspace_id = $1", [
    tenant.workspaceId,
  ]);
  expect(await stopDeletedWorkspaces(api.deps)).toBe(1);
  await check(1);
  expect((await atStripe(session)).status).toBe("expired");
  expect(await stopDeletedWorkspaces(api.deps)).toBe(0);
});
