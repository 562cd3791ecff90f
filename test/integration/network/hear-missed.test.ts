/** What people say while no webhook tells of it: no test here registers one. */
import { expect, test, vi } from "vitest";
import { knownMessages } from "#db/network/messages.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import {
  type AccountRows,
  insertAccount,
  insertNetworkCampaign,
  networked,
  tenant,
  tickFor,
  tickNow,
  useNetwork,
  WEBHOOK_SECRET,
} from "../../support/network.ts";
import { patience } from "../../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

useNetwork();

const SLUG = "friend-silent-mara-lind";
const HOUR = 3_600;

/** Somebody who was written to, and is to be written to again in two days. */
async function written() {
  const account = await insertAccount();
  await isOursFrom(account, new Date(Date.now() - HOUR * 1000));
  const rows = await insertNetworkCampaign({
    account,
    steps: [
      { action: "message", text: "Hello" },
      { action: "message", text: "Did you see it?", days: 2 },
    ],
    people: [SLUG],
  });
  await tickNow();
  return { account, ...rows, leadId: rows.campaignLeadIds[0]! };
}
/** By the network's own clock, which the tests do not move. */
const isOursFrom = ({ id }: AccountRows, at: Date) =>
  networked.api.sql.query("update connected_accounts set warmup_from = $2 where id = $1", [id, at]);
const says = ({ providerAccountId }: AccountRows, text: string) =>
  networked.network.control.reply(providerAccountId, SLUG, text);
const look = ({ id }: AccountRows) => lookAtAccount(networked.api.deps, id);
const campaignOf = async (id: string) => (await tenant.call("GET", `/api/v1/campaigns/${id}`)).body;
const owed = async () => {
  const { rows } = await networked.api.sql.query(
    "select kind from outbox where workspace_id = $1 and kind like '%_reply'",
    [tenant.workspaceId],
  );
  return rows.length;
};
async function lose({ providerAccountId, id }: AccountRows, campaignId: string) {
  networked.network.control.setStatus(providerAccountId, "CREDENTIALS");
  await syncAccount(networked.api.deps, providerAccountId);
  networked.api.advance(20 * 60);
  await fullCheck(networked.api.deps);
  expect((await campaignOf(campaignId)).paused_reason).toBe("connected_account_unavailable");
  return id;
}
const comesBack = async ({ providerAccountId }: AccountRows) => {
  networked.network.control.setStatus(providerAccountId, "OK");
  await syncAccount(networked.api.deps, providerAccountId);
};

test("a reply of which nobody told ends its lead at the next look, once", async () => {
  const { account, leadId } = await written();
  says(account, "Yes, call me.");
  await Promise.all([look(account), look(account)]);
  await look(account);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "replied" });
  expect(await owed()).toBe(1);
  networked.api.advance(3 * 24 * HOUR);
  await tickFor(2);
  expect(networked.network.acts("message").filter(({ text }) => text?.includes("see it"))).toEqual(
    [],
  );
});

test("who asks for no more while the session is gone is heard before the campaign goes on", async () => {
  const { account, campaignId, leadId } = await written();
  await lose(account, campaignId);
  says(account, "Please stop writing to me.");
  networked.api.advance(3 * 24 * HOUR);
  await comesBack(account);
  // Nobody has read what was said: neither the provider's word nor a full check lets it go on.
  await fullCheck(networked.api.deps);
  expect((await campaignOf(campaignId)).status).toBe("paused");
  await look(account);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "unsubscribed" });
  await tickFor(2);
  expect((await campaignOf(campaignId)).status).toBe("completed");
});

test("where the provider does not say what was said, a campaign waits an hour for it and no longer", async () => {
  const { account, campaignId } = await written();
  await lose(account, campaignId);
  await comesBack(account);
  // Neither how the session is nor what was said to it.
  const answerNothing = () => networked.network.faults.order("unavailable", 2);
  answerNothing();
  await look(account);
  expect((await campaignOf(campaignId)).status).toBe("paused");
  networked.api.advance(HOUR + 1);
  answerNothing();
  await look(account);
  expect((await campaignOf(campaignId)).status).toBe("active");
});

/** As long as nobody has told us the network's id of the lead. */
const forget = (leadId: string, profileUrl: string | null) =>
  networked.api.sql.query(
    "update campaign_leads set person_id = null, profile_url = $2 where id = $1",
    [leadId, profileUrl],
  );
