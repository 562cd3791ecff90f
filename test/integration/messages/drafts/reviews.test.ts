import { describe, expect, test } from "vitest";
import { aiStep, inlineStep } from "../../../support/campaigns.ts";
import {
  aiCampaign,
  api,
  drafted,
  drafts,
  expectError,
  people,
  review,
  useDrafts,
  query,
} from "./setting.ts";

useDrafts();

async function withDrafts(more: Parameters<typeof aiCampaign>[1] = {}) {
  const tenant = await api.tenant();
  const made = await aiCampaign(tenant, more);
  const batch = await drafted(tenant, made.path);
  const { body } = await drafts(tenant, made.path, batch.batch_id);
  const [lead] = batch.enqueued_lead_ids as [string];
  return { ...made, tenant, batch, drafts: body.drafts, lead };
}

const leadOf = async (
  { tenant, path }: Pick<Awaited<ReturnType<typeof withDrafts>>, "tenant" | "path">,
  id: string,
) => (await tenant.call("GET", `${path}/leads/${id}`)).body;

const ENTRY_FIELDS = [
  ...["approved_at", "approved_by", "body", "generation_latency_ms", "lead_identity_fingerprint"],
  ...["model", "prompt_snapshot", "prompt_version_hash", "research_cache_fingerprint"],
  ...["sender_profile_id", "step_config_fingerprint", "step_index", "subject", "template_id"],
  "variant_label",
];

