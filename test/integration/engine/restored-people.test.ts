/** What ended since the hour that a database is put back to: people who left, keys, campaigns. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runAdmin } from "../../../scripts/admin/run.ts";
import { takeBackup } from "../../support/backup.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const now = () => sending.api.deps.clock.now();
const admin = (...words: string[]) =>
  runAdmin(["restored", ...words], sending.api.databaseUrl, now());

/** As the page has it; psql puts the hour in. */
const ended = (since: Date) =>
  /^```sql\n([^`]*);\n```$/m
    .exec(readFileSync("docs/operating.md", "utf8"))![1]!
    .replaceAll(":'since'", `'${since.toISOString()}'`);

async function withFile(lines: string, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "overture-gone-"));
  const file = join(folder, "addresses.txt");
  await writeFile(file, lines);
  await use(file).finally(() => rm(folder, { recursive: true }));
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
  const statements = (await api.sql.query(ended(since))).rows as { format: string }[];
  await backup.restore();
  await admin("--since", since.toISOString());
  for (const { format } of statements) await api.sql.query(format);
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
