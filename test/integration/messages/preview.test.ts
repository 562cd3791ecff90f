import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createCampaign, insertDataset, launchable, suppress } from "../../support/campaigns.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const DAY = 86_400;
const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];

/** What differs from send to send: tokens and ids. */
const bare = (text: string) => text.replace(/\/(o|c|u)\/[\w.-]+/g, "/$1/TOKEN").trim();

describe("rendering", () => {
  test("shows what the lead then gets, to the letter, of each step", async () => {
    const rows = await sending.campaign(tenant, { leads: 1, steps: STEPS });
    await sending.api.sql.query(
      `update campaigns set steps = jsonb_set(steps, '{0,variants}', $2::jsonb) where id = $1`,
      [
        rows.campaignId,
        JSON.stringify(
          ["A", "B", "C"].map((label) => ({
            label,
            weight: 33,
            type: "INLINE",
            subject: `${label}: {hello|hi|good day} {{ first_name }}`,
            body: `<p>{One|Two|Three} from ${label}, <a href="https://example.com/x?a=1&amp;b=2">see</a></p>`,
          })),
        ),
      ],
    );
    const path = `/api/v1/campaigns/${rows.campaignId}/steps`;
    const body = { campaign_lead_id: rows.campaignLeadIds[0] };
    const previews = [
      await tenant.call("POST", `${path}/1/render`, body),
      await tenant.call("POST", `${path}/2/render`, body),
    ];
    expect(previews.map(({ status }) => status)).toEqual([200, 200]);
    await sending.tick();
    sending.api.advance(DAY + 60);
    await sending.tick();
    const messages = await sending.mailbox.messages();
    expect(messages).toHaveLength(2);
    for (const [index, message] of messages.entries()) {
      const preview = previews[index]!.body;
      expect(message.subject).toBe(preview.subject);
      expect(bare(message.html)).toBe(bare(preview.html));
      expect(bare(message.text)).toBe(bare(preview.text));
      expect(preview).toMatchObject({ to_email: "lead1@example.zz", from_email: message.from });
    }
    expect(previews[0]!.body.links).toEqual(["https://example.com/x?a=1&b=2"]);
    // After the send it is still the same.
    const after = await tenant.call("POST", `${path}/1/render`, body);
    expect(bare(after.body.html)).toBe(bare(previews[0]!.body.html));
  });

  test("before the launch takes a lead of the dataset, or the first; the launch changes nothing", async () => {
    const { body, leadIds } = await launchable(sending.api, tenant, [
      { email: null, firstName: "Nobody" },
      { email: "ada@example.zz", firstName: "Ada" },
      { email: "eve@example.zz", firstName: "Eve" },
    ]);
    const step = {
      step: 1,
      variants: [{ type: "INLINE", subject: "For {{ first_name }}", body: "{A|B|C} text" }],
    };
    const { campaign_id } = await createCampaign(tenant, { ...body, steps: [step] });
    const render = (target: object) =>
      tenant.call("POST", `/api/v1/campaigns/${campaign_id}/steps/1/render`, target);
    expect((await render({})).body.subject).toBe("For Ada");
    const before = await render({ lead_id: leadIds[2] });
    expect(before.body).toMatchObject({ subject: "For Eve", to_email: "eve@example.zz" });
    await tenant.call("POST", `/api/v1/campaigns/${campaign_id}/leads`, { lead_ids: [leadIds[2]] });
    const after = await render({ campaign_lead_id: before.body.campaign_lead_id });
    expect(bare(after.body.html)).toBe(bare(before.body.html));
  });

  test("for a lead that is not in the campaign is 404, by its name", async () => {
    const rows = await sending.campaign(tenant, { leads: 1 });
    const path = `/api/v1/campaigns/${rows.campaignId}/steps/1/render`;
    const nobody = randomUUID();
    for (const [target, code] of [
      [{ campaign_lead_id: nobody }, "CAMPAIGN_LEAD_NOT_FOUND"],
      [{ lead_id: nobody }, "LEAD_NOT_FOUND"],
    ]) {
      const reply = await tenant.call("POST", path, target);
      expect([reply.status, reply.body.detail]).toEqual([404, code]);
    }
  });

  test("counts nothing and keeps nothing", async () => {
    const rows = await sending.campaign(tenant, { leads: 1 });
    const path = `/api/v1/campaigns/${rows.campaignId}`;
    const { body } = await tenant.call("POST", `${path}/steps/1/render`, {});
    const [, open] = /src="https?:\/\/[^/]+(\/o\/[^"]+)"/.exec(body.html)!;
    expect((await sending.api.request(open!)).status).toBe(200);
    await sending.api.settled();
    expect(await sending.sendsOf(rows.campaignId)).toEqual([]);
    const events =
      await query`select 1 from email_events where workspace_id = ${tenant.workspaceId}`;
    expect(events).toEqual([]);
  });

  test.each([
    ["a step that is not there", "/steps/5/render", {}, 422, "STEP_INDEX_OUT_OF_RANGE"],
    [
      "a lead that is nobody's",
      "/steps/1/render",
      { lead_id: "00000000-0000-4000-8000-000000000000" },
      404,
      "NOT_FOUND",
    ],
  ])("of %s says so", async (_name, at, body, status, code) => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const reply = await tenant.call("POST", `/api/v1/campaigns/${campaignId}${at}`, body);
    expect([reply.status, reply.body.detail]).toEqual([status, expect.stringContaining(code)]);
  });

  test("of a variable that the lead lacks names it; of a text that is no template says where", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const path = `/api/v1/campaigns/${campaignId}`;
    const render = async (text: string) => {
      await query`update campaigns set steps = jsonb_set(steps, '{0,variants,0,body}', ${JSON.stringify(text)}::jsonb) where id = ${campaignId}`;
      return tenant.call("POST", `${path}/steps/1/render`, {});
    };
    const lacking = await render("Hello {{ nickname }}");
    expect([lacking.status, lacking.body.detail, lacking.body.message]).toEqual([
      422,
      "MISSING_VARIABLE",
      "MISSING_VARIABLE: nickname",
    ]);
    const broken = await render("Hello {{ first_name ");
    expect([broken.status, broken.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
  });

  describe("steps that are being written", () => {
    const written = (body: string, more: object = {}) => ({
      variants: [{ type: "INLINE", body, ...more }],
    });

    test("are shown as if they were stored, and are stored nowhere", async () => {
      const { campaignId } = await sending.campaign(tenant, { leads: 1, steps: STEPS });
      const path = `/api/v1/campaigns/${campaignId}`;
      const before = await tenant.call("GET", path);
      const steps = [
        { step: 1, ...written("One", { subject: "New for {{ email }}" }) },
        { step: 2, delay_days: 2, ...written("Two") },
        { step: 3, ...written("Three, {{ email }}") },
      ];
      const shown = await tenant.call("POST", `${path}/steps/3/render`, { steps });
      // The subject is the thread's, which the first of these steps begins.
      expect(shown.body).toMatchObject({ step: 3, subject: "New for lead1@example.zz" });
      expect(shown.body.text).toContain("Three, lead1@example.zz");
      const own = await tenant.call("POST", `${path}/steps/3/render`, {});
      expect([own.status, own.body.detail]).toEqual([422, "STEP_INDEX_OUT_OF_RANGE"]);
      expect((await tenant.call("GET", path)).body).toEqual(before.body);
    });

    test("that are no steps say where; what the lead lacks is named", async () => {
      const { campaignId } = await sending.campaign(tenant, { leads: 1 });
      const render = (steps: object[]) =>
        tenant.call("POST", `/api/v2/campaigns/${campaignId}/steps/1/render`, { steps });
      const wrong = await render([{ step: 1, variants: [{ type: "INLINE" }] }]);
      expect([wrong.status, wrong.body.errors]).toEqual([
        422,
        [{ pointer: "#/steps/0/variants/0/body", message: "An INLINE variant needs a body." }],
      ]);
      const lacking = await render([
        { step: 1, ...written("Hi {{ nickname }}", { subject: "x" }) },
      ]);
      expect([lacking.status, lacking.body.code]).toEqual([422, "MISSING_VARIABLE"]);
    });

    test("find no template of another workspace", async () => {
      const { campaignId } = await sending.campaign(tenant, { leads: 1 });
      const other = await sending.api.tenant();
      const { body: template } = await other.call("POST", "/api/v1/templates", {
        name: "Theirs",
        channel: "email",
        subject: "Secret",
        body: "Secret",
      });
      const reply = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/steps/1/render`, {
        steps: [{ step: 1, variants: [{ type: "TEMPLATE", template_id: template.id }] }],
      });
      expect(template.id).toEqual(expect.any(String));
      expect(reply.status).toBe(422);
      expect(JSON.stringify(reply.body)).not.toContain("Secret");
    });
  });

  test("for a lead of another workspace finds nobody", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const other = await sending.api.tenant();
    const { leadIds } = await insertDataset(sending.api.sql, other, [{ email: "x@example.zz" }]);
    const reply = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/steps/1/render`, {
      lead_id: leadIds[0],
    });
    expect(reply.status).toBe(404);
  });
});

