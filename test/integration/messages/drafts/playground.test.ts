import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aiStep, inlineStep, insertDataset, suppress } from "../../../support/campaigns.ts";
import {
  aiCampaign,
  api,
  balance,
  deliver,
  drafted,
  drafts,
  expectError,
  generate,
  people,
  review,
  spent,
  status,
  useDrafts,
  query,
} from "./setting.ts";

useDrafts();

describe("a batch", () => {
  test("has a draft for each of its leads, in dataset order, and each costs a credit when it is there", async () => {
    const tenant = await api.tenant({ credits: 10 });
    const { path, id, leadIds } = await aiCampaign(tenant);
    const begun = await generate(tenant, path, { n_leads: 2 });
    expect([begun.status, begun.body]).toEqual([
      202,
      {
        campaign_id: id,
        step_index: 1,
        batch_id: expect.any(String),
        enqueued_lead_ids: [expect.any(String), expect.any(String)],
        prompt_version_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        total: 2,
      },
    ]);
    expect(await balance(tenant)).toEqual({ available: 8, held: 2 });
    const batchId = begun.body.batch_id;
    const waiting = await status(tenant, path, batchId);
    expect(waiting.headers.get("retry-after")).toBe("2");
    expect(waiting.body).toMatchObject({ total: 2, pending: 2, generated: 0, done: false });
    expect((await drafts(tenant, path, batchId)).body.drafts).toMatchObject([
      { status: "pending", subject: null, draft_hash: "", claims: [], approved: false },
      { status: "pending" },
    ]);
    expect(await deliver(batchId)).toEqual(["generated", "generated"]);
    const done = await status(tenant, path, batchId);
    expect(done.headers.get("retry-after")).toBeNull();
    expect(done.body).toMatchObject({ generated: 2, pending: 0, done: true });
    const { body } = await drafts(tenant, path, batchId);
    expect(body).toMatchObject({ campaign_id: id, batch_id: batchId, total: 2, done: true });
    expect(body.drafts[0]).toMatchObject({
      lead_id: leadIds[0],
      row_index: 0,
      status: "generated",
      subject: expect.stringMatching(/\S/),
      body: expect.stringContaining("Ada1"),
      error: null,
      variant_label: "A",
      model: "local-composer-1",
      approved: false,
      stale: false,
      lead_snapshot: expect.objectContaining({ first_name: "Ada1" }),
    });
    expect(body.drafts[1].body).toContain("Ada2");
    expect(body.drafts[0].research_sources.map((each: { name: string }) => each.name)).toEqual(
      expect.arrayContaining(["lead_data", "sender", "template"]),
    );
    expect([await balance(tenant), await spent(tenant)]).toEqual([{ available: 8, held: 0 }, 2]);
  });

  test("is made anew and charged anew by each call", async () => {
    const tenant = await api.tenant({ credits: 10 });
    const { path } = await aiCampaign(tenant);
    const [first, second] = [await drafted(tenant, path), await drafted(tenant, path)];
    expect(second.batch_id).not.toBe(first.batch_id);
    expect(second.enqueued_lead_ids).toEqual(first.enqueued_lead_ids);
    expect(await spent(tenant)).toBe(6);
    const list = (await tenant.call("GET", `${path}/playground/batches`)).body;
    expect(list.items.map((each: { batch_id: string }) => each.batch_id)).toEqual([
      second.batch_id,
      first.batch_id,
    ]);
    expect(list.items[0]).toMatchObject({ total: 3, generated: 3, done: true });
    const page = (await tenant.call("GET", `${path}/playground/batches?limit=1`)).body;
    expect(page.has_more).toBe(true);
    const next = `${path}/playground/batches?limit=1&cursor=${page.next_cursor}`;
    expect((await tenant.call("GET", next)).body.items[0].batch_id).toBe(first.batch_id);
  });

  test("that cannot be paid for leaves nothing", async () => {
    const tenant = await api.tenant({ credits: 2 });
    const { path, id } = await aiCampaign(tenant);
    expectError(await generate(tenant, path), 403, "INSUFFICIENT_CREDITS");
    const rows =
      await query`select (select count(*) from generation_batches where campaign_id = ${id})::int as batches,
        (select count(*) from campaign_leads where campaign_id = ${id})::int as leads`;
    expect([rows[0], await balance(tenant)]).toEqual([
      { batches: 0, leads: 0 },
      { available: 2, held: 0 },
    ]);
  });

  test("of a campaign without leads is empty", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { leads: [] });
    const { status: code, body } = await generate(tenant, path);
    expect([code, body.total, body.enqueued_lead_ids]).toEqual([202, 0, []]);
    expect((await status(tenant, path, body.batch_id)).body).toMatchObject({
      done: true,
      total: 0,
    });
  });

  test("leaves out who has no address, is suppressed, or has an approved text", async () => {
    const tenant = await api.tenant();
    const leads = [{ email: null, firstName: "No" }, ...people(3)];
    const { path, leadIds } = await aiCampaign(tenant, { leads });
    await suppress(api.sql, tenant, "email", leads[2]!.email!);
    const batch = await drafted(tenant, path);
    expect(batch.total).toBe(2);
    const [first] = batch.enqueued_lead_ids;
    await tenant.call("POST", `${path}/leads/${first}/approve`, { step_index: 1 });
    const again = (await drafts(tenant, path, (await drafted(tenant, path)).batch_id)).body.drafts;
    expect(again.map((draft: { lead_id: string }) => draft.lead_id)).toEqual([leadIds[3]]);
  });

  test("is for those again whose approved text would not be sent any more, and an approval of it takes that one's place", async () => {
    const tenant = await api.tenant({ credits: 20 });
    const { path, leadIds, datasetId } = await aiCampaign(tenant, { leads: people(2) });
    const approveAll = async () => {
      const { batch_id, total } = await drafted(tenant, path);
      const done = await tenant.call("POST", `${path}/playground/approve`, { batch_id });
      expect(done.body).toEqual({ approved: total, skipped: [] });
      return total;
    };
    expect(await approveAll()).toBe(2);
    expect(await approveAll()).toBe(0);

    const variants = [{ type: "INLINE", subject: "Hello", body: "We send no typos any more." }];
    await tenant.call("PATCH", path, { steps: [{ ...aiStep(), variants }] });
    expect((await drafted(tenant, path, { n_leads: 1 })).total).toBe(1);
    expect(await approveAll()).toBe(2);

    api.advance(1);
    const changeLead = (index: number, change: object) =>
      tenant.call("PATCH", `/api/v1/datasets/${datasetId}/leads/${leadIds[index]}`, change);
    expect((await changeLead(0, { phone: "+44 20 7946 0000" })).status).toBe(200);
    expect(await approveAll()).toBe(0);
    await changeLead(1, { title: "Head of sales" });
    const again = await drafted(tenant, path, { n_leads: 1 });
    expect(again.total).toBe(1);
    const [lead] = again.enqueued_lead_ids as [string];
    const named = await drafted(tenant, path, { campaign_lead_ids: again.enqueued_lead_ids });
    expect(named.total).toBe(1);
    expect((await review(tenant, path, lead, "approve", { step_index: 1 })).status).toBe(200);
    expect(await approveAll()).toBe(0);
  });

  test("has an address once, whichever of its leads is in the campaign already", async () => {
    const tenant = await api.tenant();
    const leads = people(2);
    const { path } = await aiCampaign(tenant, { leads });
    const other = await insertDataset(api.sql, tenant, [leads[1]!]);
    const added = { lead_ids: other.leadIds };
    expect((await tenant.call("POST", `${path}/leads`, added)).body.added).toBe(1);
    const { batch_id: id, total } = await drafted(tenant, path);
    expect([total, (await status(tenant, path, id)).body.generated]).toEqual([2, 2]);
  });

  test("of a campaign under way is of its leads alone", async () => {
    const tenant = await api.tenant();
    const { path, id, datasetId } = await aiCampaign(tenant, { leads: people(1) });
    const { enqueued_lead_ids: first } = await drafted(tenant, path);
    const launched = "update campaigns set status = 'active', launched_at = now() where id = $1";
    await api.sql.query(launched, [id]);
    await tenant.call("POST", `/api/v1/datasets/${datasetId}/leads`, { email: "late@example.zz" });
    expect((await drafted(tenant, path)).enqueued_lead_ids).toEqual(first);
  });

  test("makes leads of the campaign that the launch finds as its own", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant);
    const { enqueued_lead_ids: made } = await drafted(tenant, path, { n_leads: 2 });
    const { items } = (await tenant.call("GET", `${path}/leads`)).body;
    expect(items).toMatchObject(
      made.map((id) => ({ id, status: "pending", next_action_at: null })),
    );
  });
});

