import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { type NetworkPart, startNetwork } from "../../../scripts/stack/network/network.ts";
import { activeCampaign, inlineStep } from "../../support/campaigns.ts";
import { forgetNotices, readOutbox, wantsAll } from "../../support/notices.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { ACCOUNTS, API_KEY, connected, read, reconnect } from "./accounts-setting.ts";

let network: NetworkPart;
let address: string;
afterAll(() => network.close());
useSending(async () => {
  network = await startNetwork({ apiKey: API_KEY });
  return { UNIPILE_API_URL: network.url, UNIPILE_API_KEY: API_KEY };
});
beforeEach(async () => {
  await forgetNotices(sending.api);
  address = await wantsAll(tenant);
});

const user = (kind: string) => `${kind}@${tenant.workspaceId.slice(-6)}.example.zz`;
const MINUTE = 60;

/** A campaign under way that has an account, beside the alias of its steps. */
const mixed = (accountId: string) =>
  activeCampaign(sending.api, tenant, {
    type: "mixed",
    connected_account_id: accountId,
    steps: [inlineStep(1, { channel: "email" })],
  });
const campaignOf = async ({ path }: { path: string }) => (await tenant.call("GET", path)).body;
const sendersOf = async ({ id }: { id: string }) => {
  const { rows } = await sending.api.sql.query(
    "select lane_id from campaign_senders where campaign_id = $1",
    [id],
  );
  return rows.map((row) => row.lane_id).toSorted();
};

async function lose({ provider_account_id: session }: { provider_account_id: string }) {
  network.control.setStatus(session, "CREDENTIALS");
  await syncAccount(sending.api.deps, session);
}

/** As the heartbeat does it, and nothing else of the workspace's. */
const check = () => fullCheck(sending.api.deps);

/** A campaign whose account has been away for a quarter of an hour. */
async function paused() {
  const account = await connected(tenant, user("ok"));
  const campaign = await mixed(account.id);
  await lose(account);
  sending.api.advance(15 * MINUTE);
  await check();
  return { account, campaign };
}

describe("senders", () => {
  test("of a campaign are its aliases and its account, from the launch on", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    expect(await sendersOf(campaign)).toEqual([campaign.aliasId, account.id].toSorted());
  });

  test("of an email campaign are its aliases, whatever account it names", async () => {
    const account = await connected(tenant, user("ok"));
    const more = { connected_account_id: account.id };
    const campaign = await activeCampaign(sending.api, tenant, more);
    expect(await sendersOf(campaign)).toEqual([campaign.aliasId]);
  });

  test("with another account its leads go over to that, with whom nobody is connected yet", async () => {
    const account = await connected(tenant, user("ok"));
    const other = await connected(tenant, user("premium"));
    const campaign = await mixed(account.id);
    await sending.api.sql.query(
      "update campaign_leads set status = 'active', alias_id = $2, connected_at = now(), current_step = 1 where campaign_id = $1",
      [campaign.id, account.id],
    );
    const denied = await tenant.call("PATCH", campaign.path, { connected_account_id: other.id });
    expect([denied.status, denied.body.detail]).toEqual([409, "CAMPAIGN_ACTIVE"]);
    await tenant.call("POST", `${campaign.path}/pause`);
    const change = { connected_account_id: other.id };
    expect((await tenant.call("PATCH", campaign.path, change)).status).toBe(200);
    expect(await sendersOf(campaign)).toEqual([campaign.aliasId, other.id].toSorted());
    const { rows } = await sending.api.sql.query(
      "select alias_id, connected_at from campaign_leads where campaign_id = $1",
      [campaign.id],
    );
    expect(rows).toEqual([{ alias_id: other.id, connected_at: null }]);
  });

  test("of aliases that change the account stays, and its leads with it", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    const { aliasId } = await activeCampaign(sending.api, tenant);
    await sending.api.sql.query(
      "update campaign_leads set status = 'active', alias_id = $2, connected_at = now(), current_step = 1 where campaign_id = $1",
      [campaign.id, account.id],
    );
    await tenant.call("POST", `${campaign.path}/pause`);
    await tenant.call("PATCH", campaign.path, { alias_ids: [aliasId] });
    expect(await sendersOf(campaign)).toEqual([aliasId, account.id].toSorted());
    const { rows } = await sending.api.sql.query(
      "select alias_id, connected_at is not null as connected from campaign_leads where campaign_id = $1",
      [campaign.id],
    );
    expect(rows).toEqual([{ alias_id: account.id, connected: true }]);
  });
});