describe("a test send", () => {
  const test1 = (campaignId: string, body: object) =>
    tenant.call("POST", `/api/v1/campaigns/${campaignId}/steps/1/send-test`, body);

  test("arrives at once, written for the lead, and counts nowhere", async () => {
    const rows = await sending.campaign(tenant, { leads: 1, aliasCap: 1 });
    const { deps } = sending.api;
    const { openMail } = deps;
    let open = 0;
    deps.openMail = () => {
      const mail = openMail();
      open += 1;
      return { ...mail, close: () => mail.close().then(() => void (open -= 1)) };
    };
    const reply = await test1(rows.campaignId, { to_email: "Me@inbox.zz" });
    deps.openMail = openMail;
    // What is under way when the answer is out ends with the Worker.
    expect(open).toBe(0);
    expect(reply.body).toMatchObject({ success: true, to_email: "me@inbox.zz" });
    expect(reply.body.message).toMatch(/^250/);
    const [message] = await sending.mailbox.messages();
    expect(message).toMatchObject({ to: ["me@inbox.zz"], subject: "Hello Lead 1" });
    expect(await sending.sendsOf(rows.campaignId)).toEqual([]);
    // Neither the sender's cap nor the lead's turn is touched.
    await sending.tick();
    expect((await sending.sendsOf(rows.campaignId)).map(({ state }) => state)).toEqual([
      "accepted",
    ]);
    const ids = (await sending.mailbox.messages()).map(({ headers }) => headers["message-id"]);
    expect(new Set(ids).size).toBe(2);
  });

  test("that the relay refuses says what it said", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    sending.mailbox.faults.order("rcpt_refused", 1);
    const { status, body } = await test1(campaignId, { to_email: "me@inbox.zz" });
    expect([status, body.success]).toEqual([200, false]);
    expect(body.message).toMatch(/550/);
  });

  test("goes out from an alias in error, which may work again by now", async () => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
    await sending.api.sql.query("update mail_aliases set status = 'error' where id = $1", aliasIds);
    expect((await test1(campaignId, { to_email: "me@inbox.zz" })).body.success).toBe(true);
  });

  test("goes to no suppressed address, and from no alias that is paused", async () => {
    const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 1 });
    await suppress(sending.api.sql, tenant, "email", "me@inbox.zz");
    const suppressed = await test1(campaignId, { to_email: "me@inbox.zz" });
    expect([suppressed.status, suppressed.body.detail]).toEqual([409, "SUPPRESSED"]);
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasIds[0]}`, { status: "paused" });
    const paused = await test1(campaignId, { to_email: "you@inbox.zz" });
    expect([paused.status, paused.body.detail]).toEqual([409, "ALIAS_NOT_READY"]);
    expect(sending.mailbox.wireLog()).toEqual([]);
  });
});
