/** What is sent of a step that a model writes: what was approved, or what was written for the send; else nothing. */
import { randomUUID } from "node:crypto";
import { createPostgresStore } from "#db/engine/index.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../../support/begin-wish.ts";
import { createDrafts, type DraftOf } from "../../../support/drafts.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const DAY = 86_400;
const TEXT = {
  subject: "Your new depot",
  body: "Hello Ada,\n\n50 % of {{ nothing }} {a|b}.\n\nBo",
};

let drafts: ReturnType<typeof createDrafts>;
beforeEach(() => {
  drafts = createDrafts(sending.api, tenant);
});

async function campaign(policy: string, options: { leads?: number; steps?: number } = {}) {
  const { leads = 1, steps = 1 } = options;
  const rows = await sending.campaign(tenant, {
    leads,
    steps: Array.from({ length: steps }, (_, index) => ({ delayDays: index })),
  });
  await drafts.personalize(rows.campaignId, policy);
  const path = `/api/v1/campaigns/${rows.campaignId}`;
  const draftOf = (index = 0, step = 1): DraftOf => ({
    campaignId: rows.campaignId,
    campaignLeadId: rows.campaignLeadIds[index]!,
    step,
  });
  return { ...rows, path, draftOf, holdOf: (index = 0) => holdOf(rows.campaignLeadIds[index]!) };
}

const holdOf = async (id: string) => (await sending.leadOf(id)).hold_reason;
const inbox = async () =>
  (await sending.mailbox.messages()).map(({ subject, text }) => ({ subject, text }));
const changeLead = (id: string, change: string) =>
  sending.api.sql.query(
    `update leads set ${change} where id = (select lead_id from campaign_leads where id = $1)`,
    [id],
  );

