/** What ended since the hour that a database is put back to: people who left, keys, campaigns. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runAdmin } from "../../../scripts/admin/run.ts";
import { deleteAccount, retireAccount } from "#db/network/accounts.ts";
import { endedSince, takeBackup } from "../../support/backup.ts";
import { insertAccount } from "../../support/network-accounts.ts";
import { POSTS } from "../../support/posts.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const INVITATIONS = "/api/v1/workspace/invitations";
const query = queryOf(() => sending.api.sql);
const now = () => sending.api.deps.clock.now();
const admin = (...words: string[]) =>
  runAdmin(["restored", ...words], sending.api.databaseUrl, now());

async function withFile(lines: string, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "overture-gone-"));
  const file = join(folder, "addresses.txt");
  await writeFile(file, lines);
  await use(file).finally(() => rm(folder, { recursive: true }));
}

/** As the page says: what ended is asked of the old database, and done again in the restored one. */
async function restore(backup: Awaited<ReturnType<typeof takeBackup>>, since: Date): Promise<void> {
  const { sql } = sending.api;
  const statements = (await sql.query(endedSince(since))).rows as { format: string }[];
  await backup.restore();
  await admin("--since", since.toISOString());
  for (const { format } of statements) await sql.query(format);
}

test("addresses from an archive are suppressed where they are known, and nowhere else", async () => {
  const stranger = await sending.api.tenant();
  await sending.campaign(tenant, { leads: 2 });
  await withFile(" Lead1@Example.zz\nnobody@example.zz\n\n", async (file) => {
    const says =
      "Suppressed 1 times, in each workspace that knows the address; of 1 addresses none";
    expect(await admin("--suppress", file)).toContain(says);
    expect(await admin("--suppress", file)).toContain(says);
  });
  const rows =
    await query`select value, reason from suppressions where workspace_id = any(${[tenant.workspaceId, stranger.workspaceId]}) and value like '%1@example.zz'`;
  expect(rows).toEqual([{ value: "lead1@example.zz", reason: "manual" }]);
  await withFile("lead2@example.zz\nnot an address\n", async (file) => {
    await expect(admin("--suppress", file)).rejects.toThrow('"not an address" is no address');
  });
  expect(await query`select 1 from suppressions where value = 'lead2@example.zz'`).toEqual([]);
});

