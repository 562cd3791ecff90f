/** What becomes of posts, leads and actions of an account that is merged or deleted meanwhile, and of who is erased. */
import { expect, test } from "vitest";
import { publishPost } from "#src/domain/network/posts/publish.ts";
import { acceptInvitation } from "#src/domain/network/accept-invitation.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import {
  insertNetworkCampaign,
  networked,
  type NetworkStep,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
} from "../../support/network.ts";
import { begun } from "./begin.ts";
import { formOf, POSTS } from "../../support/posts.ts";

useNetwork();

const ACCOUNTS = "/api/v1/connected-accounts";
const PASSWORD = "correct horse";
const DAY = 86_400;
const user = (kind = "ok") => `${kind}+${tenant.workspaceId}@example.zz`;

async function connect(username = user()) {
  const login = { username, password: PASSWORD };
  const { status, text, body } = await tenant.call("POST", `${ACCOUNTS}/connect`, login);
  if (status !== 200) throw new Error(text);
  const { id, provider_account_id: providerAccountId } = body.account;
  return { id, providerAccountId } as { id: string; providerAccountId: string };
}
/** A campaign whose account's lane looks for work, as after a launch. */
async function campaign(order: Parameters<typeof insertNetworkCampaign>[0]) {
  const rows = await insertNetworkCampaign(order);
  await networked.api.sql.query("update sender_lanes set next_slot_at = $2 where id = $1", [
    order.account.id,
    new Date(),
  ]);
  return rows;
}
const statusOf = async (campaignId: string) =>
  (await tenant.call("GET", `/api/v1/campaigns/${campaignId}`)).body;
const acts = (kind: "invite" | "visit") => networked.network.acts(kind).length;

test("an action whose answer was lost is settled after a day, though campaign and account are gone", async () => {
  const account = await connect();
  const { campaignId } = await campaign({
    account,
    steps: [{ action: "profile_view" }],
    people: ["accepts-mara-lind"],
  });
  networked.network.faults.order("timeout", 1);
  await tickNow();
  expect(await networked.sendsOf(campaignId)).toMatchObject([{ state: "unknown" }]);
  await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
  const refused = await tenant.call("DELETE", `${ACCOUNTS}/${account.id}`);
  expect([refused.status, refused.body.campaign_ids]).toEqual([409, [campaignId]]);
  expect((await tenant.call("DELETE", `/api/v1/campaigns/${campaignId}`)).status).toBe(200);
  expect((await tenant.call("DELETE", `${ACCOUNTS}/${account.id}`)).status).toBe(200);
  const said = acts("visit");
  networked.api.advance(DAY + 3_600);
  await tickFor(2);
  expect(await networked.sendsOf(campaignId)).toMatchObject([{ state: "assumed_sent" }]);
  expect(acts("visit")).toBe(said);
});