describe.each(["launch_default", "cancel", "hold"])("under the policy %s", (policy) => {
  const waits = policy === "hold" ? "personalization_review_pending" : "awaiting_draft";

  test("nothing goes out without a text, and the lane is free for others meanwhile", async () => {
    const waiting = await campaign(policy);
    const other = await sending.campaign(tenant, { leads: 1, aliases: waiting.aliasIds });
    await sending.tick();
    expect(await sending.sendsOf(waiting.campaignId)).toEqual([]);
    expect(await sending.sendsOf(other.campaignId)).toMatchObject([{ state: "accepted" }]);
    expect(await waiting.holdOf()).toBe(waits);
  });

  test("what was approved is sent as it is, whatever stands in it", async () => {
    const { draftOf } = await campaign(policy);
    await drafts.write(draftOf(), { subject: "Another", body: "Not this" });
    await drafts.approve(draftOf(), TEXT);
    await sending.tick();
    const [message] = await inbox();
    expect(message!.subject).toBe(TEXT.subject);
    expect(message!.text.startsWith(TEXT.body)).toBe(true);
  });

  test("an approved text is not sent to somebody else than it was approved for", async () => {
    const { draftOf, holdOf, campaignLeadIds, campaignId } = await campaign(policy);
    await drafts.approve(draftOf(), TEXT);
    await changeLead(campaignLeadIds[0]!, "title = 'Head of sales'");
    await sending.tick();
    expect(await inbox()).toEqual([]);
    expect(await holdOf()).toBe(waits);
    const [send] = await sending.sendsOf(campaignId);
    expect(send).toMatchObject({ state: "released", attempts: 0 });
    expect(send.reason).toContain("has changed since");
    // A fact that says nothing of who it is changes no text.
    const same = await campaign(policy);
    await drafts.approve(same.draftOf(), TEXT);
    await changeLead(same.campaignLeadIds[0]!, "phone = '+44 20 7946 0000', tags = '{x}'");
    await sending.tick();
    expect(await inbox()).toHaveLength(1);
  });

  test.each(["approve", "unapprove", "reset"])(
    "nor after an %s that was answered while its send was claimed",
    async (verb) => {
      const { path, draftOf, holdOf, campaignLeadIds } = await campaign(policy);
      await drafts.approve(draftOf(), TEXT);
      const store = createPostgresStore(sending.api.deps.db);
      const { now: clock } = sending.api.deps.clock;
      const now = clock();
      const workerToken = randomUUID();
      const order = { now, until: now, limit: 5, workerToken, leaseSeconds: 180 };
      await maintain(store, now, now, new Set());
      const [claimed] = await store.claim(order);
      if (verb === "approve")
        await drafts.write(draftOf(), { subject: "Later", body: "Than the claim" }, "playground");
      const review = await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/${verb}`, {
        step_index: 1,
      });
      expect(review.status).toBe(200);
      const begin = beginWish(claimed!.id, now);
      expect(await store.recordAndBegin(now, workerToken, [], [begin])).toEqual([
        { id: claimed!.id, begun: false, reason: "lease_lost" },
      ]);
      await sending.tick();
      sending.api.advance(400);
      await sending.tick();
      if (verb === "approve")
        expect((await inbox()).map(({ subject }) => subject)).toEqual(["Later"]);
      else expect([await inbox(), await holdOf()]).toEqual([[], waits]);
    },
  );

  test("nor after its step was written anew", async () => {
    const { draftOf, holdOf, campaignId } = await campaign(policy);
    await drafts.approve(draftOf(), TEXT);
    await query`update campaigns set steps = jsonb_set(steps, '{0,variants,0,body}', '"Something else"') where id = ${campaignId}`;
    await sending.tick();
    expect([await inbox(), await holdOf()]).toEqual([[], waits]);
  });

  test("a lead that is released by hand waits again, and its slot is another's", async () => {
    const { path, draftOf, holdOf, campaignLeadIds } = await campaign(policy, { leads: 2 });
    await drafts.approve(draftOf(1), TEXT);
    const released = await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/release`);
    expect(released.body.hold_reason).toBeNull();
    await sending.tick();
    expect(await holdOf()).toBe(waits);
    expect(await inbox()).toHaveLength(1);
    const rows =
      await query`select used, used_new from campaigns where id = ${draftOf().campaignId}`;
    expect(rows).toEqual([{ used: 1, used_new: 1 }]);
  });

  test("the next step waits from the acceptance of the one before, unless it has its text", async () => {
    const { draftOf, holdOf } = await campaign(policy, { leads: 2, steps: 2 });
    for (const index of [0, 1]) await drafts.approve(draftOf(index), TEXT);
    await drafts.approve(draftOf(1, 2), { subject: "", body: "And again" });
    await sending.tick();
    sending.api.advance(100);
    await sending.tick();
    expect([await holdOf(0), await holdOf(1)]).toEqual([waits, null]);
    sending.api.advance(DAY);
    await sending.tick();
    const [, , third] = await sending.mailbox.messages();
    expect(third).toMatchObject({ subject: TEXT.subject, to: ["lead2@example.zz"] });
    expect(third!.headers["in-reply-to"]).toBeDefined();
  });

  test("a person's hold stays, whatever is approved or written", async () => {
    const { path, draftOf, campaignLeadIds } = await campaign(policy);
    const lead = `${path}/leads/${campaignLeadIds[0]}`;
    await tenant.call("POST", `${lead}/hold`, { hold_reason: "on holiday" });
    await drafts.approve(draftOf(), TEXT);
    await drafts.write(draftOf(), TEXT);
    expect(await holdOf(campaignLeadIds[0]!)).toBe("on holiday");
    await tenant.call("POST", `${lead}/release`);
    await sending.tick();
    expect(await inbox()).toHaveLength(1);
  });
});

test("a text that was written for the send goes out, and not one that was made to be looked at", async () => {
  const { draftOf, holdOf } = await campaign("launch_default", { leads: 2 });
  await drafts.write(draftOf(0), TEXT);
  await drafts.write(draftOf(1), { ...TEXT, subject: "A draft" }, "playground");
  await sending.tick();
  sending.api.advance(100);
  await sending.tick();
  expect((await inbox()).map(({ subject }) => subject)).toEqual([TEXT.subject]);
  expect(await holdOf(1)).toBe("awaiting_draft");
});

