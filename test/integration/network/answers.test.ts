import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AccountRow } from "#db/network/accounts.ts";
import { startApi, type Tenant, type TestApi } from "../../support/api.ts";
import { activeCampaign, suppress } from "../../support/campaigns.ts";
import { signIn, startTestNetwork } from "../../support/network-listener.ts";
import { insertAccount } from "../../support/network-talk.ts";

let network: Awaited<ReturnType<typeof startTestNetwork>>;
let api: TestApi;
let tenant: Tenant;
let account: AccountRow;
let turn = 0;

beforeAll(async () => {
  network = await startTestNetwork();
  api = await startApi(network.env);
});
afterAll(async () => {
  await api.close();
  await network.close();
});
beforeEach(async () => {
  network.faults.clear();
  tenant = await api.tenant();
  const providerAccountId = await signIn(network, `ok+${++turn}@example.zz`);
  account = await insertAccount(api, tenant, { providerAccountId });
});

const said = () =>
  network.acts("message").filter(({ account: by }) => by === account.providerAccountId);

/** A chat in which the account said something. */
async function chat(): Promise<string> {
  const identifier = `friend-silent-${++turn}`;
  await tenant.call("POST", "/api/v1/socialnet/message", { identifier, text: "Hello" });
  return (await tenant.call("GET", "/api/v1/conversations")).body.items[0].id;
}
const answer = (id: string, body: object) =>
  tenant.call("POST", `/api/v2/conversations/${id}/reply`, body);

test("an answer on the network is said by the thread's account, and stands in it", async () => {
  const id = await chat();
  const { status, body } = await answer(id, { body: "And again" });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      channel: "socialnet",
      status: "sent",
      email_id: null,
      scheduled_at: null,
      error: null,
    },
  ]);
  expect(said().map(({ text }) => text)).toEqual(["Hello", "And again"]);
  const { body: thread } = await tenant.call("GET", `/api/v2/conversations/${id}`);
  expect(thread.messages.map(({ text }: { text: string }) => text)).toEqual(["Hello", "And again"]);
});

test.each(["unsubscribe", "complaint", "manual", "hard_bounce"])(
  "to a person whose address is suppressed (%s) nothing is said, but where it only takes no mail",
  async (reason) => {
    const id = await chat();
    const email = `friend-${turn}@example.zz`;
    const { id: campaignId } = await activeCampaign(api, tenant, {}, [{ email }]);
    await api.sql.query(
      `update conversations set campaign_lead_id = (select id from campaign_leads where campaign_id = $2) where id = $1`,
      [id, campaignId],
    );
    await suppress(api.sql, tenant, "email", email);
    await api.sql.query("update suppressions set reason = $2 where value = $1", [email, reason]);
    const { status, body } = await answer(id, { body: "One more thing" });
    const isSaid = reason === "hard_bounce";
    expect([status, body]).toMatchObject([
      200,
      isSaid
        ? { success: true, status: "sent" }
        : {
            success: false,
            channel: "socialnet",
            status: "suppressed",
            error: `The person is suppressed: ${reason}.`,
          },
    ]);
    expect(said()).toHaveLength(isSaid ? 2 : 1);
  },
);

test("what the network cannot do is said, and nothing is sent", async () => {
  const id = await chat();
  const later = new Date(api.deps.clock.now().getTime() + 3_600_000).toISOString();
  const codeOf = async (body: object) => {
    const reply = await answer(id, body);
    return [reply.status, reply.body.code];
  };
  expect(await codeOf({ body: "A", send_at: later })).toEqual([422, "SENT_AT_ONCE"]);
  expect(await codeOf({ body: "A", quote: true })).toEqual([422, "NO_QUOTES"]);
  expect(await codeOf({ body: "A", if_last_message_id: crypto.randomUUID() })).toEqual([
    409,
    "CONVERSATION_MOVED_ON",
  ]);
  await api.sql.query("update connected_accounts set status = 'disconnected' where id = $1", [
    account.id,
  ]);
  expect(await codeOf({ body: "A" })).toEqual([409, "ACCOUNT_NOT_CONNECTED"]);
  expect(said()).toHaveLength(1);
});
