/** A campaign that waits for its account goes on by itself, but not if its owner has paused it meanwhile. */
import { expect, test } from "vitest";
import { resumeWithAccount } from "#src/domain/campaigns/account-pauses.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { syncAccount } from "#src/domain/network/sync-account.ts";
import { lookAtAccount } from "#src/domain/replies/inbound/network/look-at-account.ts";
import { activeCampaign, forceStatus, inlineStep } from "../../support/campaigns.ts";
import { connected, reconnect, setting, tenant, useAccounts, user } from "./accounts-setting.ts";

useAccounts();

const MINUTE = 60;

/** Of a campaign whose account has been away for a quarter of an hour. */
async function pausedFrom(was: string) {
  const { api, network } = setting;
  const { deps, sql } = api;
  const account = await connected(tenant, user("ok"));
  const { id, path } = await activeCampaign(api, tenant, {
    type: "mixed",
    connected_account_id: account.id,
    steps: [inlineStep(1, { channel: "email" })],
  });
  await sql.query("update campaign_leads set status = 'active' where campaign_id = $1", [id]);
  await forceStatus(sql, id, was);
  network.control.setStatus(account.provider_account_id, "CREDENTIALS");
  await syncAccount(deps, account.provider_account_id);
  api.advance(15 * MINUTE);
  await fullCheck(deps);
  const call = (verb: string) => tenant.call("POST", `${path}/${verb}`);
  const campaign = async () => (await tenant.call("GET", path)).body;
  expect(await campaign()).toMatchObject({
    status: "paused",
    paused_reason: "connected_account_unavailable",
  });
  return {
    pause: () => call("pause"),
    resume: () => call("resume"),
    campaign,
    comeBack: async () => {
      expect((await reconnect(tenant, account.id, user("ok"))).body.success).toBe(true);
      await lookAtAccount(deps, account.id);
    },
    /** Its account is there, and its campaigns' turn has not come. */
    isBack: () =>
      sql.query(
        "update connected_accounts set status = 'connected', heard_until = $2 where id = $1",
        [account.id, deps.clock.now()],
      ),
    resumeItself: () => resumeWithAccount(deps, account.id),
    guardSince: async () =>
      (await sql.query("select guard_since from campaigns where id = $1", [id])).rows[0]
        .guard_since,
  };
}

const BY_OWNER = { status: "paused", paused_reason: "user_requested" };

test.each(["active", "draining"])(
  "what was %s and waits for its account is paused by its owner, too: only they resume it",
  async (was) => {
    const { pause, resume, campaign, comeBack } = await pausedFrom(was);
    expect(await pause()).toMatchObject({ status: 200, body: BY_OWNER });
    expect((await pause()).status).toBe(409);
    await comeBack();
    expect(await campaign()).toMatchObject(BY_OWNER);
    expect((await resume()).body).toMatchObject({ status: was, paused_reason: null });
  },
);

test("a pause while its account comes back ends it, whichever is first", async () => {
  const { pause, campaign, isBack, resumeItself } = await pausedFrom("active");
  await isBack();
  const [reply] = await Promise.all([pause(), resumeItself()]);
  expect(reply).toMatchObject({ status: 200, body: BY_OWNER });
  expect(await campaign()).toMatchObject(BY_OWNER);
});

test("its rates of bounces begin anew when its owner resumes it, not when its account is back", async () => {
  const { pause, resume, campaign, comeBack, guardSince } = await pausedFrom("active");
  await comeBack();
  expect(await campaign()).toMatchObject({ status: "active" });
  expect(await guardSince()).toBeNull();
  await pause();
  await resume();
  expect(await guardSince()).not.toBeNull();
});