test("under the policy hold nothing goes out that nobody has seen, whatever is there", async () => {
  const { draftOf, path, campaignLeadIds, holdOf } = await campaign("hold");
  await drafts.write(draftOf(), TEXT);
  expect(await holdOf()).toBe("personalization_review_pending");
  await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/release`);
  await sending.tick();
  expect([await inbox(), await holdOf()]).toEqual([[], "personalization_review_pending"]);
});

test("another policy lets the leads wait for the other thing", async () => {
  const { path, draftOf, holdOf } = await campaign("launch_default", { leads: 4 });
  await drafts.write(draftOf(1), TEXT);
  await drafts.approve(draftOf(2), TEXT);
  // A generation that failed is no text.
  const failed = await drafts.write(draftOf(3), TEXT);
  await query`update generations set status = 'failed' where id = ${failed}`;
  await query`update campaign_leads set hold_reason = 'awaiting_draft' where id = ${draftOf(3).campaignLeadId}`;
  const holds = async () => Promise.all([0, 1, 2, 3].map(holdOf));
  expect(await holds()).toEqual(["awaiting_draft", null, null, "awaiting_draft"]);
  await tenant.call("PATCH", path, { unreviewed_launch_policy: "hold" });
  const pending = "personalization_review_pending";
  expect(await holds()).toEqual([pending, pending, null, pending]);
  await tenant.call("PATCH", path, { unreviewed_launch_policy: "cancel" });
  expect(await holds()).toEqual(["awaiting_draft", null, null, "awaiting_draft"]);
});

test("a step that no model writes any more waits for nothing", async () => {
  const { path, holdOf, campaignId } = await campaign("hold");
  await tenant.call("POST", `${path}/pause`);
  const { body } = await tenant.call("GET", path);
  const steps = body.steps_config.map((step: object) => ({
    ...step,
    ai_personalization_enabled: false,
  }));
  expect((await tenant.call("PATCH", path, { steps })).status).toBe(200);
  expect(await holdOf()).toBeNull();
  await tenant.call("POST", `${path}/resume`);
  await sending.tick();
  expect(await sending.sendsOf(campaignId)).toMatchObject([{ state: "accepted" }]);
});

test("a lead that goes on by hand waits for the text of its step", async () => {
  const { path, campaignLeadIds, holdOf } = await campaign("launch_default");
  const lead = `${path}/leads/${campaignLeadIds[0]}`;
  // Another lead keeps the campaign running.
  await query`update campaigns set status = 'paused' where id = ${path.split("/").at(-1)}`;
  await tenant.call("POST", `${lead}/stop`);
  expect(await holdOf()).toBeNull();
  const resumed = await tenant.call("POST", `${lead}/mark`, { as: "resumed" });
  expect(resumed.body).toMatchObject({ status: "pending", hold_reason: "awaiting_draft" });
});

test("the service's own reasons for a hold are nobody else's", async () => {
  const { path, campaignLeadIds } = await campaign("launch_default");
  for (const hold_reason of ["awaiting_draft", "personalization_review_pending"]) {
    const answer = await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/hold`, {
      hold_reason,
    });
    expect([answer.status, answer.body.detail ?? answer.body.error?.code]).toEqual([
      422,
      expect.anything(),
    ]);
  }
});

describe("a preview", () => {
  test("shows what would be sent, else the newest draft, and says which", async () => {
    const { path, draftOf, campaignLeadIds } = await campaign("hold");
    const render = () =>
      tenant.call("POST", `${path}/steps/1/render`, { campaign_lead_id: campaignLeadIds[0] });
    const none = await render();
    expect(none.status).toBe(404);
    expect(JSON.stringify(none.body)).toContain("DRAFT_NOT_FOUND");
    await drafts.write(draftOf(), { subject: "One", body: "First" }, "playground");
    sending.api.advance(1);
    await drafts.write(draftOf(), { subject: "Two", body: "Second" }, "playground");
    expect((await render()).body).toMatchObject({ subject: "Two", text_source: "newest_draft" });
    await drafts.approve(draftOf(), TEXT);
    expect((await render()).body).toMatchObject({
      subject: TEXT.subject,
      text_source: "approved",
    });
    const test = await tenant.call("POST", `${path}/steps/1/send-test`, {
      to_email: "me@example.zz",
      campaign_lead_id: campaignLeadIds[0],
    });
    expect(test.body).toMatchObject({ subject: TEXT.subject, text_source: "approved" });
  });

  test("of a step of its own says so", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const { body } = await tenant.call(
      "POST",
      `/api/v1/campaigns/${campaignId}/steps/1/render`,
      {},
    );
    expect(body.text_source).toBe("step");
  });
});