test("posts, threads and leads of a record that turns out to be another's person are that one's", async () => {
  const first = await connect();
  const { sql } = networked.api;
  // As if the provider had not said whose session it is.
  await sql.query("update connected_accounts set person_id = null where id = $1", [first.id]);
  const form = formOf({
    text: "Later",
    connected_account_id: first.id,
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { body: post } = await tenant.call("POST", POSTS, form);
  const order = { account_id: first.id, identifier: "friend-otto-berg", text: "Hello" };
  expect((await tenant.call("POST", "/api/v1/socialnet/message", order)).body.success).toBe(true);
  const { campaignId, campaignLeadIds } = await campaign({
    account: first,
    steps: [{ action: "connection_request" }, { action: "message", text: "Thanks" }],
    people: ["accepts-mara-lind", "accepts-eva-lund"],
  });
  await tickNow();
  const connectedAt = new Date();
  await sql.query("update campaign_leads set connected_at = $2 where id = $1", [
    campaignLeadIds[1],
    connectedAt,
  ]);
  const second = await connect();
  expect(second.id).not.toBe(first.id);
  await lookAtAccount(networked.api.deps, first.id);
  expect((await tenant.call("GET", ACCOUNTS)).body).toMatchObject([{ id: second.id }]);
  expect(await statusOf(campaignId)).toMatchObject({ connected_account_id: second.id });
  // Both records are of one person: a lead that was connected with the one is connected with the other.
  expect(await networked.leadOf(campaignLeadIds[1]!)).toMatchObject({
    connected_account_id: second.id,
    connected_at: connectedAt,
  });

  networked.api.advance(DAY);
  expect(await publishPost(networked.api.deps, post.id)).toBe("published");
  const again = { ...order, account_id: second.id, text: "Hello again" };
  expect((await tenant.call("POST", "/api/v1/socialnet/message", again)).body.success).toBe(true);
  const { rows } = await sql.query(
    "select count(*)::int as messages, bool_and(starts_with(m.dedup_key, $2)) as known from conversation_messages m join conversations c on c.id = m.conversation_id where c.workspace_id = $1 and c.campaign_lead_id is null group by c.id",
    [tenant.workspaceId, `network:${second.id}:`],
  );
  // By its account's id a message that is told again is known.
  expect(rows).toEqual([{ messages: 2, known: true }]);
  await lookAtAccount(networked.api.deps, second.id);
  await tickFor(5);
  expect(await networked.leadOf(campaignLeadIds[0]!)).toMatchObject({ status: "completed" });
});

test("an account at its cap goes on once it may do more, and stops where it may do less than it has done", async () => {
  const account = await connect();
  const allow = async (connections: number) => {
    const limits = { daily_connection_limit: connections, warmup_days: 0 };
    const { status } = await tenant.call("PATCH", `${ACCOUNTS}/${account.id}`, limits);
    expect(status).toBe(200);
  };
  await allow(1);
  const { campaignId } = await campaign({
    account,
    steps: [{ action: "connection_request" }],
    people: ["a", "b", "c", "d", "e"].map((name) => `declines-${name}`),
  });
  const before = acts("invite");
  const budget = async () => {
    const path = `/api/v1/campaigns/${campaignId}/sending-status`;
    const { senders } = (await tenant.call("GET", path)).body;
    return senders[0].budgets.connections;
  };
  const counts: number[] = [];
  for (const most of [1, 3, 2, 4]) {
    await allow(most);
    await tickFor(8);
    counts.push(acts("invite") - before);
    expect(await budget()).toEqual({ used: counts.at(-1), cap: most });
  }
  expect(counts).toEqual([1, 3, 3, 4]);
});

const SLUG = "accepts-zyxwva-erased";

/** Tables in which a text is found, whatever the column. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql } = networked.api;
  const { rows } = await sql.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql.query(`select 1 from "${name}" t where t::text ilike $1 limit 1`, [
      `%${text}%`,
    ]);
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

test("somebody who is erased is in no table any more, and an acceptance of theirs wakes nobody", async () => {
  const { deps } = networked.api;
  const steps: NetworkStep[] = [
    { action: "connection_request", text: "A note for {{ profile_url }}" },
    { action: "message", text: "Thanks" },
  ];
  const { account, campaignId, id } = await begun(steps, [SLUG]);
  const { email, person_id: personId } = await networked.leadOf(id);
  expect((await tablesWith("zyxwva")).length).toBeGreaterThan(1);

  const erased = await tenant.call("POST", "/api/v1/leads/erase", { email });
  expect(erased.status).toBe(200);
  expect(await tablesWith("zyxwva")).toEqual([]);
  expect(await tablesWith(personId)).toEqual([]);

  const at = deps.clock.now();
  const accepted = { accountId: account.id, personId, publicIdentifier: SLUG, at };
  await acceptInvitation(deps, accepted);
  networked.api.advance(20 * 86_400);
  await lookAtAccount(deps, account.id);
  await tickFor(2);
  expect(await networked.leadOf(id)).toMatchObject({ status: "stopped", connected_at: null });
  expect((await tenant.call("GET", `/api/v1/campaigns/${campaignId}`)).body.status).toBe(
    "completed",
  );
  const isOurs = (act: { account: string }) => act.account === account.providerAccountId;
  expect(networked.network.acts("message").filter(isOurs)).toEqual([]);
});
