import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listDueDomains } from "#db/senders/domain-checks.ts";
import { restoreWorkspace } from "#db/workspace/workspace-deletion.ts";
import { deleteWorkspace, stopDeletedWorkspaces } from "#src/domain/workspace/delete-workspace.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { bounceMail, complaintMail, postMail, rawMail } from "../../../support/incoming.ts";
import type { Tenant } from "../../../support/api.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();

const deletes = (who: Tenant) => who.callAsUser("DELETE", "/api/v1/workspace");
const rowsOf = async (text: string, ...params: unknown[]) =>
  (await sending.api.sql.query(text, params)).rows;

test("a key cannot delete the workspace; the login can, and both stand for nothing from then on", async () => {
  expect((await tenant.call("DELETE", "/api/v1/workspace")).body.detail).toBe("JWT_REQUIRED");
  const reply = await deletes(tenant);
  expect([reply.status, reply.body]).toEqual([200, { success: true }]);
  const withKey = await tenant.call("GET", "/api/v1/workspace");
  expect([withKey.status, withKey.body.detail]).toEqual([401, "KEY_REVOKED"]);
  for (const [method, path] of [
    ["GET", "/api/v1/workspace"],
    ["POST", "/api/v1/templates"],
    ["DELETE", "/api/v1/workspace"],
  ] as const) {
    const withLogin = await tenant.callAsUser(method, path);
    expect([withLogin.status, withLogin.body.detail]).toEqual([401, "WORKSPACE_DELETED"]);
  }
});

test("nothing of a campaign begins after the answer, however the deletion meets the engine", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 60, aliases: 20 });
  const ticks = [sending.tick(), sending.tick()];
  await deletes(tenant);
  const at = sending.api.deps.clock.now();
  await Promise.all(ticks);
  sending.api.advance(3_600);
  await sending.tick();
  const late = await rowsOf(
    "select id from sends where campaign_id = $1 and transmitting_at > $2",
    campaignId,
    at,
  );
  expect(late).toEqual([]);
  const [campaign] = await rowsOf(
    "select status, paused_from from campaigns where id = $1",
    campaignId,
  );
  expect(campaign).toEqual({ status: "paused", paused_from: "active" });
  expect(
    await rowsOf(
      "select id from sender_lanes where workspace_id = $1 and open",
      tenant.workspaceId,
    ),
  ).toEqual([]);
});

test("a campaign that a faster request lets run again sends nothing, and is stopped by the next full check", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 3, aliases: 3 });
  await deletes(tenant);
  await sending.api.sql.query(
    "update campaigns set status = 'active', paused_from = null, paused_reason = null where id = $1",
    [campaignId],
  );
  await sending.tick();
  expect(await sending.mailbox.messages({})).toEqual([]);
  expect(await stopDeletedWorkspaces(sending.api.deps)).toBe(1);
  expect(await rowsOf("select status from campaigns where id = $1", campaignId)).toEqual([
    { status: "paused" },
  ]);
  expect(await stopDeletedWorkspaces(sending.api.deps)).toBe(0);
});

test("single emails that wait are cancelled, one that is put in behind it is not sent, and credits come back", async () => {
  const { aliasIds } = await sending.campaign(tenant, { leads: 1 });
  const send = (to_email: string, more = {}) =>
    tenant.call("POST", "/api/v1/mailer/emails", {
      alias_id: aliasIds[0],
      to_email,
      subject: "Hello",
      body: "Hello there",
      ...more,
    });
  const queued = await send("queued@example.zz");
  const later = new Date(sending.api.deps.clock.now().getTime() + 86_400_000).toISOString();
  const scheduled = await send("scheduled@example.zz", { send_at: later });
  await tenant.call("POST", "/api/v1/email-finder/verify", { email: "who@example.zz" });
  await deletes(tenant);
  const states = await rowsOf(
    "select state, attachments from emails where workspace_id = $1",
    tenant.workspaceId,
  );
  expect(states).toEqual([
    { state: "cancelled", attachments: [] },
    { state: "cancelled", attachments: [] },
  ]);
  // As a request that was let in before the deletion would leave one.
  await sending.api.sql.query("update emails set state = 'queued' where id = $1", [queued.body.id]);
  sending.api.advance(2 * 86_400);
  await fullCheck(sending.api.deps);
  await sending.api.settled();
  expect(scheduled.status).toBe(202);
  expect(await sending.mailbox.messages({})).toEqual([]);
  const [balance] = await rowsOf(
    "select available, held from credit_balances where workspace_id = $1",
    tenant.workspaceId,
  );
  expect(balance).toEqual({ available: 1000, held: 0 });
  expect(
    await rowsOf(
      "select status from verification_jobs where workspace_id = $1",
      tenant.workspaceId,
    ),
  ).toEqual([{ status: "failed" }]);
});

