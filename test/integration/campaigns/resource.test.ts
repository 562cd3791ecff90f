import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Tenant } from "../../support/api.ts";
import {
  activeCampaign,
  createCampaign,
  forceStatus,
  inlineStep,
  insertAlias,
  insertDataset,
  launchable,
} from "../../support/campaigns.ts";
import { insertAccount } from "../../support/network-accounts.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

const PATH = "/api/v1/campaigns/";
let stranger: Tenant;
let good: Awaited<ReturnType<typeof launchable>>["body"];

useApi();
beforeAll(async () => {
  stranger = await api.tenant();
  good = (await launchable(api, tenant)).body;
});

describe("creating", () => {
  test("a minimal campaign is a draft with every default", async () => {
    const { name, dataset_id, alias_ids } = good;
    const reply = await tenant.call("POST", PATH, {
      name,
      dataset_id,
      alias_ids,
      steps: [{ step: 1, variants: [{ type: "INLINE", subject: "Hi", body: "Hello" }] }],
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      campaign_id: expect.any(String),
      user_id: tenant.userId,
      dataset_id,
      name,
      description: null,
      type: "email",
      status: "draft",
      launch_type: "immediate",
      start_date: null,
      daily_limit: 500,
      max_new_leads_per_day: null,
      min_interval_seconds: 300,
      sending_window_start: "09:00:00",
      sending_window_end: "17:00:00",
      timezone: "UTC",
      use_lead_timezone: false,
      send_days: ["mon", "tue", "wed", "thu", "fri"],
      steps_config: [
        {
          step: 1,
          delay_days: 0,
          channel: "email",
          action_type: "send_email",
          ai_personalization_enabled: false,
          track_opens: true,
          track_clicks: false,
          variants: [{ label: "A", weight: 100, type: "INLINE", subject: "Hi", body: "Hello" }],
        },
      ],
      alias_ids,
      connected_account_id: null,
      total_leads: null,
      processed_leads: 0,
      launch_job_id: null,
      launch_requested_at: null,
      launched_at: null,
      launch_error: null,
      system_prompt: null,
      unreviewed_launch_policy: "launch_default",
      stop_on_reply: true,
      stop_on_auto_reply: false,
      stop_on_company_reply: false,
      paused_reason: null,
      reviewed_at: null,
      playground_discovery_dismissed_at: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  test("days are answered in order, times in full, instants in UTC", async () => {
    const created = await createCampaign(tenant, {
      ...good,
      send_days: ["fri", "mon"],
      sending_window_start: "08:30",
      sending_window_end: "22:00:30",
      launch_type: "scheduled",
      start_date: "2030-01-31T09:00:00+02:00",
    });
    expect(created).toMatchObject({
      send_days: ["mon", "fri"],
      sending_window_start: "08:30:00",
      sending_window_end: "22:00:30",
      start_date: "2030-01-31T07:00:00.000Z",
    });
  });

  test("null days are Monday to Friday", async () => {
    const created = await createCampaign(tenant, { ...good, send_days: null });
    expect(created.send_days).toEqual(["mon", "tue", "wed", "thu", "fri"]);
  });

  test("steps of a mixed campaign have a channel each, and its account is kept", async () => {
    const connected_account_id = await insertAccount(api.sql, tenant);
    const created = await createCampaign(tenant, {
      ...good,
      type: "mixed",
      connected_account_id,
      steps: [inlineStep(1, { channel: "email" }), { step: 2, channel: "socialnet" }],
    });
    expect(created.connected_account_id).toBe(connected_account_id);
    expect(created.steps_config[1]).toMatchObject({
      channel: "socialnet",
      action_type: "connection_request",
      variants: [],
    });
  });

  test.each<[string, object, string[]]>([
    ["a blank name", { name: " " }, ["body", "name"]],
    ["an unknown zone", { timezone: "Mars/Base" }, ["body", "timezone"]],
    ["a day twice", { send_days: ["mon", "mon"] }, ["body", "send_days"]],
    ["no day", { send_days: [] }, ["body", "send_days"]],
    ["no alias", { alias_ids: null }, ["body", "alias_ids"]],
    ["no account", { type: "socialnet", steps: [{ step: 1 }] }, ["body", "connected_account_id"]],
    ["no start date", { launch_type: "scheduled" }, ["body", "start_date"]],
    [
      "a start date without an offset",
      { start_date: "2030-01-31T09:00:00" },
      ["body", "start_date"],
    ],
    ["a time of 24:00", { sending_window_start: "24:00" }, ["body", "sending_window_start"]],
    [
      "half a character",
      { steps: [{ step: 1, variants: [{ type: "INLINE", body: "a\ud800" }] }] },
      ["body", "steps", "0", "variants", "0", "body"],
    ],
    [
      "a NUL in a text",
      { steps: [{ step: 1, variants: [{ type: "INLINE", body: "a\u0000" }] }] },
      ["body", "steps", "0", "variants", "0", "body"],
    ],
  ])("%s is a request validation error", async (_, change, loc) => {
    const { status, body } = await tenant.call("POST", PATH, { ...good, ...change });
    expect(status).toBe(422);
    expect(body.error).toBe("Validation Error");
    expect(body.details.map((detail: { loc: string[] }) => detail.loc)).toContainEqual(loc);
  });

  test("what it points at must exist in the workspace", async () => {
    const theirs = await launchable(api, stranger);
    const template = { name: "T", channel: "email", subject: "S", body: "B" };
    const profile = { name: "P", full_name: "P" };
    const { body: text } = await stranger.call("POST", "/api/v1/templates", template);
    const { body: sender } = await stranger.call("POST", "/api/v1/sender-profiles/", profile);
    const mixed = (connected_account_id: string) => ({
      type: "mixed",
      connected_account_id,
      steps,
    });
    const steps = [inlineStep(1, { channel: "email" })];
    const variant = (more: object) => ({
      steps: [{ step: 1, variants: [{ type: "INLINE", body: "x", ...more }] }],
    });
    for (const [change, detail] of [
      [{ dataset_id: randomUUID() }, "Dataset not found."],
      [{ dataset_id: theirs.datasetId }, "Dataset not found."],
      [{ alias_ids: [...good.alias_ids, theirs.aliasId] }, "Mail alias not found."],
      [mixed(randomUUID()), "Connected account not found."],
      [mixed(await insertAccount(api.sql, stranger)), "Connected account not found."],
      [variant({ type: "TEMPLATE", template_id: randomUUID() }), "Template not found."],
      [variant({ type: "TEMPLATE", template_id: text.id }), "Template not found."],
      [variant({ sender_profile_id: randomUUID() }), "Sender profile not found."],
      [variant({ sender_profile_id: sender.id }), "Sender profile not found."],
    ] as const) {
      const reply = await tenant.call("POST", PATH, { ...good, ...change });
      expect([reply.status, reply.body]).toEqual([404, { detail }]);
    }
  });

  test("one alias named twice is one alias", async () => {
    const [alias] = good.alias_ids;
    const created = await createCampaign(tenant, { ...good, alias_ids: [alias, alias] });
    expect(created.alias_ids).toEqual([alias]);
  });
});

describe("listing", () => {
  let lister: Tenant;
  let ids: string[];

  beforeAll(async () => {
    lister = await api.tenant();
    const { body } = await launchable(api, lister);
    ids = [];
    for (const name of ["Spring 100%", "Summer", "spring_again"])
      ids.unshift((await createCampaign(lister, { ...body, name })).campaign_id);
  });

  const list = async (query: string) => {
    const { body, headers, status } = await lister.call("GET", `${PATH}${query}`);
    expect(status).toBe(200);
    return [
      body.map((each: { campaign_id: string }) => each.campaign_id),
      headers.get("x-total-count"),
    ];
  };

  test("is a bare array, newest first, with the total in a header", async () => {
    expect(await list("")).toEqual([ids, "3"]);
    expect(await list("?offset=1&limit=1")).toEqual([[ids[1]], "3"]);
    expect(await list("?offset=9")).toEqual([[], "3"]);
  });

  test("filters by part of the name, whatever its case, and by status", async () => {
    expect(await list("?name=SPRING")).toEqual([[ids[0], ids[2]], "2"]);
    expect(await list("?name=100%25")).toEqual([[ids[2]], "1"]);
    expect(await list("?name=g_a")).toEqual([[ids[0]], "1"]);
    expect(await list("?status=active")).toEqual([[], "0"]);
    expect(await list("?status=draft&name=summer")).toEqual([[ids[1]], "1"]);
  });

  test("shows nobody else's", async () => {
    const { body } = await stranger.call("GET", PATH);
    expect(body).toEqual([]);
  });
});

describe("one campaign", () => {
  test("is read as it was made", async () => {
    const created = await createCampaign(tenant, good);
    expect((await tenant.call("GET", `${PATH}${created.campaign_id}`)).body).toEqual(created);
  });

  test("is deleted, and then neither read nor listed", async () => {
    const { campaign_id } = await createCampaign(tenant, good);
    const reply = await tenant.call("DELETE", PATH + campaign_id);
    expect([reply.status, reply.body]).toEqual([200, { success: true }]);
    expect((await tenant.call("GET", PATH + campaign_id)).status).toBe(404);
    expect((await tenant.call("GET", `${PATH}?name=Spring&limit=100`)).text).not.toContain(
      campaign_id,
    );
  });
});

describe("changing", () => {
  const draft = async (more: object = {}) => {
    const created = await createCampaign(tenant, { ...good, ...more });
    return { ...created, path: `${PATH}${created.campaign_id}` };
  };

  test("everything changes in a draft", async () => {
    const { path } = await draft();
    const other = await insertDataset(api.sql, tenant, [{ email: "b@example.zz" }]);
    const aliasId = await insertAlias(api, tenant);
    const change = {
      name: "Autumn",
      description: "",
      dataset_id: other.datasetId,
      alias_ids: [aliasId],
      daily_limit: 7,
      timezone: "Europe/Berlin",
      launch_type: "scheduled",
      start_date: "2031-01-01T00:00:00.000Z",
      stop_on_reply: false,
      system_prompt: "p".repeat(100),
    };
    const { status, body } = await tenant.call("PATCH", path, change);
    expect(status).toBe(200);
    expect(body).toMatchObject(change);
  });

  test("a field that is not given stays", async () => {
    const { path, ...before } = await draft();
    const { body } = await tenant.call("PATCH", path, { name: "New" });
    expect({ ...body, updated_at: null }).toEqual({ ...before, name: "New", updated_at: null });
  });

  test("the version grows with each real change", async () => {
    const { path, campaign_id } = await draft();
    const version = async () =>
      (await query`select config_version from campaigns where id = ${campaign_id}`)[0]
        .config_version;
    await tenant.call("PATCH", path, { name: "Spring", daily_limit: 500 });
    expect(await version()).toBe(1);
    await tenant.call("PATCH", path, { name: "New" });
    expect(await version()).toBe(2);
  });

  test("references and conditional fields are checked as at creation", async () => {
    const { path } = await draft();
    const unknown = await tenant.call("PATCH", path, { dataset_id: randomUUID() });
    expect([unknown.status, unknown.body.detail]).toEqual([404, "DATASET_NOT_FOUND"]);
    const account = await tenant.call("PATCH", path, { connected_account_id: randomUUID() });
    expect([account.status, account.body.detail]).toEqual([404, "CONNECTED_ACCOUNT_NOT_FOUND"]);
    for (const change of [
      { alias_ids: null },
      { type: "socialnet" },
      { launch_type: "scheduled" },
    ]) {
      const reply = await tenant.call("PATCH", path, change);
      expect([reply.status, reply.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    }
    const schema = await tenant.call("PATCH", path, { steps: [inlineStep(2)] });
    expect(schema.body.details[0].loc).toEqual(["body", "steps", "0", "step"]);
    const stored = await tenant.call("PATCH", path, { steps: [{ step: 1 }] });
    expect(stored.body.detail).toBe("VALIDATION_ERROR");
  });

  test.each(["launching", "draining", "completed"])(
    "%s takes a name, and nothing else",
    async (status) => {
      const { path, campaign_id } = await draft();
      await forceStatus(api.sql, campaign_id, status);
      expect((await tenant.call("PATCH", path, { name: "New", description: "D" })).status).toBe(
        200,
      );
      const { status: code, body } = await tenant.call("PATCH", path, { daily_limit: 9 });
      expect([code, body]).toEqual([
        409,
        {
          detail: "CAMPAIGN_ACTIVE",
          message: `The campaign is ${status}: daily_limit cannot change now.`,
          status,
        },
      ]);
    },
  );

  test("a field that already has the value is no change, whatever the status", async () => {
    const { path, campaign_id, dataset_id, alias_ids } = await draft();
    await forceStatus(api.sql, campaign_id, "completed");
    const reply = await tenant.call("PATCH", path, {
      dataset_id,
      alias_ids,
      steps: [inlineStep()],
      send_days: good.send_days,
    });
    expect(reply.status).toBe(200);
  });

  test("an active campaign keeps its aliases until it is paused", async () => {
    const { path, id } = await activeCampaign(api, tenant);
    const alias_ids = [await insertAlias(api, tenant)];
    expect((await tenant.call("PATCH", path, { alias_ids })).body.detail).toBe("CAMPAIGN_ACTIVE");
    await tenant.call("POST", `${path}/pause`);
    expect((await tenant.call("PATCH", path, { alias_ids })).status).toBe(200);
    const rows = await query`select lane_id from campaign_senders where campaign_id = ${id}`;
    expect(rows.map((row) => row.lane_id)).toEqual(alias_ids);
  });

  test("a step that was sent stays; one that was not may change, and more may follow", async () => {
    const steps = [inlineStep(1), inlineStep(2)];
    const { path, id } = await activeCampaign(api, tenant, { steps });
    await recordSend(id, 1);
    const edited = (step: number) => ({
      ...inlineStep(step),
      variants: [{ type: "INLINE", subject: "S", body: "New" }],
    });
    const sent = await tenant.call("PATCH", path, { steps: [edited(1), inlineStep(2)] });
    expect(sent.body).toMatchObject({
      detail: "CAMPAIGN_ACTIVE",
      message: expect.stringContaining("Step 1 was sent already"),
    });
    const moved = await tenant.call("PATCH", path, { steps: [inlineStep(1)] });
    expect(moved.body.message).toContain("pause it to remove or reorder");
    const ok = await tenant.call("PATCH", path, {
      steps: [inlineStep(1), edited(2), inlineStep(3)],
    });
    expect(
      ok.body.steps_config.map((step: { variants: { body: string }[] }) => step.variants[0]!.body),
    ).toEqual(["Step 1 for you", "New", "Step 3 for you"]);
  });

  test("leads that waited for a removed step have had all there is", async () => {
    const { path, id } = await activeCampaign(api, tenant, {
      steps: [inlineStep(1), inlineStep(2)],
    });
    await recordSend(id, 1);
    await query`update campaign_leads set status = 'active', current_step = 1, next_step = 2 where campaign_id = ${id}`;
    await tenant.call("POST", `${path}/pause`);
    expect((await tenant.call("PATCH", path, { steps: [inlineStep(1)] })).status).toBe(200);
    const { body } = await tenant.call("GET", `${path}/leads`);
    expect(body.items[0]).toMatchObject({
      status: "completed",
      next_step: null,
      next_action_at: null,
    });
  });

  test("a new window moves the open piece, keeps the day's count and wakes the senders", async () => {
    const { path, id, aliasId } = await activeCampaign(api, tenant);
    await recordSend(id, 1);
    await query`update sender_lanes set next_slot_at = null where id = ${aliasId}`;
    const tomorrow = new Date(api.deps.clock.now().getTime() + 86_400_000);
    const day = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][tomorrow.getUTCDay()];
    await tenant.call("PATCH", path, { send_days: [day] });
    const read = async () =>
      (await query`select open_day::text, used, used_new from campaigns where id = ${id}`)[0];
    expect(await read()).toEqual({
      open_day: tomorrow.toISOString().slice(0, 10),
      used: 0,
      used_new: 0,
    });
    await tenant.call("PATCH", path, { send_days: good.send_days });
    expect(await read()).toMatchObject({ used: 1, used_new: 1 });
    const lane = await query`select next_slot_at from sender_lanes where id = ${aliasId}`;
    expect(lane[0].next_slot_at).not.toBeNull();
  });

  test("another dataset forgets the leads of the first that were not written to", async () => {
    const { path, campaign_id, dataset_id } = await draft();
    const rows = await query`select id from leads where dataset_id = ${dataset_id}`;
    await tenant.call("POST", `${path}/leads`, { lead_ids: [rows[0].id] });
    const other = await insertDataset(api.sql, tenant, [{ email: "c@example.zz" }]);
    await tenant.call("PATCH", path, { dataset_id: other.datasetId });
    const left = await query`select 1 from campaign_leads where campaign_id = ${campaign_id}`;
    expect(left.length).toBe(0);
  });

  test("its own dataset, written in capitals, forgets none and takes no approval back", async () => {
    const { path, campaign_id, dataset_id } = await draft();
    const rows = await query`select id from leads where dataset_id = ${dataset_id}`;
    await tenant.call("POST", `${path}/leads`, { lead_ids: [rows[0].id.toUpperCase()] });
    const leads = () => query`select * from campaign_leads where campaign_id = ${campaign_id}`;
    const before = await leads();
    expect(before.length).toBe(1);
    const { status, body } = await tenant.call(
      "PATCH",
      path.toUpperCase().replace("/API/V1/CAMPAIGNS", "/api/v1/campaigns"),
      {
        name: "New",
        dataset_id: dataset_id.toUpperCase(),
      },
    );
    expect([status, body.name, body.dataset_id]).toEqual([200, "New", dataset_id]);
    expect(await leads()).toEqual(before);
  });

  async function recordSend(campaignId: string, step: number) {
    const now = api.deps.clock.now();
    await query`insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, config_version, slot_at, campaign_day,
         lane_day_until, is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at, message_id)
       select gen_random_uuid(), l.workspace_id, l.campaign_id, l.id, ${step}, gen_random_uuid(), 'accepted', 1, ${now}, (${now}::timestamptz at time zone 'UTC')::date,
         ${now}, true, ${now}, 1, 1, 0, 0, 0, 0, ${now}, 'm'
       from campaign_leads l where l.campaign_id = ${campaignId} limit 1`;
  }
});