describe("an approval", () => {
  test("keeps the draft with every field of an entry, in the lead's metadata", async () => {
    const { tenant, path, id, lead, profileId, drafts: shown } = await withDrafts();
    const { status, body } = await review(tenant, path, lead, "approve", { step_index: 1 });
    expect([status, body]).toEqual([
      200,
      {
        campaign_id: id,
        campaign_lead_id: lead,
        step_index: 1,
        approved_steps: [1],
        updated_at: expect.any(String),
        approved_entry: expect.objectContaining({
          subject: shown[0].subject,
          body: shown[0].body,
          prompt_version_hash: shown[0].prompt_version_hash,
          lead_identity_fingerprint: shown[0].lead_identity_fingerprint,
          step_config_fingerprint: shown[0].step_config_fingerprint,
          step_index: 1,
          variant_label: "A",
          approved_by: tenant.userId,
          sender_profile_id: profileId,
          template_id: null,
          model: "local-composer-1",
        }),
      },
    ]);
    expect(Object.keys(body.approved_entry).toSorted()).toEqual(ENTRY_FIELDS);
    expect(await leadOf({ tenant, path }, lead)).toMatchObject({
      approved_steps: [1],
      metadata: { approved_emails: { 1: body.approved_entry } },
    });
    const { items } = (await tenant.call("GET", `${path}/leads`)).body;
    expect(items[0].metadata.approved_emails["1"]).toEqual(body.approved_entry);
    const { reviewed_at } = (await tenant.call("GET", path)).body;
    expect(reviewed_at).toEqual(expect.any(String));
  });

  test("takes a person's own words, of the draft that was looked at", async () => {
    const { tenant, path, lead, batch, drafts: shown } = await withDrafts();
    const words = { subject: "Mine", body: "<p>Hello {{ first_name }} {a|b}</p>" };
    const looked = { step_index: 1, batch_id: batch.batch_id };
    const wrong = { ...looked, expected_draft_hash: "0".repeat(64) };
    expectError(await review(tenant, path, lead, "approve", wrong), 409, "DRAFT_CHANGED");
    const order = { ...looked, ...words, expected_draft_hash: shown[0].draft_hash };
    const { body } = await review(tenant, path, lead, "approve", order);
    expect(body.approved_entry).toMatchObject(words);
    const { drafts: after } = (await drafts(tenant, path, batch.batch_id)).body;
    expect(after[0]).toMatchObject({ approved: true, subject: shown[0].subject });
    expect(after[1]).toMatchObject({ approved: false, approved_at: null });
  });

  test("of two people who approve at once one is refused, and replaces what is there when told so", async () => {
    const { tenant, path, lead } = await withDrafts();
    const order = { step_index: 1, replaces_approved_at: null };
    const replies = await Promise.all(
      ["One", "Two", "Three"].map((subject) =>
        review(tenant, path, lead, "approve", { ...order, subject }),
      ),
    );
    const taken = replies.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(1);
    for (const reply of replies)
      if (reply !== taken[0]) expectError(reply, 409, "APPROVED_MEANWHILE");
    const { approved_at } = taken[0]!.body.approved_entry;
    const after = { step_index: 1, replaces_approved_at: approved_at, subject: "Four" };
    const { body } = await review(tenant, path, lead, "approve", after);
    expect(body.approved_entry).toMatchObject({ subject: "Four" });
    await review(tenant, path, lead, "unapprove", { step_index: 1 });
    const gone = await review(tenant, path, lead, "approve", after);
    expectError(gone, 409, "APPROVED_MEANWHILE");
  });

  test("refuses words that make no message", async () => {
    const { tenant, path, lead } = await withDrafts();
    for (const more of [{ subject: "Two\nlines" }, { body: "<b>".repeat(600) }]) {
      const reply = await review(tenant, path, lead, "approve", { step_index: 1, ...more });
      expect([more, reply.status]).toEqual([more, 422]);
    }
  });

  test("has nothing to approve where nothing is written", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { steps: [aiStep(), inlineStep(2)] });
    const begun = await tenant.call("POST", `${path}/playground/generate`, { step_index: 1 });
    const [lead] = begun.body.enqueued_lead_ids;
    const approve = (body: object) => review(tenant, path, lead, "approve", body);
    expectError(await approve({ step_index: 1 }), 404, "DRAFT_NOT_FOUND");
    const of = { step_index: 1, batch_id: begun.body.batch_id };
    expectError(await approve(of), 404, "DRAFT_NOT_FOUND");
    expectError(await approve({ step_index: 3 }), 422, "STEP_INDEX_OUT_OF_RANGE");
    const nobody = await review(tenant, path, path.slice(-36), "approve", { step_index: 1 });
    expectError(nobody, 404, "CAMPAIGN_LEAD_NOT_FOUND");
  });

  test("is of the newest draft of all batches", async () => {
    const { tenant, path, lead, batch } = await withDrafts({ leads: people(1) });
    const second = await drafted(tenant, path, { custom_prompt: "Write in French. ".repeat(8) });
    const { drafts: newest } = (await drafts(tenant, path, second.batch_id)).body;
    const approve = async (body: object) =>
      (await review(tenant, path, lead, "approve", { step_index: 1, ...body })).body.approved_entry;
    expect((await approve({})).prompt_version_hash).toBe(newest[0].prompt_version_hash);
    const older = await approve({ batch_id: batch.batch_id });
    expect(older.prompt_version_hash).not.toBe(newest[0].prompt_version_hash);
  });

  test("of a draft whose lead or step has changed is refused, and shown as stale", async () => {
    const { tenant, path, lead, batch, datasetId, leadIds, profileId } = await withDrafts();
    const at = `/api/v1/datasets/${datasetId}/leads/${leadIds[0]}`;
    await tenant.call("PATCH", at, { company: "Another Ltd" });
    const stale = async () =>
      (await drafts(tenant, path, batch.batch_id)).body.drafts.map(
        (draft: { stale: boolean }) => draft.stale,
      );
    expect(await stale()).toEqual([true, false, false]);
    const approve = (id: string) => review(tenant, path, id, "approve", { step_index: 1 });
    expectError(await approve(lead), 409, "DRAFT_CHANGED");
    expect((await approve(batch.enqueued_lead_ids[1]!)).status).toBe(200);
    await tenant.call("PATCH", `/api/v1/sender-profiles/${profileId}`, { tone: "warm" });
    expect(await stale()).toEqual([true, true, true]);
  });

  test("and its undoing meet a step that was sent: 409", async () => {
    const { tenant, path, lead } = await withDrafts();
    await review(tenant, path, lead, "approve", { step_index: 1 });
    await query`update campaign_leads set current_step = 1 where id = ${lead}`;
    for (const verb of ["approve", "unapprove", "reset"])
      expectError(
        await review(tenant, path, lead, verb, { step_index: 1 }),
        409,
        "STEP_ALREADY_SENT",
      );
    // What was sent stays on record, whatever is reset.
    expect((await review(tenant, path, lead, "reset", {})).body.approved_steps).toEqual([1]);
  });
});