test("what the old database says has ended ends in the restored one, and the erased are erased again", async () => {
  const { api } = sending;
  const { campaignId, campaignLeadIds, aliasIds } = await sending.campaign(tenant, { leads: 6 });
  const path = `/api/v1/campaigns/${campaignId}`;
  const mail = await tenant.call("POST", "/api/v1/mailer/emails", {
    alias_id: aliasIds[0],
    to_email: "friend@example.zz",
    subject: "Hello",
    body: "Hello",
    send_at: new Date(now().getTime() + 86_400_000).toISOString(),
  });
  const key = await tenant.callAsUser("POST", "/api/v1/api-keys", { name: "lost" });
  const [{ id: left }] =
    await query`insert into users (id, created_at, updated_at) values (gen_random_uuid(), ${now()}, ${now()}) returning id`;
  await query`insert into workspace_members values (${tenant.workspaceId}, ${left}, 'admin', ${now()})`;
  const later = (await sending.campaign(tenant, { leads: 1 })).campaignId;
  await query`update campaigns set status = 'scheduled', start_date = ${new Date(now().getTime() + 86_400_000)}, launched_at = null where id = ${later}`;
  const drained = (await sending.campaign(tenant, { leads: 1 })).campaignId;
  await query`update workspaces set owner_user_id = ${left} where id = ${tenant.workspaceId}`;
  await query`insert into prospects (profile_url, profile_key, full_name, quality, tag_ids, created_at, updated_at)
    values ('https://de.in/gone', 'de.in/gone', 'Anna', 0, '{}', ${now()}, ${now()})`;
  const since = now();
  const backup = await takeBackup(api.sql);

  api.advance(60);
  const done = [
    await tenant.call("POST", "/api/v1/suppressions", { value: "lead1@example.zz" }),
    await tenant.call("POST", "/api/v1/leads/erase", { email: "lead2@example.zz" }),
    await tenant.callAsUser("DELETE", `/api/v1/api-keys/${key.body.id}`),
    await tenant.call("DELETE", `/api/v1/mailer/emails/${mail.body.id}`),
    await tenant.call("POST", `${path}/pause`),
  ];
  expect(done.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2, 2, 2]);
  await query`update campaigns set status = 'draft', updated_at = ${now()} where id = ${later}`;
  await query`delete from workspace_members where user_id = ${left}`;
  await query`update identities set sessions_valid_from = ${now()} where user_id = ${tenant.userId}`;
  await query`insert into prospect_opt_outs values (repeat('a', 64), ${now()}, 'in/gone')`;
  await query`update workspaces set owner_user_id = ${tenant.userId} where id = ${tenant.workspaceId}`;
  await query`update campaigns set status = 'draining', updated_at = ${now()} where id = ${drained}`;
  await restore(backup, since);
  expect(await admin("--erased")).toBe("1 people are erased again.");
  expect(await admin("--erased")).toBe("0 people are erased again.");

  const leads =
    await query`select id, status, email_key from campaign_leads where campaign_id = ${campaignId}`;
  const leadOf = (no: number) => leads.find(({ id }) => id === campaignLeadIds[no - 1]);
  expect(leadOf(1)).toMatchObject({ status: "stopped", email_key: "lead1@example.zz" });
  expect(leadOf(2)).toMatchObject({ status: "stopped", email_key: null });
  const suppressed =
    await query`select value from suppressions where workspace_id = ${tenant.workspaceId} order by value`;
  expect(suppressed.map(({ value }) => value)).toEqual(["lead1@example.zz", null]);
  expect(
    await query`select c.status, c.paused_reason, e.state, k.revoked_at is not null as revoked
      from campaigns c, emails e, api_keys k where c.id = ${campaignId} and e.id = ${mail.body.id} and k.id = ${key.body.id}`,
  ).toEqual([
    { status: "paused", paused_reason: "user_requested", state: "cancelled", revoked: true },
  ]);
  expect(await query`select status from campaigns where id = ${drained}`).toEqual([
    { status: "draining" },
  ]);
  expect(
    await query`select owner_user_id from workspaces where id = ${tenant.workspaceId}`,
  ).toEqual([{ owner_user_id: tenant.userId }]);
  expect(await query`select status from campaigns where id = ${later}`).toEqual([
    { status: "draft" },
  ]);
  expect(await query`select 1 from workspace_members where user_id = ${left}`).toEqual([]);
  expect(await query`select 1 from prospects`).toEqual([]);
  expect(await query`select 1 from prospect_opt_outs where profile_key = 'in/gone'`).toHaveLength(
    1,
  );
  expect(
    await query`select 1 from identities where user_id = ${tenant.userId} and sessions_valid_from < ${since}`,
  ).toEqual([]);
});

test("a post that was deleted is not published, also where its hour came since", async () => {
  const at = now();
  const insertPost = async (due: Date) => {
    const [row] =
      await query`insert into social_posts (id, workspace_id, user_id, created_at, updated_at, status, text, attachments, is_repost, scheduled_at, retry_count, impressions, reactions, comments, reposts, due_at)
        values (gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, ${at}, ${at}, 'scheduled', 'Hello', '[]', false, ${due}, 0, 0, 0, 0, 0, ${due}) returning id`;
    await query`insert into social_post_images values (${row.id}, 'image/png', 'AA==')`;
    return row.id as string;
  };
  const deleted = await insertPost(new Date(at.getTime() + 86_400_000));
  const wasDue = await insertPost(new Date(at.getTime() + 30_000));
  const stays = await insertPost(new Date(at.getTime() + 86_400_000));
  const backup = await takeBackup(sending.api.sql);
  sending.api.advance(60);
  for (const id of [deleted, wasDue])
    expect((await tenant.call("DELETE", `${POSTS}${id}`)).status).toBe(200);
  await restore(backup, at);
  const posts = (ids: string[]) =>
    query`select status, text, due_at is null as done, exists (select 1 from social_post_images where post_id = p.id) as image
      from social_posts p where id = any(${ids})`;
  const gone = { status: "deleted", text: null, done: true, image: false };
  expect(await posts([deleted, wasDue])).toEqual([gone, gone]);
  expect(await posts([stays])).toEqual([
    { status: "scheduled", text: "Hello", done: false, image: true },
  ]);
});

