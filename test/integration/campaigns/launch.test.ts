import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { wholeSecond } from "#src/domain/engine/window.ts";
import { findCampaign } from "#db/campaigns/campaigns.ts";
import { activateCampaign, materialiseChunk } from "#db/campaigns/launch.ts";
import { moveWithNotice } from "#db/campaigns/state.ts";
import { checkScheduledLaunch } from "#src/domain/campaigns/launch/check.ts";
import { launchCampaign } from "#src/domain/campaigns/launch/jobs.ts";
import { giveUpLaunch, runLaunchJob } from "#src/domain/campaigns/launch/job.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";
import { sign } from "../../../scripts/stack/qstash/signature.ts";
import { PUBLIC_BASE_URL } from "../../support/api.ts";
import {
  aiStep,
  createCampaign,
  forceStatus,
  inlineStep,
  insertBigDataset,
  insertDataset,
  launchable,
  runJob,
  suppress,
} from "../../support/campaigns.ts";
import { insertAccount } from "../../support/network-accounts.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

const PATH = "/api/v1/campaigns/";
const HOUR = 3_600_000;
useApi();

const now = () => api.deps.clock.now();
const at = (hours: number) => new Date(now().getTime() + hours * HOUR).toISOString();

async function draft(more: object = {}, leads?: Parameters<typeof launchable>[2]) {
  const made = await launchable(api, tenant, leads);
  const created = await createCampaign(tenant, { ...made.body, ...more });
  const path = PATH + created.campaign_id;
  return {
    ...made,
    id: created.campaign_id as string,
    path,
    launch: () => tenant.call("POST", `${path}/launch`),
    read: async () => (await tenant.call("GET", path)).body,
  };
}

const row = async (id: string) => (await query`select * from campaigns where id = ${id}`)[0];
const leadsOf = async (id: string) =>
  await query`select * from campaign_leads where campaign_id = ${id} order by row_index, id`;

const materialise = (campaignId: string, jobId: string) =>
  materialiseChunk(api.deps.db, { campaignId, jobId, now: now() }, 10);