describe("taking it back", () => {
  test("removes the entry and answers it; nothing to remove is an answer too", async () => {
    const { tenant, path, lead } = await withDrafts();
    const row = async () =>
      (await query`select metadata, updated_at from campaign_leads where id = ${lead}`)[0];
    const before = await row();
    const none = await review(tenant, path, lead, "unapprove", { step_index: 1 });
    expect([none.status, none.body.approved_entry]).toEqual([200, null]);
    expect(await row()).toEqual(before);
    const approved = (await review(tenant, path, lead, "approve", { step_index: 1 })).body;
    const back = await review(tenant, path, lead, "unapprove", { step_index: 1 });
    expect(back.body).toMatchObject({
      step_index: 1,
      approved_steps: [],
      approved_entry: approved.approved_entry,
    });
    const again = await review(tenant, path, lead, "unapprove", { step_index: 1 });
    expect([again.status, again.body.approved_entry]).toEqual([200, null]);
    expect(await leadOf({ tenant, path }, lead)).toMatchObject({ approved_steps: [] });
  });

  test("counts as a review; a reset does not", async () => {
    const reviewedAfter = async (verb: string) => {
      const { tenant, path, lead } = await withDrafts({ leads: people(1) });
      await review(tenant, path, lead, verb, { step_index: 1 });
      return (await tenant.call("GET", path)).body.reviewed_at;
    };
    expect(await reviewedAfter("unapprove")).toEqual(expect.any(String));
    expect(await reviewedAfter("reset")).toBeNull();
  });

  test("a reset without a step takes back all of them", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { leads: people(1), steps: [aiStep(), aiStep(2)] });
    const [lead] = (await drafted(tenant, path)).enqueued_lead_ids as [string];
    await drafted(tenant, path, { step_index: 2 });
    for (const step_index of [1, 2]) await review(tenant, path, lead, "approve", { step_index });
    expect((await leadOf({ tenant, path }, lead)).approved_steps).toEqual([1, 2]);
    const { body } = await review(tenant, path, lead, "reset", {});
    expect(body).toMatchObject({ step_index: null, approved_steps: [], approved_entry: null });
  });

  test("approvals of two steps at once are both kept", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { leads: people(1), steps: [aiStep(), aiStep(2)] });
    const [lead] = (await drafted(tenant, path)).enqueued_lead_ids as [string];
    await drafted(tenant, path, { step_index: 2 });
    await Promise.all(
      [1, 2].map((step_index) => review(tenant, path, lead, "approve", { step_index })),
    );
    expect((await leadOf({ tenant, path }, lead)).approved_steps).toEqual([1, 2]);
  });
});

describe("a batch", () => {
  test("is approved at once, and what cannot be is named", async () => {
    const { tenant, path, batch, datasetId, leadIds } = await withDrafts({ leads: people(4) });
    const [one, two, three, four] = batch.enqueued_lead_ids as [string, string, string, string];
    await tenant.call("PATCH", `/api/v1/datasets/${datasetId}/leads/${leadIds[1]}`, {
      title: "CTO",
    });
    await query`update campaign_leads set current_step = 1 where id = ${three}`;
    const some = {
      batch_id: batch.batch_id,
      campaign_lead_ids: [one, two, three, path.slice(-36)],
    };
    const bulk = (body: object) => tenant.call("POST", `${path}/playground/approve`, body);
    expect((await bulk(some)).body).toEqual({
      approved: 1,
      skipped: [
        { campaign_lead_id: two, code: "DRAFT_CHANGED" },
        { campaign_lead_id: three, code: "STEP_ALREADY_SENT" },
        { campaign_lead_id: path.slice(-36), code: "DRAFT_NOT_FOUND" },
      ],
    });
    expect((await bulk({ batch_id: batch.batch_id })).body.approved).toBe(2);
    expect((await leadOf({ tenant, path }, four)).approved_steps).toEqual([1]);
  });

  test("keeps the words that a person approved, whichever batch is approved as it is", async () => {
    const { tenant, path, batch } = await withDrafts();
    const again = await drafted(tenant, path, { custom_prompt: "Write in French." });
    const [one, two] = batch.enqueued_lead_ids as [string, string];
    const bulk = async (batch_id: string) =>
      (await tenant.call("POST", `${path}/playground/approve`, { batch_id })).body;
    const textOf = async (id: string) =>
      (await leadOf({ tenant, path }, id)).metadata.approved_emails["1"];
    const words = { step_index: 1, body: "<p>My own words.</p>" };
    const mine = (await review(tenant, path, one, "approve", words)).body.approved_entry;
    const kept = { approved: 2, skipped: [{ campaign_lead_id: one, code: "APPROVED_MEANWHILE" }] };
    expect(await bulk(batch.batch_id)).toEqual(kept);
    const before = await textOf(two);
    // What was approved as it was written, a newer draft may take the place of.
    expect(await bulk(again.batch_id)).toEqual(kept);
    expect((await textOf(two)).prompt_version_hash).not.toBe(before.prompt_version_hash);
    expect(await textOf(one)).toEqual(mine);
  });

  test("and a person at once: one of the two texts is kept, and the other is told so", async () => {
    const { tenant, path, batch, lead } = await withDrafts({ leads: people(1) });
    const words = { step_index: 1, body: "<p>My own words.</p>", replaces_approved_at: null };
    const [bulk, single] = await Promise.all([
      tenant.call("POST", `${path}/playground/approve`, { batch_id: batch.batch_id }),
      review(tenant, path, lead, "approve", words),
    ]);
    const { body } = (await leadOf({ tenant, path }, lead)).metadata.approved_emails["1"];
    const skipped = [{ campaign_lead_id: lead, code: "APPROVED_MEANWHILE" }];
    if (single.status === 200) {
      expect(body).toBe(words.body);
      expect(bulk.body).toEqual({ approved: 0, skipped });
    } else {
      expectError(single, 409, "APPROVED_MEANWHILE");
      expect([body === words.body, bulk.body]).toEqual([false, { approved: 1, skipped: [] }]);
    }
  });
});