test("once it is marked it is deleted, and the next full check does what its request did not come to", async () => {
  await sending.campaign(tenant, { leads: 2, aliases: 2 });
  const { deps } = sending.api;
  let batches = 0;
  const batch: typeof deps.db.batch = (statements) => {
    batches += 1;
    return batches === 1 ? deps.db.batch(statements) : Promise.reject(new Error("gone"));
  };
  const losing = { ...deps, db: Object.create(deps.db, { batch: { value: batch } }) };
  const { workspaceId, userId } = tenant;
  await deleteWorkspace(losing, {
    workspaceId,
    userId,
    plan: "paid",
    role: "owner",
    via: "jwt",
    actor: "jwt:of a test",
    scopes: null,
    confirm: "human",
  });
  const open = "select id from sender_lanes where workspace_id = $1 and open";
  expect(await rowsOf(open, workspaceId)).toHaveLength(2);
  await sending.tick();
  expect(await sending.mailbox.messages({})).toEqual([]);
  await fullCheck(deps);
  expect(await rowsOf(open, workspaceId)).toEqual([]);
});

test("nobody looks at its domains any more, which would let its senders send again", async () => {
  const { body } = await tenant.call("POST", "/api/v1/mailer/domains", {
    domain: `${randomUUID().slice(0, 8)}.example.com`,
  });
  const { db, clock } = sending.api.deps;
  const due = async () => {
    const now = new Date(clock.now().getTime() + 1000);
    const bounds = { verifiedBefore: now, othersBefore: now, freshSince: now };
    return (await listDueDomains(db, bounds, 1_000)).map(({ id }) => id);
  };
  expect(await due()).toContain(body.id);
  await deletes(tenant);
  expect(await due()).not.toContain(body.id);
});

test("links in mail that was sent work, and what comes back is taken and kept nowhere", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 2, aliases: 2 });
  await sending.tick();
  const [first, second] = await sending.sendsOf(campaignId);
  await deletes(tenant);
  const tokens = createTrackTokens(sending.api.deps.settings.trackingSecrets);
  const link = await tokens.sign({ kind: "unsubscribe", sendId: first.id });
  const reply = await sending.api.request(`/u/${link}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(reply.status).toBe(200);
  const reasons = "select reason from suppressions where workspace_id = $1";
  expect(await rowsOf(reasons, tenant.workspaceId)).toEqual([{ reason: "unsubscribe" }]);

  const secret = `secret words ${randomUUID()}`;
  const raw = rawMail({
    from: "lead2@example.zz",
    to: "me@sender.zz",
    headers: [`In-Reply-To: ${second.message_id}`],
    body: secret,
  });
  const taken = await postMail(sending.api, raw, "me@sender.zz");
  expect(taken.status).toBe(200);
  expect(
    await rowsOf(
      "select 1 from conversation_messages where workspace_id = $1 and direction = 'in'",
      tenant.workspaceId,
    ),
  ).toEqual([]);
  expect(await rowsOf("select 1 from inbound_mails")).toEqual([]);
});

test("a bounce and a complaint are taken as well, and kept nowhere", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 2, aliases: 2 });
  await sending.tick();
  const [first, second] = (await sending.sendsOf(campaignId)).map(({ message_id: id }) =>
    id.replace(/[<>]/g, ""),
  );
  await deletes(tenant);
  const to = "me@sender.zz";
  const bounce = { status: "5.1.1", diagnostic: "550 5.1.1 User unknown" };
  for (const raw of [
    bounceMail({ ...bounce, to, recipient: "lead1@example.zz", originalMessageId: first }),
    complaintMail(to, second),
  ])
    expect((await postMail(sending.api, raw, to)).status).toBe(200);
  for (const table of ["suppressions", "inbound_mails", "outbox", "conversation_messages"])
    expect([
      table,
      await rowsOf(`select 1 from ${table} where workspace_id = $1`, tenant.workspaceId),
    ]).toEqual([table, []]);
});

test("within 30 days it can be restored: campaigns go on by a resume, keys stay revoked", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 2, aliases: 2 });
  await deletes(tenant);
  sending.api.advance(29 * 86_400);
  await fullCheck(sending.api.deps);
  await sending.api.settled();
  const { db, clock } = sending.api.deps;
  expect(await restoreWorkspace(db, tenant.workspaceId, clock.now())).toBe(true);
  expect(await restoreWorkspace(db, tenant.workspaceId, clock.now())).toBe(false);
  const [{ email }] = await rowsOf("select email from users where id = $1", tenant.userId);
  const jwt = await sending.api.token({ subject: email.split("@")[0], email });
  const mine = await sending.api.request("/api/v1/workspace", {
    headers: { authorization: `Bearer ${jwt}` },
  });
  expect([mine.status, ((await mine.json()) as { id: string }).id]).toEqual([
    200,
    tenant.workspaceId,
  ]);
  expect((await tenant.call("GET", "/api/v1/workspace")).body.detail).toBe("KEY_REVOKED");
  const [alias] = await rowsOf(
    "select open from sender_lanes where workspace_id = $1",
    tenant.workspaceId,
  );
  expect(alias).toEqual({ open: true });
  expect(await rowsOf("select status from campaigns where id = $1", campaignId)).toEqual([
    { status: "paused" },
  ]);
});
