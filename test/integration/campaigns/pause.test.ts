import { describe, expect, test } from "vitest";
import {
  activeCampaign,
  createCampaign,
  forceStatus,
  launchable,
  runJob,
} from "../../support/campaigns.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

const pausedBy = async (paused_reason: string, more: object = {}) => {
  const campaign = await activeCampaign(api, tenant);
  await forceStatus(api.sql, campaign.id, "paused", {
    paused_reason,
    paused_from: "active",
    ...more,
  });
  return { ...campaign, resume: () => tenant.call("POST", `${campaign.path}/resume`) };
};

describe("pausing", () => {
  test("stops an active campaign, and resuming lets it go on", async () => {
    const { path, id, aliasId } = await activeCampaign(api, tenant);
    const paused = await tenant.call("POST", `${path}/pause`);
    expect([paused.status, paused.body.status, paused.body.paused_reason]).toEqual([
      200,
      "paused",
      "user_requested",
    ]);
    await query`update sender_lanes set next_slot_at = null where id = ${aliasId}`;
    await query`update campaigns set open_until = null where id = ${id}`;
    const resumed = await tenant.call("POST", `${path}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { status: "active", paused_reason: null } });
    const rows =
      await query`select c.open_until, lane.next_slot_at from campaigns c, sender_lanes lane where c.id = ${id} and lane.id = ${aliasId}`;
    expect(rows[0].open_until).not.toBeNull();
    expect(rows[0].next_slot_at).not.toBeNull();
  });

  test.each(["active", "draining"])(
    "one that was %s, and whose leads all ended meanwhile, is completed by its resume",
    async (was) => {
      const { path, id } = await activeCampaign(api, tenant);
      await forceStatus(api.sql, id, was);
      await tenant.call("POST", `${path}/pause`);
      await query`update campaign_leads set status = 'replied', next_step = null, next_action_at = null where campaign_id = ${id}`;
      expect((await tenant.call("POST", `${path}/resume`)).body.status).toBe("completed");
    },
  );

  test("a campaign that was draining drains on", async () => {
    const { path, id } = await activeCampaign(api, tenant);
    await forceStatus(api.sql, id, "draining");
    await query`update campaign_leads set status = 'active' where campaign_id = ${id}`;
    await tenant.call("POST", `${path}/pause`);
    expect((await tenant.call("POST", `${path}/resume`)).body.status).toBe("draining");
    expect((await tenant.call("POST", `${path}/resume`)).body.status).toBe("active");
  });

  test("and the launch's job at once: the pause waits for a state that has one", async () => {
    const { body } = await launchable(api, tenant);
    const { campaign_id } = await createCampaign(tenant, body);
    const path = `/api/v1/campaigns/${campaign_id}`;
    const launched = await tenant.call("POST", `${path}/launch`);
    const [outcome, pause] = await Promise.all([
      runJob(api, launched.body),
      tenant.call("POST", `${path}/pause`),
    ]);
    expect(outcome).toBe("activated");
    const { status } = (await tenant.call("GET", path)).body;
    expect([pause.status, status]).toEqual(
      pause.status === 200 ? [200, "paused"] : [409, "active"],
    );
  });

  test("twice at once pauses once", async () => {
    const { path } = await activeCampaign(api, tenant);
    const replies = await Promise.all([
      tenant.call("POST", `${path}/pause`),
      tenant.call("POST", `${path}/pause`),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("resuming", () => {
  test.each([
    "user_requested",
    "missed_schedule",
    "bounce_rate_exceeded",
    "complaint_rate_exceeded",
    "personalization_failing",
  ])("cures %s by itself", async (reason) => {
    const { resume } = await pausedBy(reason);
    expect((await resume()).body).toMatchObject({ status: "active", paused_reason: null });
  });

  test.each(["no_sender_available", "sender_domain_failing"])(
    "from %s needs a usable alias",
    async (reason) => {
      const { resume, aliasId } = await pausedBy(reason);
      await query`update mail_aliases set status = 'error' where id = ${aliasId}`;
      const refused = await resume();
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `The campaign stays paused (${reason}): none of its mail aliases is active on a domain in order.`,
      ]);
      await query`update mail_aliases set status = 'active' where id = ${aliasId}`;
      expect((await resume()).body.status).toBe("active");
    },
  );

  test("from credits_exhausted needs credits", async () => {
    const { resume } = await pausedBy("credits_exhausted");
    await query`update credit_balances set available = 0 where workspace_id = ${tenant.workspaceId}`;
    expect((await resume()).status).toBe(409);
    await query`update credit_balances set available = 1 where workspace_id = ${tenant.workspaceId}`;
    expect((await resume()).body.status).toBe("active");
  });

  test("from connected_account_unavailable needs the account", async () => {
    const { resume } = await pausedBy("connected_account_unavailable");
    expect((await resume()).body.message).toContain("not connected");
  });
});