const PAGE = `https://www.linkedin.com/in/${SLUG}`;

test("a stranger who became a lead meanwhile is known by the page that was asked for before", async () => {
  const { account, leadId } = await written();
  await forget(leadId, null);
  says(account, "Hello");
  await look(account);
  expect((await networked.leadOf(leadId)).status).not.toBe("replied");
  await forget(leadId, PAGE);
  says(account, "Please stop writing to me.");
  await look(account);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "unsubscribed" });
  const { rows } = await networked.api.sql.query(
    "select reason from suppressions where workspace_id = $1",
    [tenant.workspaceId],
  );
  expect(rows).toEqual([{ reason: "unsubscribe" }]);
});

test("who wrote is asked again where the provider could not say, for a day at most", async () => {
  const { account, leadId } = await written();
  await forget(leadId, PAGE);
  const { deps } = networked.api;
  const { people, ...network } = deps.network!;
  const limited = { kind: "limited", scope: "calls", code: "slow", detail: "Too many" } as const;
  const profile = async () => ({ ok: false as const, failure: limited });
  const lookLimited = () =>
    lookAtAccount({ ...deps, network: { ...network, people: { ...people, profile } } }, account.id);
  const { id } = says(account, "Yes, call me.");
  const isKept = async () =>
    (await knownMessages(deps.db, { id: account.id, workspaceId: tenant.workspaceId }, [id])).has(
      id,
    );
  await lookLimited();
  expect(await isKept()).toBe(false);
  await look(account);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "replied" });
  expect(await isKept()).toBe(true);
});

test("a writer whom the provider never names is a stranger after a day, and holds up nobody", async () => {
  const { account, leadId } = await written();
  await forget(leadId, PAGE);
  const { deps } = networked.api;
  const { people, ...network } = deps.network!;
  const failure = { kind: "down", code: "down", detail: "It is down" } as const;
  const profile = async () => ({ ok: false as const, failure });
  const lookInVain = () =>
    lookAtAccount({ ...deps, network: { ...network, people: { ...people, profile } } }, account.id);
  const { id } = says(account, "Yes, call me.");
  const isKept = async () =>
    (await knownMessages(deps.db, { id: account.id, workspaceId: tenant.workspaceId }, [id])).has(
      id,
    );
  await lookInVain();
  networked.api.advance(23 * HOUR);
  await lookInVain();
  expect(await isKept()).toBe(false);
  networked.api.advance(2 * HOUR);
  await lookInVain();
  expect(await isKept()).toBe(true);
});

test("what a webhook told is not taken in again, and what was said before the account was ours never", async () => {
  const { account, leadId } = await written();
  const early = says(account, "Before");
  await isOursFrom(account, new Date(early.at + 1));
  const { id } = says(account, "Thanks");
  const told = {
    event: "message_received",
    account_id: account.providerAccountId,
    account_info: { user_id: "me" },
    chat_id: "chat",
    message_id: id,
    timestamp: networked.api.deps.clock.now().toISOString(),
    message: "Thanks",
    sender: {
      attendee_provider_id: "x",
      attendee_name: "Mara",
      attendee_profile_url: `https://www.linkedin.com/in/${SLUG}`,
    },
  };
  const { status } = await networked.api.request("/api/v1/socialnet/webhook", {
    method: "POST",
    body: JSON.stringify(told),
    headers: { "unipile-auth": WEBHOOK_SECRET },
  });
  expect(status).toBe(200);
  await look(account);
  const known = await knownMessages(
    networked.api.deps.db,
    { id: account.id, workspaceId: tenant.workspaceId },
    [id, early.id],
  );
  expect([...known]).toEqual([id]);
  expect(await owed()).toBe(1);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "replied" });
});

test("more than a page of it is read to its end, in the order in which it was said", async () => {
  const { account, leadId } = await written();
  const said = Array.from({ length: 260 }, (_, index) => says(account, `Words ${index}`));
  await look(account);
  expect(await networked.leadOf(leadId)).toMatchObject({ status: "replied" });
  const known = await knownMessages(
    networked.api.deps.db,
    { id: account.id, workspaceId: tenant.workspaceId },
    said.map(({ id }) => id),
  );
  expect(known.size).toBe(260);
  expect(await owed()).toBe(260);
});