describe("an account that leaves connected", () => {
  test("its owner is told at once, and its campaigns pause after a quarter of an hour", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    await lose(account);
    await readOutbox(sending);
    const [mail, ...more] = await sending.mailbox.messages({ to: address });
    expect(more).toEqual([]);
    expect(mail!.subject).toContain("is not connected any more");
    expect(mail!.text).toContain(`/api/v1/connected-accounts/${account.id}/reconnect`);

    sending.api.advance(14 * MINUTE);
    await check();
    expect((await campaignOf(campaign)).status).toBe("active");
    sending.api.advance(1 * MINUTE);
    await check();
    expect(await campaignOf(campaign)).toMatchObject({
      status: "paused",
      paused_reason: "connected_account_unavailable",
    });
    await readOutbox(sending);
    const [, paused] = await sending.mailbox.messages({ to: address });
    expect(paused!.subject).toContain("was paused");
  });

  test("its lane is closed, and a resume by hand waits for it", async () => {
    const { campaign } = await paused();
    const resume = () => tenant.call("POST", `${campaign.path}/resume`);
    const refused = await resume();
    expect([refused.status, refused.body.detail]).toEqual([409, "INVALID_STATE_TRANSITION"]);
    expect(refused.body.message).toContain("account is not connected");
    const other = await connected(tenant, user("premium"));
    await tenant.call("PATCH", campaign.path, { connected_account_id: other.id });
    expect((await resume()).body.status).toBe("active");
  });

  test.each(["active", "draining"])(
    "once it is connected again, a %s campaign goes on so",
    async (was) => {
      const account = await connected(tenant, user("ok"));
      const campaign = await mixed(account.id);
      if (was === "draining")
        await sending.api.sql.query(
          "with lead as (update campaign_leads set status = 'active' where campaign_id = $1) update campaigns set status = 'draining' where id = $1",
          [campaign.id],
        );
      await lose(account);
      sending.api.advance(15 * MINUTE);
      await check();
      expect((await campaignOf(campaign)).status).toBe("paused");
      expect((await reconnect(tenant, account.id, user("ok"))).body.success).toBe(true);
      await lookAtAccount(sending.api.deps, account.id);
      expect(await campaignOf(campaign)).toMatchObject({ status: was, paused_reason: null });
    },
  );

  test("by itself, with nobody to say so, its campaigns go on with the next check", async () => {
    const { account, campaign } = await paused();
    // As if whoever noted the status had died before the campaigns' turn.
    await sending.api.sql.query(
      "update connected_accounts set status = 'connected', heard_until = $2 where id = $1",
      [account.id, sending.api.deps.clock.now()],
    );
    await check();
    expect((await campaignOf(campaign)).status).toBe("active");
  });

  test("what somebody paused by hand stays paused", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    await tenant.call("POST", `${campaign.path}/pause`);
    await lose(account);
    sending.api.advance(15 * MINUTE);
    await check();
    await reconnect(tenant, account.id, user("ok"));
    expect(await campaignOf(campaign)).toMatchObject({
      status: "paused",
      paused_reason: "user_requested",
    });
  });

  test("tries to connect it anew do not begin the quarter of an hour again", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    await lose(account);
    sending.api.advance(10 * MINUTE);
    expect((await reconnect(tenant, account.id, user("ok"), "wrong")).status).toBe(400);
    sending.api.advance(5 * MINUTE);
    await check();
    expect((await campaignOf(campaign)).status).toBe("paused");
  });

  test("for a moment only disturbs nobody", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    await lose(account);
    sending.api.advance(10 * MINUTE);
    await reconnect(tenant, account.id, user("ok"));
    sending.api.advance(10 * MINUTE);
    await check();
    expect((await campaignOf(campaign)).status).toBe("active");
  });

  test("an email campaign of the workspace goes on", async () => {
    const account = await connected(tenant, user("ok"));
    const more = { connected_account_id: account.id };
    const campaign = await activeCampaign(sending.api, tenant, more);
    await lose(account);
    sending.api.advance(15 * MINUTE);
    await check();
    expect((await campaignOf(campaign)).status).toBe("active");
  });

  test("limited by the network is connected: nothing pauses", async () => {
    const account = await connected(tenant, user("ok"));
    const campaign = await mixed(account.id);
    await sending.api.sql.query(
      "update connected_accounts set rate_limited_until = $2, status_since = $3 where id = $1",
      [account.id, new Date("2100-01-01"), new Date("2020-01-01")],
    );
    expect((await read(tenant, account.id)).status).toBe("rate_limited");
    await check();
    expect((await campaignOf(campaign)).status).toBe("active");
  });
});

test("an account with a campaign under way cannot be deleted; a campaign that ended lets it go", async () => {
  const account = await connected(tenant, user("ok"));
  const campaign = await mixed(account.id);
  const { status, body } = await tenant.call("DELETE", `${ACCOUNTS}/${account.id}`);
  expect([status, body.campaign_ids]).toEqual([409, [campaign.id]]);
  await sending.api.sql.query("update campaigns set status = 'completed' where id = $1", [
    campaign.id,
  ]);
  expect((await tenant.call("DELETE", `${ACCOUNTS}/${account.id}`)).status).toBe(200);
  expect(await sendersOf(campaign)).toEqual([campaign.aliasId]);
});