describe("what stands against it", () => {
  test.each([
    ["STEP_INDEX_OUT_OF_RANGE", { step_index: 3 }],
    ["PERSONALIZATION_NOT_ENABLED", { step_index: 2 }],
  ])("422 %s", async (code, body) => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { steps: [aiStep(), inlineStep(2)] });
    expectError(await generate(tenant, path, body), 422, code);
  });

  test.each(["launching", "draining", "completed"])("a campaign that is %s", async (state) => {
    const tenant = await api.tenant();
    const { path, id } = await aiCampaign(tenant);
    await query`update campaigns set status = ${state} where id = ${id}`;
    const reply = await generate(tenant, path);
    expectError(reply, 409, "INVALID_STATE_TRANSITION");
    expect(reply.body.status).toBe(state);
  });

  test("a prompt of 32,000 characters is taken", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { leads: people(1) });
    const batch = await drafted(tenant, path, { custom_prompt: "Be brief. ".repeat(3_200) });
    expect((await status(tenant, path, batch.batch_id)).body).toMatchObject({ generated: 1 });
  });

  test("the eleventh call of a minute", async () => {
    const tenant = await api.tenant();
    const { path } = await aiCampaign(tenant, { leads: [] });
    const codes = [];
    for (let call = 0; call < 11; call++) codes.push((await generate(tenant, path)).status);
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
  });

  test("a batch of another workspace, campaign or nobody is not found", async () => {
    const [tenant, stranger] = [await api.tenant(), await api.tenant()];
    const { path } = await aiCampaign(tenant);
    const other = await aiCampaign(tenant);
    const { batch_id } = await drafted(tenant, path);
    for (const [who, at, id] of [
      [tenant, other.path, batch_id],
      [tenant, path, randomUUID()],
      [stranger, (await aiCampaign(stranger)).path, batch_id],
    ] as const) {
      expectError(await drafts(who, at, id), 404, "BATCH_NOT_FOUND");
      expectError(await status(who, at, id), 404, "BATCH_NOT_FOUND");
      const cancel = await who.call("POST", `${at}/playground/batches/${id}/cancel`);
      expectError(cancel, 404, "BATCH_NOT_FOUND");
      const bulk = await who.call("POST", `${at}/playground/approve`, { batch_id: id });
      expectError(bulk, 404, "BATCH_NOT_FOUND");
    }
  });
});

