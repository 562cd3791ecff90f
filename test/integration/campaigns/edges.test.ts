import { describe, expect, test } from "vitest";
import { softDeleteCampaign } from "#db/campaigns/campaigns.ts";
import { pauseStranded } from "#db/campaigns/guardrails.ts";
import { failLaunch } from "#db/campaigns/launch.ts";
import { addCampaignLeads } from "#db/campaigns/leads.ts";
import { moveCampaign } from "#db/campaigns/state.ts";
import { targetOf, TRIGGERS } from "#db/base/fragments/transitions.ts";
import { createPostgresStore } from "#db/engine/index.ts";
import { CAMPAIGN_STATUSES, type CampaignStatus } from "#db/schema/index.ts";
import { createCampaign, forceStatus, insertDataset, launchable } from "../../support/campaigns.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi();

/** What a person can ask of a campaign, and in which states it is an edge of the contract's table, with where it leads. */
const VERBS: Record<string, Partial<Record<CampaignStatus, CampaignStatus>>> = {
  launch: { draft: "launching", failed: "launching" },
  unschedule: { scheduled: "draft" },
  pause: { active: "paused", draining: "paused" },
  resume: { paused: "active", draining: "active" },
  drain: { active: "draining" },
  reset: { failed: "draft" },
};

/** A campaign that was brought into the state past the API: how it got there is not what this asks. */
async function campaignIn(status: CampaignStatus) {
  const { body } = await launchable(api, tenant, [
    { email: "ada@example.zz" },
    { email: "eve@example.zz" },
  ]);
  const { campaign_id: id } = await createCampaign(tenant, body);
  const ran = ["active", "draining", "paused", "completed"].includes(status);
  await forceStatus(api.sql, id, status, {
    launch_job_id: status === "launching" ? "00000000-0000-4000-8000-000000000001" : null,
    launched_at: ran ? new Date() : null,
    paused_from: status === "paused" ? "active" : null,
    paused_reason: status === "paused" ? "user_requested" : null,
  });
  if (ran && status !== "completed")
    // Somebody is under way, or draining would be done at once.
    await query`insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step,
         next_action_at, metadata, created_at, updated_at)
       select gen_random_uuid(), workspace_id, id, gen_random_uuid(), dataset_id, 0, 'x@example.zz', 'x@example.zz', 'active', 1, 1, now(), '{}', now(), now()
       from campaigns where id = ${id}`;
  return { id, path: `/api/v1/campaigns/${id}` };
}

const pairs = Object.keys(VERBS).flatMap((verb) =>
  CAMPAIGN_STATUSES.map((status) => [verb, status] as const),
);

describe("every state and every verb", () => {
  test.each(pairs)("%s of a campaign that is %s", async (verb, status) => {
    const { path } = await campaignIn(status);
    const to = VERBS[verb]![status];
    const reply = await tenant.call("POST", `${path}/${verb}`);
    if (to === undefined) {
      expect([reply.status, reply.body.detail, reply.body.status]).toEqual([
        409,
        "INVALID_STATE_TRANSITION",
        status,
      ]);
      expect((await tenant.call("GET", path)).body.status).toBe(status);
    } else {
      expect([reply.status, reply.body.status]).toEqual([verb === "launch" ? 202 : 200, to]);
    }
  });

  test.each(CAMPAIGN_STATUSES.map((status) => [status]))(
    "adding leads to one that is %s",
    async (status) => {
      const { path } = await campaignIn(status);
      const { leadIds } = await insertDataset(api.sql, tenant, [{ email: "new@example.zz" }]);
      const reply = await tenant.call("POST", `${path}/leads`, { lead_ids: leadIds });
      const after = (await tenant.call("GET", path)).body.status;
      if (status === "failed") {
        expect([reply.status, reply.body.detail]).toEqual([409, "INVALID_STATE_TRANSITION"]);
        expect(after).toBe("failed");
      } else {
        expect([reply.status, reply.body.added]).toEqual([200, 1]);
        expect(after).toBe(status === "completed" ? "active" : status);
      }
    },
  );
});

describe("what the service does by itself takes the table's edges and no other", () => {
  const jobId = "00000000-0000-4000-8000-000000000001";
  const now = () => api.deps.clock.now();

  async function bareCampaign() {
    const { body } = await launchable(api, tenant);
    const { campaign_id: id } = await createCampaign(tenant, body);
    const statusOf = async (): Promise<CampaignStatus> =>
      (await query`select status from campaigns where id = ${id}`)[0].status;
    return { id: id as string, statusOf };
  }

  test.each([
    [
      "the pause without a sender",
      { active: "paused", draining: "paused" },
      () => pauseStranded(api.deps.db, now()),
    ],
    [
      "the completion",
      { active: "completed", draining: "completed" },
      (id: string) => createPostgresStore(api.deps.db).complete(now(), [id]),
    ],
    [
      "the failure of a launch",
      { launching: "failed" },
      (id: string) => failLaunch(api.deps.db, { campaignId: id, jobId, now: now() }, "why"),
    ],
  ] as [
    string,
    Partial<Record<CampaignStatus, CampaignStatus>>,
    (id: string) => Promise<unknown>,
  ][])("%s", async (_name, edges, act) => {
    const { id, statusOf } = await bareCampaign();
    const after: Partial<Record<CampaignStatus, CampaignStatus>> = {};
    for (const status of CAMPAIGN_STATUSES) {
      await forceStatus(api.sql, id, status, { launch_job_id: jobId });
      await act(id);
      const to = await statusOf();
      if (to !== status) after[status] = to;
    }
    expect(after).toEqual(edges);
  });

  test("a move by a trigger that has no edge from the campaign's state takes no row", async () => {
    const { id, statusOf } = await bareCampaign();
    const { workspaceId } = tenant;
    for (const trigger of TRIGGERS)
      for (const status of CAMPAIGN_STATUSES) {
        await forceStatus(api.sql, id, status);
        const campaign = { id, workspaceId, status };
        const moved = await moveCampaign(api.deps.db, { campaign, trigger, set: {}, now: now() });
        const to = targetOf(status, trigger);
        expect([trigger, status, moved?.status, await statusOf()]).toEqual([
          trigger,
          status,
          to,
          to ?? status,
        ]);
      }
  });

  test("leads are not added to one that failed meanwhile", async () => {
    const { id } = await bareCampaign();
    const { leadIds } = await insertDataset(api.sql, tenant, [{ email: "new@example.zz" }]);
    await forceStatus(api.sql, id, "failed");
    const campaign = { id, workspaceId: tenant.workspaceId };
    const order = { campaign, leadIds, firstActionAt: now(), window: null, now: now() };
    expect(await addCampaignLeads(api.deps.db, order)).toBeNull();
    expect((await tenant.call("GET", `/api/v1/campaigns/${id}/leads`)).body.items).toEqual([]);
  });

  test.each(CAMPAIGN_STATUSES.map((status) => [status]))(
    "deleting one that is %s",
    async (status) => {
      const { id } = await bareCampaign();
      await forceStatus(api.sql, id, status);
      const gone = await softDeleteCampaign(api.deps.db, tenant.workspaceId, id, now());
      expect(gone).toBe(["draft", "paused", "completed", "failed"].includes(status));
      const reply = await tenant.call("DELETE", `/api/v1/campaigns/${id}`);
      expect([reply.status, reply.body]).toEqual(
        gone
          ? [404, expect.anything()]
          : [
              409,
              {
                detail: "CAMPAIGN_ACTIVE",
                message: `The campaign is ${status}: deleting is possible from draft, paused, completed, failed.`,
                status,
              },
            ],
      );
    },
  );
});
