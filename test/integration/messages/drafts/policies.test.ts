/** The three launch policies from the schedule to the inbox, with their notices, over the API and the local composer. */
import { afterAll, beforeEach, expect, test } from "vitest";
import { checkScheduledLaunch } from "#src/domain/campaigns/launch/check.ts";
import { prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { type ModelPart, startModel } from "../../../../scripts/stack/model/model.ts";
import { createCampaign, insertDataset, runJob } from "../../../support/campaigns.ts";
import { forgetNotices, readOutbox, wantsAll } from "../../../support/notices.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

const query = queryOf(() => sending.api.sql);

let model: ModelPart;
let owner: string;

afterAll(() => model.close());
useSending(async () => (model = await startModel()).env, { credits: 100 });
beforeEach(async () => {
  await forgetNotices(sending.api);
  owner = await wantsAll(tenant);
});

/** A campaign for two leads with one AI step, whose date has come without anybody's having looked at a draft. */
async function due(policy: string) {
  const { aliasIds, campaignId } = await sending.campaign(tenant, { leads: 1 });
  await query`update campaigns set status = 'completed' where id = ${campaignId}`;
  const { datasetId } = await insertDataset(sending.api.sql, tenant, [
    { email: "ada@example.zz", firstName: "Ada" },
    { email: "eve@example.zz", firstName: "Eve" },
  ]);
  await tenant.call("POST", "/api/v1/sender-profiles/", {
    name: "Main",
    full_name: "Bo Berg",
    company: "Berg Logistics",
    is_default: true,
  });
  const made = await createCampaign(tenant, {
    name: "Spring",
    dataset_id: datasetId,
    alias_ids: aliasIds,
    steps: [
      {
        step: 1,
        ai_personalization_enabled: true,
        variants: [{ type: "INLINE", subject: "Your routes", body: "We plan the routes of vans." }],
      },
    ],
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    launch_type: "scheduled",
    start_date: new Date(Date.now() + 3_600_000).toISOString(),
    unreviewed_launch_policy: policy,
  });
  const path = `/api/v1/campaigns/${made.campaign_id}`;
  const launched = await tenant.call("POST", `${path}/launch`);
  expect([launched.status, launched.body.status]).toEqual([202, "scheduled"]);
  sending.api.advance(3_601);
  const rows =
    await query`select schedule_generation from campaigns where id = ${made.campaign_id}`;
  await checkScheduledLaunch(sending.api.deps, made.campaign_id, rows[0].schedule_generation);
  const read = async () => (await tenant.call("GET", path)).body;
  return { id: made.campaign_id as string, path, read };
}

const runWaiting = async (campaignId: string) => {
  const rows =
    await query`select id from generations where campaign_id = ${campaignId} and status = 'pending'`;
  for (const { id } of rows) await runGeneration(sending.api.deps, id);
};
const toLeads = async () =>
  (await sending.mailbox.messages()).filter(({ to }) =>
    to.some((each) => each.endsWith("@example.zz")),
  );
const told = async () => {
  await readOutbox(sending);
  return (await sending.mailbox.messages({ to: owner })).map(({ subject }) => subject);
};
const ticks = async (count: number) => {
  for (let n = 0; n < count; n++) {
    await sending.tick();
    sending.api.advance(400);
  }
};

test("hold: nothing launches unseen; reviewed and resumed, each lead gets exactly what was approved", async () => {
  const { id, path, read } = await due("hold");
  expect(await read()).toMatchObject({
    status: "paused",
    paused_reason: "personalization_review_pending",
  });
  expect(await told()).toEqual([expect.stringContaining("Spring")]);
  const batch = await tenant.call("POST", `${path}/playground/generate`, { step_index: 1 });
  expect(batch.status).toBe(202);
  await runWaiting(id);
  const query = `batch_id=${batch.body.batch_id}`;
  const { body } = await tenant.call("GET", `${path}/playground/drafts?${query}`);
  const [ada, eve] = body.drafts;
  const edited = { subject: "For {{ you }}, Ada", body: "Not {a|b} template:\n\n50 % & more < 60" };
  const approve = (lead: string, more: object = {}) =>
    tenant.call("POST", `${path}/leads/${lead}/approve`, { step_index: 1, ...more });
  expect((await approve(ada.campaign_lead_id, edited)).status).toBe(200);

  const resumed = await tenant.call("POST", `${path}/resume`);
  expect(resumed.body.status).toBe("launching");
  expect(await runJob(sending.api, resumed.body)).toBe("activated");
  await ticks(2);
  const [first, ...others] = await toLeads();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ subject: edited.subject, to: ["ada@example.zz"] });
  expect(first!.text.startsWith(edited.body)).toBe(true);
  const { body: status } = await tenant.call("GET", `${path}/sending-status`);
  expect(status.leads).toMatchObject({ awaiting_review: 1 });

  // Approved, taken back, approved again: it goes out once, as it was drafted.
  await approve(eve.campaign_lead_id);
  await tenant.call("POST", `${path}/leads/${eve.campaign_lead_id}/unapprove`, { step_index: 1 });
  await ticks(2);
  expect(await toLeads()).toHaveLength(1);
  await approve(eve.campaign_lead_id);
  await ticks(2);
  const messages = await toLeads();
  expect(messages).toHaveLength(2);
  const second = messages.find(({ to }) => to.includes("eve@example.zz"))!;
  expect(second.subject).toBe(eve.subject);
  expect(second.text.startsWith(eve.body.trim())).toBe(true);
  expect((await read()).status).toBe("completed");
});

test("launch_default: it launches, and fresh drafts are written for their slots", async () => {
  const { id, read, path } = await due("launch_default");
  const launching = await read();
  expect(launching.status).toBe("launching");
  expect(await runJob(sending.api, launching)).toBe("activated");
  await ticks(1);
  expect(await toLeads()).toEqual([]);
  expect(await prefetchDrafts(sending.api.deps)).toBe(2);
  await runWaiting(id);
  await ticks(2);
  expect(await toLeads()).toHaveLength(2);
  expect(await told()).toEqual([]);
  const { body } = await tenant.call("GET", "/api/v1/payments/balance");
  expect(body).toMatchObject({ available: 98, held: 0 });
  expect((await tenant.call("GET", path)).body.status).toBe("completed");
});

test("a text that passes no check ends nobody who waits for a person by then", async () => {
  const { id, read, path } = await due("launch_default");
  expect(await runJob(sending.api, await read())).toBe("activated");
  expect(await prefetchDrafts(sending.api.deps)).toBe(2);
  expect((await tenant.call("PATCH", path, { unreviewed_launch_policy: "hold" })).status).toBe(200);
  model.faults.order("extra-link", 4);
  await runWaiting(id);
  const generations = await query`select status from generations where campaign_id = ${id}`;
  expect(generations).toMatchObject([{ status: "failed" }, { status: "failed" }]);
  const leads =
    await query`select status, hold_reason from campaign_leads where campaign_id = ${id}`;
  const waits = { status: "pending", hold_reason: "personalization_review_pending" };
  expect(leads).toMatchObject([waits, waits]);
});