test("a sender that was paused, disconnected or deleted sends nothing", async () => {
  const { aliasIds } = await sending.campaign(tenant, { leads: 1, aliases: 4 });
  const [paused, disabled, deleted, stays] = aliasIds as [string, string, string, string];
  const retired = await insertAccount(sending.api.sql, tenant);
  const removed = await insertAccount(sending.api.sql, tenant);
  await query`update sender_lanes set open = true, closed_since = null where workspace_id = ${tenant.workspaceId}`;
  const since = now();
  const backup = await takeBackup(sending.api.sql);
  sending.api.advance(60);
  const path = "/api/v1/mailer/aliases";
  const done = [
    await tenant.call("PATCH", `${path}/${paused}`, { status: "paused" }),
    await tenant.call("PATCH", `${path}/${disabled}`, { status: "disabled" }),
  ];
  expect(done.map(({ status }) => status)).toEqual([200, 200]);
  await query`delete from mail_aliases where id = ${deleted}`;
  await retireAccount(sending.api.deps.db, tenant.workspaceId, retired, now());
  await deleteAccount(sending.api.deps.db, tenant.workspaceId, removed, now());
  await restore(backup, since);
  const lanes =
    await query`select l.id, coalesce(a.status, c.status) as status, l.open, l.closed_since is null as never, l.next_slot_at
      from sender_lanes l left join mail_aliases a on a.id = l.id left join connected_accounts c on c.id = l.id
      where l.workspace_id = ${tenant.workspaceId}`;
  const laneOf = (id: string) => lanes.find((lane) => lane.id === id);
  const closed = { open: false, never: false, next_slot_at: null };
  expect(laneOf(paused)).toMatchObject({ status: "paused", ...closed });
  expect(laneOf(disabled)).toMatchObject({ status: "disabled", ...closed });
  expect(laneOf(deleted)).toMatchObject({ status: "disabled", ...closed });
  expect(laneOf(retired)).toMatchObject({ status: "disconnected", ...closed });
  expect(laneOf(removed)).toMatchObject({ status: "disconnected", ...closed });
  expect(laneOf(stays)).toMatchObject({ status: "active", open: true, never: true });
});

test("a withdrawn invitation and a deleted webhook are gone, also where they were a workspace's last", async () => {
  const other = await sending.api.tenant();
  const make = async ({ callAsUser, call }: typeof tenant, name: string) => ({
    invitation: await callAsUser("POST", INVITATIONS, {
      email: `${name}@example.zz`,
      role: "member",
    }),
    webhook: await call("POST", "/api/v1/webhooks", { url: `http://127.0.0.1:9/${name}` }),
  });
  const [last, first, stays] = [
    await make(other, "last"),
    await make(tenant, "first"),
    await make(tenant, "stays"),
  ];
  const since = now();
  const backup = await takeBackup(sending.api.sql);
  sending.api.advance(60);
  for (const [{ call, callAsUser }, { invitation, webhook }] of [
    [other, last],
    [tenant, first],
  ] as const) {
    const done = [
      await callAsUser("DELETE", `${INVITATIONS}/${invitation.body.id}`),
      await call("DELETE", `/api/v1/webhooks/${webhook.body.id}`),
    ];
    expect(done.map(({ status }) => status)).toEqual([200, 200]);
  }
  await restore(backup, since);
  const workspaces = [tenant.workspaceId, other.workspaceId];
  expect(
    await query`select id from workspace_invitations where workspace_id = any(${workspaces})`,
  ).toEqual([{ id: stays.invitation.body.id }]);
  expect(await query`select id from webhooks where workspace_id = any(${workspaces})`).toEqual([
    { id: stays.webhook.body.id },
  ]);
});