describe("a step's own text", () => {
  test("is shown to the model as the lead would get it, without what the lead lacks", async () => {
    const tenant = await api.tenant({ credits: 10 });
    const text =
      '<p>Hi {{ first_name }} of {{ company }},</p><p>{We|We all} saw <a href="https://overture.zz/try">the trial</a>.</p>';
    const variants = [{ type: "INLINE", subject: "{{ first_name }}, hello", body: text }];
    const steps = [{ ...aiStep(), variants }];
    const { path } = await aiCampaign(tenant, { leads: people(2), steps });
    const { batch_id: batchId } = await drafted(tenant, path);
    const { body } = await drafts(tenant, path, batchId);
    for (const draft of body.drafts) {
      expect([draft.status, draft.error]).toEqual(["generated", null]);
      expect(draft.body).toContain("https://overture.zz/try");
      const shown = draft.research_sources.find(
        ({ name }: { name: string }) => name === "template",
      );
      expect(shown.summary).toContain(`Hi ${draft.lead_snapshot.first_name} of`);
      expect(shown.summary).not.toMatch(/[{}]/);
    }
  });

  test("that cannot be read is written by nobody, and costs nothing", async () => {
    const tenant = await api.tenant({ credits: 10 });
    const { path, id } = await aiCampaign(tenant, { leads: people(1) });
    await query`update campaigns set steps = jsonb_set(steps, '{0,variants,0,body}', '"{% if %}"') where id = ${id}`;
    const { batch_id: batchId } = await drafted(tenant, path);
    const { body } = await drafts(tenant, path, batchId);
    expect(body.drafts).toMatchObject([
      { status: "skipped", error: "The text of step 1 cannot be read." },
    ]);
    expect(await balance(tenant)).toEqual({ available: 10, held: 0 });
  });
});