describe("launching at once", () => {
  test("is launching with a job, and active once the job ran", async () => {
    const campaign = await draft();
    const launched = await campaign.launch();
    expect(launched.status).toBe(202);
    expect(launched.body).toMatchObject({
      status: "launching",
      launch_job_id: expect.any(String),
      launch_requested_at: expect.any(String),
      launch_error: null,
      launched_at: null,
    });
    expect(await runJob(api, launched.body)).toBe("activated");
    expect(await campaign.read()).toMatchObject({
      status: "active",
      total_leads: 1,
      processed_leads: 0,
      launched_at: expect.any(String),
    });
    const stored = await row(campaign.id);
    expect(stored.open_from <= stored.launched_at && stored.launched_at < stored.open_until).toBe(
      true,
    );
    const [lead] = await leadsOf(campaign.id);
    expect(lead).toMatchObject({
      status: "pending",
      current_step: 0,
      next_step: 1,
      email: "ada@example.zz",
    });
    expect(lead.next_action_at <= stored.launched_at).toBe(true);
    const lanes =
      await query`select lane_id from campaign_senders where campaign_id = ${campaign.id}`;
    expect(lanes).toEqual([{ lane_id: campaign.aliasId }]);
  });

  test("a scheduled campaign whose date is past launches at once", async () => {
    const campaign = await draft({ launch_type: "scheduled", start_date: at(-1) });
    expect((await campaign.launch()).body.status).toBe("launching");
  });

  test("the first step waits its days from the activation", async () => {
    const campaign = await draft({ steps: [inlineStep(1, { delay_days: 3 })] });
    await runJob(api, (await campaign.launch()).body);
    const { launched_at } = await row(campaign.id);
    const [lead] = await leadsOf(campaign.id);
    const waits = lead.next_action_at.getTime() - wholeSecond(launched_at).getTime();
    expect(waits).toBe(3 * 24 * HOUR);
  });

  test("leads that cannot be written to are skipped with the reason, each address once", async () => {
    const campaign = await draft({}, [
      { email: "a@example.zz" },
      { email: null, profileUrl: "https://network.test/in/b" },
      { email: "stop@example.zz" },
      { email: "c@blocked.zz" },
    ]);
    await suppress(api.sql, tenant, "email", "stop@example.zz");
    await suppress(api.sql, tenant, "domain", "blocked.zz");
    await runJob(api, (await campaign.launch()).body);
    expect(
      (await leadsOf(campaign.id)).map(({ status, stop_reason, next_action_at, next_step }) => [
        status,
        stop_reason,
        next_action_at === null,
        next_step,
      ]),
    ).toEqual([
      ["pending", null, false, 1],
      ["skipped", "no_email", true, null],
      ["skipped", "suppressed", true, null],
      ["skipped", "suppressed", true, null],
    ]);
    expect(await campaign.read()).toMatchObject({ total_leads: 4, processed_leads: 3 });
  });

  test("an expired suppression and another workspace's do not count", async () => {
    const campaign = await draft({}, [
      { email: "past@example.zz" },
      { email: "theirs@example.zz" },
    ]);
    await suppress(api.sql, tenant, "email", "past@example.zz");
    await query`update suppressions set expires_at = ${at(-1)} where value = 'past@example.zz'`;
    await suppress(api.sql, await api.tenant(), "email", "theirs@example.zz");
    await runJob(api, (await campaign.launch()).body);
    expect((await leadsOf(campaign.id)).map(({ status }) => status)).toEqual([
      "pending",
      "pending",
    ]);
  });

  test("two launches at once: one is accepted, one conflicts", async () => {
    const campaign = await draft();
    const replies = await Promise.all([campaign.launch(), campaign.launch()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = replies.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({ detail: "INVALID_STATE_TRANSITION", status: "launching" });
  });

  test("a queue that is down does not undo the launch; the message is sent again later", async () => {
    const campaign = await draft();
    const real = api.deps.queue.publish;
    const sent: unknown[] = [];
    api.deps.queue.publish = () => Promise.reject(new Error("queue down"));
    const launched = await campaign.launch();
    expect([launched.status, launched.body.status]).toEqual([202, "launching"]);
    api.deps.queue.publish = (message) => {
      sent.push(message.payload);
      return real(message);
    };
    await launchCampaign.requeueLost(api.deps);
    expect(sent).not.toContainEqual(expect.objectContaining({ campaign_id: campaign.id }));
    await query`update campaigns set updated_at = updated_at - interval '6 minutes' where id = ${campaign.id}`;
    await launchCampaign.requeueLost(api.deps);
    expect(sent).toContainEqual(expect.objectContaining({ campaign_id: campaign.id }));
    api.deps.queue.publish = real;
  });
});

describe("preflight", () => {
  const checksOf = async (campaign: Awaited<ReturnType<typeof draft>>) => {
    const { status, body } = await campaign.launch();
    expect([status, body.detail]).toEqual([422, "LAUNCH_PREFLIGHT_FAILED"]);
    expect(body.checks).toHaveLength(16);
    return body.checks
      .filter((check: { ok: boolean; severity: string }) => !check.ok && check.severity === "error")
      .map((check: { name: string }) => check.name);
  };

  test("names what stops the launch, and leaves the draft as it was", async () => {
    const campaign = await draft({}, []);
    expect(await checksOf(campaign)).toEqual(["has_leads"]);
    expect((await campaign.read()).status).toBe("draft");
  });

  test("an AI step names what is absent", async () => {
    // Neither a model, nor anybody for whom it would write.
    expect(await checksOf(await draft({ steps: [aiStep()] }))).toEqual([
      "templates_exist",
      "sender_profile",
    ]);
  });

  test("a network step names what is absent", async () => {
    const campaign = await draft({
      type: "mixed",
      connected_account_id: await insertAccount(api.sql, tenant),
      steps: [inlineStep(1, { channel: "email" }), { step: 2, channel: "socialnet" }],
    });
    expect(await checksOf(campaign)).toEqual(["connected_account_ready"]);
  });

  test("addresses that are invalid, risky or not verified are counted", async () => {
    const emails = ["safe", "risky", "invalid", "full", "unasked"];
    const campaign = await draft(
      { steps: [aiStep()] },
      emails.map((local) => ({ email: `${local}@counted.zz` })),
    );
    await query`update leads set verification = case split_part(email, '@', 1)
         when 'safe' then '{"risk_level": "safe"}' when 'risky' then '{"risk_level": "risky"}'
         when 'invalid' then '{"risk_level": "invalid"}' when 'full' then '{"risk_level": null}' end::jsonb
       where dataset_id = ${campaign.datasetId}`;
    const { checks } = (await campaign.launch()).body;
    expect(
      checks.find(({ name }: { name: string }) => name === "verification_share"),
    ).toMatchObject({
      ok: false,
      severity: "warning",
      message: expect.stringContaining(
        "Of 5 leads 1 have an invalid address, 1 a risky and 2 an unverified one",
      ),
    });
  });

  test("what it warns of is said at the launch, by itself, and while the campaign runs", async () => {
    const campaign = await draft({}, [
      { email: "ada@example.zz", firstName: "Ada" },
      { email: "bob@example.zz" },
    ]);
    const warned = ({ ok, severity }: { ok: boolean; severity: string }) =>
      !ok && severity === "warning";
    const name = (check: { name: string }) => check.name;
    const path = `${campaign.path}/preflight`;
    const before = await tenant.call("GET", path);
    expect([before.status, Object.keys(before.body), before.body.ok]).toEqual([
      200,
      ["ok", "checks"],
      true,
    ]);
    expect(before.body.checks.map(name)).toHaveLength(16);
    const warnings = before.body.checks.filter(warned).map(name);
    expect(warnings).toContain("postal_address");
    expect((await campaign.read()).status).toBe("draft");

    const launched = await campaign.launch();
    expect(launched.status).toBe(202);
    expect(launched.body.checks).toEqual(before.body.checks);
    await runJob(api, launched.body);
    const status = async () => (await tenant.call("GET", `${campaign.path}/sending-status`)).body;
    expect((await status()).warnings.map(name)).toEqual(warnings);
    await tenant.call("PATCH", "/api/v1/workspace", { postal_address: "1 Main Street" });
    expect((await status()).warnings.map(name)).toEqual(
      warnings.filter((each: string) => each !== "postal_address"),
    );
  });

  test("a campaign that cannot launch says so without a launch", async () => {
    const { path } = await draft({}, []);
    const { status, body } = await tenant.call("GET", `${path}/preflight`);
    expect([status, body.ok]).toEqual([200, false]);
    expect(body.checks[0]).toMatchObject({ name: "has_leads", ok: false, severity: "error" });
  });

  test("leads that are all suppressed", async () => {
    await suppress(api.sql, tenant, "email", "only@example.zz");
    expect(await checksOf(await draft({}, [{ email: "only@example.zz" }]))).toEqual([
      "suppressed_share",
    ]);
  });

  test("variables are counted over fields, custom columns and templates", async () => {
    const leads = [
      { email: "v1@example.zz", firstName: "V", custom: { plan: "gold" } },
      { email: "v2@example.zz", firstName: "W", custom: { plan: " " } },
    ];
    const body = "{{ first_name }} {{ custom.plan }} {{ lead.email }}";
    const campaign = await draft(
      { steps: [{ step: 1, variants: [{ type: "INLINE", subject: "S", body }] }] },
      leads,
    );
    await query`update mail_aliases set status = 'pending' where id = ${campaign.aliasId}`;
    const { body: reply } = await campaign.launch();
    const check = reply.checks.find(({ name }: { name: string }) => name === "variables_resolve");
    expect(check).toMatchObject({ ok: false, severity: "warning" });
    expect(check.message).toContain("Of 2 leads, custom.plan is missing for 1;");

    const typo = await draft(
      {
        steps: [
          { step: 1, variants: [{ type: "INLINE", subject: "S", body: "{{ frist_name }}" }] },
        ],
      },
      leads,
    );
    expect(await checksOf(typo)).toEqual(["variables_resolve"]);
  });

  test("is run again by the job", async () => {
    const campaign = await draft();
    const launched = await campaign.launch();
    await query`update mail_aliases set status = 'disabled' where id = ${campaign.aliasId}`;
    expect(await runJob(api, launched.body)).toBe("failed");
    expect(await campaign.read()).toMatchObject({
      status: "failed",
      launch_error: expect.stringContaining("aliases_active"),
      total_leads: null,
    });
  });
});

describe("the launch job", () => {
  const COUNT = 12_000;

  const launchBig = async () => {
    const campaign = await draft({ dataset_id: await insertBigDataset(api.sql, tenant, COUNT) });
    const { body } = await campaign.launch();
    return { ...campaign, jobId: body.launch_job_id as string, job: () => runJob(api, body) };
  };
  const count = async (id: string) =>
    (
      await query`select count(*)::int, count(distinct lead_id)::int as leads from campaign_leads where campaign_id = ${id}`
    )[0];

  test("takes 12,000 leads in chunks, in dataset order", async () => {
    const campaign = await launchBig();
    expect(await campaign.job()).toBe("activated");
    expect(await campaign.read()).toMatchObject({ status: "active", total_leads: COUNT });
    expect(await row(campaign.id)).toMatchObject({ launch_cursor: COUNT - 1 });
    expect(await count(campaign.id)).toEqual({ count: COUNT, leads: COUNT });
  });

  test("that runs twice at once makes nothing twice", async () => {
    const campaign = await launchBig();
    const outcomes = await Promise.all([campaign.job(), campaign.job()]);
    expect(outcomes.sort()).toEqual(["activated", "superseded"]);
    expect(await count(campaign.id)).toEqual({ count: COUNT, leads: COUNT });
    expect(await campaign.read()).toMatchObject({ total_leads: COUNT });
  });

  test("that died between two chunks goes on where it stopped", async () => {
    const campaign = await launchBig();
    const attempt = { campaignId: campaign.id, jobId: campaign.jobId, now: now() };
    expect(await materialiseChunk(api.deps.db, attempt, 5000)).toEqual({ owned: true, read: 5000 });
    expect(await row(campaign.id)).toMatchObject({ launch_cursor: 4999, status: "launching" });
    expect(await campaign.job()).toBe("activated");
    expect(await count(campaign.id)).toEqual({ count: COUNT, leads: COUNT });
  });

  test("of an earlier launch does nothing", async () => {
    const campaign = await draft();
    const { body } = await campaign.launch();
    expect(await runLaunchJob(api.deps, campaign.id, randomUUID())).toBe("superseded");
    const attempt = { campaignId: campaign.id, jobId: randomUUID(), now: now() };
    expect(await materialiseChunk(api.deps.db, attempt, 10)).toEqual({ owned: false, read: 0 });
    expect(await runJob(api, body)).toBe("activated");
    expect(await runJob(api, body)).toBe("superseded");
  });

  test("ids of campaign leads come from campaign and lead, and sort as their dataset does", async () => {
    const campaign = await draft({}, [
      { email: "z@example.zz" },
      { email: "a@example.zz" },
      { email: "m@example.zz" },
    ]);
    const first = await campaign.launch();
    await runJob(api, first.body);
    const made = await leadsOf(campaign.id);
    const ids = made.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(ids);
    for (const { id, lead_id } of made) expect(id.slice(0, 18)).toBe(lead_id.slice(0, 18));
    await query`delete from campaign_leads where campaign_id = ${campaign.id}`;
    await forceStatus(api.sql, campaign.id, "failed", { launched_at: null });
    await runJob(api, (await campaign.launch()).body);
    expect((await leadsOf(campaign.id)).map(({ id }) => id)).toEqual(ids);
  });

  test("a lead of before ids were in time order has in a campaign the id that it always had there", async () => {
    const campaign = await draft();
    const [lead] = await query`update leads set id = gen_random_uuid()
      where dataset_id = (select dataset_id from campaigns where id = ${campaign.id}) returning id`;
    await runJob(api, (await campaign.launch()).body);
    const [made] = (await leadsOf(campaign.id)).filter(({ lead_id }) => lead_id === lead.id);
    const hash = createHash("md5")
      .update(campaign.id + lead.id)
      .digest("hex");
    expect(made.id.replaceAll("-", "")).toBe(
      `${hash.slice(0, 12)}4${hash.slice(13, 16)}8${hash.slice(17)}`,
    );
  });

  test("does not activate without a usable lead", async () => {
    const campaign = await draft({}, [{ email: "u@example.zz" }]);
    const { body } = await campaign.launch();
    await materialise(campaign.id, body.launch_job_id);
    await query`update campaign_leads set status = 'stopped' where campaign_id = ${campaign.id}`;
    expect(await runJob(api, body)).toBe("failed");
    expect((await campaign.read()).launch_error).toContain("No usable lead");
  });

  test("that the queue gave up fails the launch, but only its own", async () => {
    const campaign = await draft();
    const { body } = await campaign.launch();
    expect(await giveUpLaunch(api.deps, campaign.id, randomUUID())).toBe("superseded");
    expect(await giveUpLaunch(api.deps, campaign.id, body.launch_job_id)).toBe("failed");
    expect(await campaign.read()).toMatchObject({
      status: "failed",
      launch_error: "The launch job failed 5 times.",
    });
  });

  test("after a failure the next launch judges skipped leads anew", async () => {
    const campaign = await draft({}, [{ email: "w@example.zz" }, { email: "x@example.zz" }]);
    await suppress(api.sql, tenant, "email", "x@example.zz");
    const first = await campaign.launch();
    await materialise(campaign.id, first.body.launch_job_id);
    await giveUpLaunch(api.deps, campaign.id, first.body.launch_job_id);
    await query`delete from suppressions where value = 'x@example.zz'`;
    const second = await campaign.launch();
    expect(second.body).toMatchObject({ status: "launching", launch_error: null });
    expect(second.body.launch_job_id).not.toBe(first.body.launch_job_id);
    await runJob(api, second.body);
    expect((await leadsOf(campaign.id)).map(({ status }) => status)).toEqual([
      "pending",
      "pending",
    ]);
  });

  test("that another launch replaced activates nothing", async () => {
    const campaign = await draft();
    const { body } = await campaign.launch();
    const attempt = { campaignId: campaign.id, jobId: body.launch_job_id as string, now: now() };
    await materialiseChunk(api.deps.db, attempt, 10);
    const order = {
      campaign: {
        id: campaign.id,
        workspaceId: tenant.workspaceId,
        status: "launching" as const,
      },
      window: { openFrom: now(), openUntil: now(), day: "2030-01-01" },
      day: { from: now(), until: now() },
      firstActionAt: now(),
      delayed: true,
      drafted: true,
    };
    const before = [await row(campaign.id), await leadsOf(campaign.id)];
    const replaced = { ...attempt, ...order, jobId: randomUUID() };
    expect(await activateCampaign(api.deps.db, replaced)).toBeUndefined();
    expect([await row(campaign.id), await leadsOf(campaign.id)]).toEqual(before);
    expect(await activateCampaign(api.deps.db, { ...attempt, ...order })).toMatchObject({
      status: "active",
    });
  });
});

describe("a scheduled launch", () => {
  const schedule = async (hours: number, more: object = {}) => {
    const campaign = await draft({ launch_type: "scheduled", start_date: at(hours), ...more });
    const reply = await campaign.launch();
    expect([reply.status, reply.body.status]).toEqual([202, "scheduled"]);
    const generation = async () => (await row(campaign.id)).schedule_generation as number;
    return {
      ...campaign,
      generation,
      check: async () => checkScheduledLaunch(api.deps, campaign.id, await generation()),
      dueSince: (ago: number) =>
        api.sql.query("update campaigns set start_date = $2 where id = $1", [
          campaign.id,
          at(-ago),
        ]),
    };
  };
  const notices = async (id: string) =>
    await query`select kind, payload from outbox where payload->>'campaign_id' = ${id}`;

  test("waits until its date, then launches with a job", async () => {
    const campaign = await schedule(48);
    expect(await campaign.check()).toBe("wait");
    await campaign.dueSince(0);
    expect(await campaign.check()).toBe("launch");
    const launching = await campaign.read();
    expect(launching).toMatchObject({ status: "launching", launch_job_id: expect.any(String) });
    expect(await runJob(api, launching)).toBe("activated");
    expect(await notices(campaign.id)).toEqual([]);
  });

  test("far ahead is reached in hops of at most 7 days", async () => {
    const published: { notBefore?: Date }[] = [];
    const real = api.deps.queue.publish;
    api.deps.queue.publish = async (message) => {
      const taken = await real(message);
      published.push(message);
      return taken;
    };
    const campaign = await schedule(24 * 30);
    expect(await campaign.check()).toBe("wait");
    api.deps.queue.publish = real;
    expect(published).toHaveLength(2);
    for (const { notBefore } of published)
      expect(notBefore!.getTime() - now().getTime()).toBeLessThanOrEqual(7 * 24 * HOUR);
  });

  test("more than a day late is paused, and the user told once", async () => {
    const campaign = await schedule(1);
    await campaign.dueSince(24.1);
    expect(await campaign.check()).toBe("missed");
    expect(await campaign.read()).toMatchObject({
      status: "paused",
      paused_reason: "missed_schedule",
    });
    expect(await campaign.check()).toBe("superseded");
    expect(await notices(campaign.id)).toEqual([
      {
        kind: "campaign_paused",
        payload: { campaign_id: campaign.id, campaign_name: "Spring", reason: "missed_schedule" },
      },
    ]);
    const resumed = await tenant.call("POST", `${campaign.path}/resume`);
    expect(resumed.body).toMatchObject({ status: "launching", paused_reason: null });
    expect(await runJob(api, resumed.body)).toBe("activated");
  });

  const withAi = async (unreviewed_launch_policy: string) => {
    const campaign = await schedule(1, { unreviewed_launch_policy });
    await query`update campaigns set steps = jsonb_set(steps, '{0,ai_personalization_enabled}', 'true') where id = ${campaign.id}`;
    await campaign.dueSince(0);
    return campaign;
  };

  test("with unreviewed AI steps and policy hold is held until the review", async () => {
    const campaign = await withAi("hold");
    expect(await campaign.check()).toBe("hold");
    expect(await campaign.read()).toMatchObject({
      status: "paused",
      paused_reason: "personalization_review_pending",
    });
    expect((await notices(campaign.id)).map(({ kind }) => kind)).toEqual(["campaign_launch_held"]);
    const early = await tenant.call("POST", `${campaign.path}/resume`);
    expect(early.body).toMatchObject({
      detail: "INVALID_STATE_TRANSITION",
      message: expect.stringContaining("never reviewed"),
    });
    await query`update campaigns set reviewed_at = ${now()} where id = ${campaign.id}`;
    expect((await tenant.call("POST", `${campaign.path}/resume`)).body.status).toBe("launching");
  });

  test("held by policy resumes once the policy is another", async () => {
    const campaign = await withAi("hold");
    await campaign.check();
    await tenant.call("PATCH", campaign.path, { unreviewed_launch_policy: "launch_default" });
    expect((await tenant.call("POST", `${campaign.path}/resume`)).body.status).toBe("launching");
  });

  test("with policy cancel is a draft again", async () => {
    const campaign = await withAi("cancel");
    expect(await campaign.check()).toBe("cancel");
    expect(await campaign.read()).toMatchObject({
      status: "draft",
      launch_job_id: null,
      launch_requested_at: null,
    });
    expect((await notices(campaign.id)).map(({ kind }) => kind)).toEqual([
      "campaign_launch_cancelled",
    ]);
  });

  test("that was unscheduled while a check cancelled it tells nobody", async () => {
    const campaign = await withAi("cancel");
    const read = (await findCampaign(api.deps.db, campaign.id))!;
    await tenant.call("POST", `${campaign.path}/unschedule`);
    const { scheduleGeneration } = read;
    const cancellation = {
      campaign: read,
      trigger: "cancel_unreviewed",
      expect: { scheduleGeneration },
      set: { scheduleGeneration: scheduleGeneration + 1 },
      now: now(),
    } as const;
    const [kind, reason] = ["campaign_launch_cancelled", "personalization_review_pending"] as const;
    expect(await moveWithNotice(api.deps.db, cancellation, kind, reason)).toBe(false);
    expect(await notices(campaign.id)).toEqual([]);
  });

  test("two checks at once act once", async () => {
    const campaign = await schedule(1);
    await campaign.dueSince(0);
    const outcomes = await Promise.all([campaign.check(), campaign.check()]);
    expect(outcomes.sort()).toEqual(["launch", "superseded"]);
  });

  test("unscheduled is a draft, and its armed check does nothing", async () => {
    const campaign = await schedule(1);
    const armed = await campaign.generation();
    const reply = await tenant.call("POST", `${campaign.path}/unschedule`);
    expect([reply.status, reply.body.status]).toEqual([200, "draft"]);
    await campaign.dueSince(0);
    expect(await checkScheduledLaunch(api.deps, campaign.id, armed)).toBe("superseded");
    await campaign.launch();
    expect(await checkScheduledLaunch(api.deps, campaign.id, armed)).toBe("superseded");
    const again = await tenant.call("POST", `${campaign.path}/unschedule`);
    expect(again.status).toBe(409);
  });

  test("a new date disarms the old check", async () => {
    const campaign = await schedule(1);
    const armed = await campaign.generation();
    const moved = await tenant.call("PATCH", campaign.path, { start_date: at(50) });
    expect([moved.status, moved.body.status]).toEqual([200, "scheduled"]);
    expect(await checkScheduledLaunch(api.deps, campaign.id, armed)).toBe("superseded");
    expect(await campaign.check()).toBe("wait");
    const none = await tenant.call("PATCH", campaign.path, { start_date: null });
    expect([none.status, none.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("whose message was lost is found again", async () => {
    const campaign = await schedule(1);
    await campaign.dueSince(0.2);
    await query`update campaigns set updated_at = ${at(-0.2)} where id = ${campaign.id}`;
    expect(await launchCampaign.requeueLost(api.deps)).toBeGreaterThan(0);
  });
});

describe("the queue's messages", () => {
  const deliver = (callback: string, payload: unknown, key = "sig_current") => {
    const body = JSON.stringify(payload);
    const url = `${PUBLIC_BASE_URL}/functions/${callback}`;
    const signature = sign({ url, body: Buffer.from(body) }, key, now());
    const headers = { "upstash-signature": signature, "content-type": "application/json" };
    return api.request(`/functions/${callback}`, { method: "POST", body, headers });
  };
  /** What the launch hands to the queue, which is real and accepts it. */
  const published = async (campaign: Awaited<ReturnType<typeof draft>>) => {
    const real = api.deps.queue.publish;
    const messages: QueueMessage[] = [];
    api.deps.queue.publish = (message) => {
      messages.push(message);
      return real(message);
    };
    await campaign.launch().finally(() => (api.deps.queue.publish = real));
    expect(messages).toHaveLength(1);
    return messages[0]!;
  };

  test("a launch's message runs the job, five times at most", async () => {
    const campaign = await draft();
    const message = await published(campaign);
    expect(message).toMatchObject({ callback: "launch-campaign", retries: 4 });
    const delivered = await deliver(message.callback, message.payload);
    expect([delivered.status, await delivered.json()]).toEqual([
      200,
      { ok: true, result: "activated" },
    ]);
    expect((await campaign.read()).status).toBe("active");
  });

  test("a message given up fails the launch", async () => {
    const campaign = await draft();
    const message = await published(campaign);
    const sourceBody = Buffer.from(JSON.stringify(message.payload)).toString("base64");
    const delivered = await deliver(message.failureCallback!, { status: 500, sourceBody });
    expect(await delivered.json()).toEqual({ ok: true, result: "failed" });
    expect((await campaign.read()).status).toBe("failed");
  });

  test("a schedule's message comes at its date", async () => {
    const start_date = at(2);
    const campaign = await draft({ launch_type: "scheduled", start_date });
    const message = await published(campaign);
    expect(message.notBefore?.toISOString()).toBe(start_date);
    const delivered = await deliver(message.callback, message.payload);
    expect(await delivered.json()).toEqual({ ok: true, result: "wait" });
  });
});

test("leads of a dataset that is replaced do not come back", async () => {
  const campaign = await draft({}, [{ email: "old@example.zz" }]);
  const first = await campaign.launch();
  await materialise(campaign.id, first.body.launch_job_id);
  await giveUpLaunch(api.deps, campaign.id, first.body.launch_job_id);
  const { datasetId } = await insertDataset(api.sql, tenant, [{ email: "new@example.zz" }]);
  await tenant.call("PATCH", campaign.path, { dataset_id: datasetId });
  await runJob(api, (await campaign.launch()).body);
  expect((await leadsOf(campaign.id)).map(({ email }) => email)).toEqual(["new@example.zz"]);
});
