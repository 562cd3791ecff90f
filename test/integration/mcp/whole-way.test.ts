/** What an agent does from the first call to the first answer: nothing is sent before somebody agreed. */
import { type Chain, startChain } from "../../../scripts/stack/chain/chain.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { campaignFile, runJob } from "../../support/campaigns.ts";
import { connect, keyOf } from "../../support/mcp-clients.ts";
import { postMail, rawMail } from "../../support/incoming.ts";
import { patience } from "../../support/patience.ts";
import { serve } from "../../support/serve.ts";
import { chainEnv, walletOver } from "../../support/wallet.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

let chain: Chain | null = null;
useSending(async () => {
  chain = await startChain({ rpc: 0, facilitator: 0 });
  if (chain === null) console.log("whole way: nothing is paid for (no anvil)");
  return chain === null ? {} : chainEnv(chain);
});
let served: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  served = await serve(sending.api);
});
afterAll(() => served.close());
afterAll(() => chain?.close());

const fileOf = (dataset: string, alias: string, body = "<p>Who pilots {{ company }}?</p>") =>
  campaignFile(dataset, alias, {
    external_id: "agents/pilots",
    name: "Pilots",
    steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hello {{ first_name }}", body }] }],
  });

/** As a program that has nothing but a wallet: it finds out what is sold and how, asks, is told the price, and pays. */
async function payForAVerification(email: string): Promise<void> {
  if (chain === null) return;
  const { api } = sending;
  const text = await (await api.request("/llms.txt")).text();
  const catalogue = /\]\((\/\.well-known\/x402)\)/.exec(text)![1]!;
  const { resources } = (await (await api.request(catalogue)).json()) as { resources: string[] };
  const sold = resources.find((each) => each.endsWith("/email/validate"))!;
  const wallet = await walletOver(api, chain);
  const buyer = await wallet.buyer(20_000);
  const agent = await connect("2026", { url: `${served.url}/mcp`, key: null });
  try {
    expect((await agent.tools()).map(({ name }) => name)).toContain("validate_email");
    const asked = await agent.use("validate_email", { email });
    expect(asked).toMatchObject({ isError: true, body: { resource: { url: sold } } });
    expect(await buyer.balance()).toBe(20_000);
    const payment = await buyer.sign(new URL(sold).pathname);
    const bought = await agent.use("validate_email", { email }, { "x402/payment": payment });
    expect(bought).toMatchObject({
      isError: false,
      body: { risk_level: expect.any(String) },
      meta: { "x402/payment-response": { success: true } },
    });
    const price = Number(asked.body.accepts[0].amount);
    expect([await buyer.balance(), price > 0]).toEqual([20_000 - price, true]);
  } finally {
    await agent.close();
  }
}

test("an address is paid for, people are taken in, a campaign is planned, applied, refused, confirmed and sent, and its answer is an event", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 1, aliases: 1 });
  const { body: other } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}`);
  const alias = other.alias_ids[0] as string;
  await tenant.call("POST", `/api/v1/campaigns/${campaignId}/pause`);
  await payForAVerification("mara@pilots.zz");
  const { key } = await keyOf(sending.api, tenant, { confirm: "token" });
  const agent = await connect("2026", { url: `${served.url}/mcp`, key });
  try {
    const rows = [{ email: "mara@pilots.zz", first_name: "Mara", company: "Harbour Pilots" }];
    const { dataset_id } = (await agent.use("import_leads", { name: "Pilots", rows })).body;
    const campaign = fileOf(dataset_id, alias);

    const planned = await agent.use("plan_campaign", { campaign });
    expect(planned.body).toMatchObject({ action: "create", affected: { leads: 1 }, blocked: [] });
    const { plan_id } = planned.body;
    expect((await tenant.call("GET", "/api/v1/campaigns/?name=Pilots")).body).toEqual([]);

    const changed = fileOf(dataset_id, alias, "<p>Something else</p>");
    const strange = await agent.use("apply_plan", { campaign: changed, plan_id });
    expect(strange).toMatchObject({ isError: true, body: { code: "PLAN_STALE" } });
    const applied = await agent.use("apply_plan", { campaign, plan_id });
    expect(applied.body).toMatchObject({ action: "create", status: "draft" });
    const { campaign_id } = applied.body;

    const launch = { campaign_id, action: "launch" };
    const refused = await agent.use("launch_campaign", launch);
    expect(refused.body).toMatchObject({ status: "not_sent", preview: { recipients: 1 } });
    await sending.tick();
    expect(await sending.sendsOf(campaign_id)).toEqual([]);

    const { confirm_token } = refused.body;
    const launched = await agent.use("launch_campaign", { ...launch, confirm_token });
    expect(launched.isError).toBe(false);
    const { body: launching } = await tenant.call("GET", `/api/v1/campaigns/${campaign_id}`);
    await runJob(sending.api, launching);
    const again = await agent.use("plan_campaign", { campaign: changed });
    const late = await agent.use("apply_plan", { campaign: changed, plan_id: again.body.plan_id });
    expect(late).toMatchObject({ isError: true, body: { code: "NOT_A_DRAFT" } });

    await sending.tick();
    const [sent] = await sending.sendsOf(campaign_id);
    expect(sent).toMatchObject({ state: "accepted" });
    const reply = rawMail({
      from: "mara@pilots.zz",
      to: "sender@relay.zz",
      headers: [`In-Reply-To: <${sent.message_id}>`],
      body: "We do it ourselves, but tell me more.",
    });
    await postMail(sending.api, reply, "sender@relay.zz", { from: "mara@pilots.zz" });
    // What other files write beside this one holds the feed up while it lasts.
    const news = async () => (await agent.use("events", { types: "reply.received" })).body.items;
    await expect.poll(news, { timeout: patience(20_000), interval: 500 }).toHaveLength(1);
  } finally {
    await agent.close();
  }
});
