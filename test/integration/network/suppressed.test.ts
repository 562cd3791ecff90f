/** Who said no gets nothing on the network either; that a mailbox takes no mail says nothing of it. */
import { expect, test } from "vitest";
import type { SuppressionReason } from "#db/schema/index.ts";
import { runJob, suppress } from "../../support/campaigns.ts";
import { untilWaiting } from "../../support/locks.ts";
import {
  insertAccount,
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begin } from "./begin.ts";

useNetwork();

const VISIT: NetworkStep = { action: "profile_view" };
const EMAIL: NetworkStep = { action: "send_email", days: 1 };
const PEOPLE = ["accepts-mara-lind", "accepts-ida-holm", "accepts-jo-berg"];
const DAY = 86_400;

const lead = (id: string) => networked.leadOf(id);
const get = async (path: string) => (await tenant.call("GET", path)).body;

async function visitsOf(providerAccountId: string): Promise<number> {
  const visits = networked.network.acts("visit");
  return visits.filter(({ account }) => account === providerAccountId).length;
}

/** As an entry that ends no lead by itself. */
async function note(kind: "email" | "domain", value: string, reason: SuppressionReason = "manual") {
  await suppress(networked.api.sql, tenant, kind, value);
  await networked.api.sql.query(
    "update suppressions set reason = $3 where value = $1 and workspace_id = $2",
    [value, tenant.workspaceId, reason],
  );
}

const LEADS: [name: string, is: string][] = [
  ["free", "pending"],
  ["without", "pending"],
  ["bounced", "pending"],
  ["unsubscribed", "skipped"],
  ["complained", "skipped"],
  ["asked", "skipped"],
  ["company", "skipped"],
  // The owner's word on the company holds, though the mailbox is gone besides.
  ["both", "skipped"],
];

test("a campaign on the network skips at its launch who wants nothing, and takes whose mail bounced", async () => {
  const rows = LEADS.map(([name], index) => ({
    first_name: name,
    profile_url: `https://www.linkedin.com/in/accepts-${name}`,
    ...(name !== "without" && { email: `${name}@${index < 6 ? "open" : "closed"}.zz` }),
  }));
  const dataset = await tenant.call("POST", "/api/v1/datasets", { name: "People" });
  await tenant.call("POST", `/api/v1/datasets/${dataset.body.id}/import`, { rows });
  await note("email", "bounced@open.zz", "hard_bounce");
  await note("email", "unsubscribed@open.zz", "unsubscribe");
  await note("email", "complained@open.zz", "complaint");
  await note("email", "asked@open.zz");
  await note("email", "both@closed.zz", "hard_bounce");
  await note("domain", "closed.zz");
  const { id: accountId } = await insertAccount();
  const created = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "Network",
    type: "socialnet",
    dataset_id: dataset.body.id,
    connected_account_id: accountId,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    steps: [{ step: 1, action_type: "profile_view" }],
  });
  const path = `/api/v1/campaigns/${created.body.campaign_id}`;
  const { checks } = await get(`${path}/preflight`);
  const share = checks.find(({ name }: { name: string }) => name === "suppressed_share");
  expect(share.message).toBe("5 of 8 leads are suppressed and will be skipped.");
  expect((await get(`${path}/forecast`)).total_sends).toBe(3);
  await runJob(networked.api, (await tenant.call("POST", `${path}/launch`)).body);
  const { rows: taken } = await networked.api.sql.query(
    `select lead.first_name, own.status, own.stop_reason from campaign_leads own join leads lead on lead.id = own.lead_id
     where own.campaign_id = $1 order by own.row_index`,
    [created.body.campaign_id],
  );
  const reasonOf = (status: string) => (status === "skipped" ? "suppressed" : null);
  expect(taken).toEqual(
    LEADS.map(([name, status]) => ({ first_name: name, status, stop_reason: reasonOf(status) })),
  );
  expect((await get(`${path}/forecast`)).total_sends).toBe(3);
});

test("whoever says no while a campaign runs ends at their turn, and nothing is done; a bounce changes nothing", async () => {
  const { account, campaignId, campaignLeadIds } = await begin([VISIT], PEOPLE);
  const [mara, ida, jo] = campaignLeadIds as [string, string, string];
  await note("email", (await lead(mara)).email, "hard_bounce");
  await note("email", (await lead(ida)).email);
  const path = `/api/v1/campaigns/${campaignId}`;
  const said = async (id: string) =>
    (await get(`${path}/sending-status?lead_id=${id}`)).lead.reasons
      .map(({ code }: { code: string }) => code)
      .filter((code: string) => code === "suppressed");
  expect([await said(mara), await said(ida), await said(jo)]).toEqual([[], ["suppressed"], []]);
  const forecast = await get(`${path}/forecast`);
  expect(forecast.sends.map((send: { email: string }) => send.email)).toEqual([
    (await lead(mara)).email,
    (await lead(jo)).email,
  ]);
  expect(forecast.finishes_at).toBe(forecast.sends.at(-1).at);
  await tickFor(15);
  expect(await visitsOf(account.providerAccountId)).toBe(2);
  expect([await lead(mara), await lead(ida), await lead(jo)]).toMatchObject([
    { status: "completed" },
    { status: "stopped", stop_reason: "suppressed", next_step: null },
    { status: "completed" },
  ]);
});

test("a visit waits for a suppression that is being committed, and sees it", async () => {
  const { account, id } = await begin([VISIT], PEOPLE.slice(0, 1));
  const { email } = await lead(id);
  const { api } = networked;
  const client = await api.sql.connect();
  await client.query("begin");
  await client.query(
    "select pg_advisory_xact_lock(hashtextextended($1::text || ':suppressions', 0))",
    [tenant.workspaceId],
  );
  await client.query(
    `insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     values (gen_random_uuid(), $1, $2, now(), now(), $3::text, encode(sha256(convert_to($3::text, 'UTF8')), 'hex'), 'email', 'unsubscribe')`,
    [tenant.workspaceId, tenant.userId, email],
  );
  const ticking = tickNow();
  await untilWaiting(api.sql, 1);
  await client.query("commit");
  client.release();
  await ticking;
  expect(await visitsOf(account.providerAccountId)).toBe(0);
  expect(await lead(id)).toMatchObject({ status: "unsubscribed", stop_reason: "suppressed" });
});

test("a company that is to hear nothing is not visited in a mixed campaign either", async () => {
  const { account, campaignLeadIds } = await begin([VISIT, EMAIL], PEOPLE.slice(0, 2));
  const { email } = await lead(campaignLeadIds[0]!);
  await note("domain", email.split("@")[1]!);
  await tickFor(15);
  expect(await visitsOf(account.providerAccountId)).toBe(0);
  for (const id of campaignLeadIds)
    expect(await lead(id)).toMatchObject({ status: "stopped", stop_reason: "suppressed" });
});

test("a mixed campaign goes on with its network steps where mail bounced, and ends at its next mail", async () => {
  const { account, campaignLeadIds } = await begin([VISIT, EMAIL], PEOPLE.slice(0, 1));
  await note("email", (await lead(campaignLeadIds[0]!)).email, "hard_bounce");
  await tickFor(5);
  expect(await visitsOf(account.providerAccountId)).toBe(1);
  networked.api.advance(DAY);
  await tickFor(5);
  expect(await lead(campaignLeadIds[0]!)).toMatchObject({
    status: "bounced",
    stop_reason: "suppressed",
  });
  expect(await networked.mailbox.messages()).toHaveLength(0);
});
