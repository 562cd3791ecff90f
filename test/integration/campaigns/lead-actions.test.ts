import { describe, expect, test } from "vitest";
import { endOldMessages } from "#src/domain/campaigns/end-messages.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { meetAtRow, untilWaiting } from "../../support/locks.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];
const DAY = 86_400;

/** A campaign of one lead, and how to act on it. */
async function one() {
  const rows = await sending.campaign(tenant, { leads: 1, steps: STEPS });
  const path = `/api/v1/campaigns/${rows.campaignId}/leads/${rows.campaignLeadIds[0]}`;
  return {
    ...rows,
    path: `/api/v1/campaigns/${rows.campaignId}`,
    act: (verb: string, body?: object) => tenant.call("POST", `${path}/${verb}`, body),
  };
}
const sent = async () => (await sending.mailbox.messages()).length;

describe("a held lead", () => {
  test("gets nothing until it is released, and then at once", async () => {
    const { act } = await one();
    const held = await act("hold", {});
    expect(held.body).toMatchObject({
      status: "pending",
      hold_reason: "held by hand",
      hold_until: null,
    });
    await sending.tick();
    expect(await sent()).toBe(0);
    sending.api.advance(3 * DAY);
    await sending.tick();
    expect(await sent()).toBe(0);
    expect((await act("release")).body).toMatchObject({ hold_reason: null });
    await sending.tick();
    expect(await sent()).toBe(1);
  });

  test("held while its message was claimed is refused at the begin, and keeps its place", async () => {
    const { act, campaignLeadIds } = await one();
    await act("hold", { hold_until: new Date(Date.now() + 3600_000).toISOString() });
    expect(await sending.leadOf(campaignLeadIds[0]!)).toMatchObject({ status: "pending" });
    await sending.tick();
    sending.api.advance(3700);
    await sending.tick();
    expect(await sent()).toBe(1);
  });

  test("cannot be held until a time that has passed, nor once it ended", async () => {
    const { act } = await one();
    expect((await act("hold", { hold_until: "2020-01-01T00:00:00Z" })).status).toBe(422);
    await act("stop");
    const late = await act("hold", {});
    expect([late.status, late.body.detail, late.body.status]).toEqual([
      409,
      "INVALID_STATE_TRANSITION",
      "stopped",
    ]);
  });
});

test("a stopped lead gets nothing more, twice is once, and the last one ends the campaign", async () => {
  const { act, path, campaignLeadIds } = await one();
  await sending.tick();
  // However long the lead is locked, its campaign is looked at after it has ended; and who comes second is late.
  const lock = "select from campaign_leads where id = $1 for update";
  const calls = [() => act("stop"), () => act("hold", {})];
  const [stopped, held] = await meetAtRow(sending.api.sql, lock, campaignLeadIds, calls);
  expect(held).toMatchObject({ status: 409 });
  expect(stopped).toMatchObject({
    body: { status: "stopped", stop_reason: "user_requested", next_step: null },
  });
  expect((await act("stop")).status).toBe(200);
  expect((await tenant.call("GET", path)).body.status).toBe("completed");
  sending.api.advance(2 * DAY);
  await sending.tick();
  expect(await sent()).toBe(1);
});

test("marked as replied it ends and counts; not replied after all, it goes on with the step that is due", async () => {
  const { act, path, campaignId, campaignLeadIds } = await one();
  await sending.tick();
  // Another lead keeps the campaign going.
  const other = await sending.campaign(tenant, { leads: 1, domain: "other.zz" });
  await query`update campaign_leads set campaign_id = ${campaignId}, hold_reason = 'x' where campaign_id = ${other.campaignId}`;
  expect((await act("mark", { as: "replied" })).body.status).toBe("replied");
  const stats = await tenant.call("GET", `${path}/stats`);
  expect(stats.body.rows).toMatchObject([{ key: "1", sent: 1, replied: 1 }]);
  const back = await act("mark", { as: "not_replied" });
  expect(back.body).toMatchObject({ status: "active", next_step: 2, stop_reason: null });
  expect((await tenant.call("GET", `${path}/stats`)).body.rows).toMatchObject([{ replied: 0 }]);
  sending.api.advance(DAY + 60);
  await sending.tick();
  const lead = await sending.leadOf(campaignLeadIds[0]!);
  expect([lead.status, lead.current_step]).toEqual(["completed", 2]);
  const threads = (await sending.mailbox.messages()).filter(
    ({ to }) => to[0] === "lead1@example.zz",
  );
  expect(threads).toHaveLength(2);
});

test("a failed lead that is resumed gets the step it never got, and no step twice", async () => {
  const { act, campaignId, campaignLeadIds } = await one();
  await sending.tick();
  await query`update campaign_leads set status = 'failed', next_step = null, next_action_at = null, stop_reason = 'poison' where id = ${campaignLeadIds[0]}`;
  await query`insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
     select gen_random_uuid(), workspace_id, campaign_id, campaign_lead_id, 2, lane_id, 'failed', email_key, config_version, slot_at, campaign_day,
       lane_day_until, false, claimed_at, 3, 0, 0, 0, 0, 0, updated_at from sends where campaign_id = ${campaignId}`;
  expect((await act("mark", { as: "resumed" })).body).toMatchObject({
    status: "active",
    next_step: 2,
  });
  sending.api.advance(DAY + 60);
  await sending.tick();
  sending.api.advance(DAY);
  await sending.tick();
  const steps = (await sending.sendsOf(campaignId)).map(({ step, state }) => [step, state]);
  expect(steps.toSorted()).toEqual([
    [1, "accepted"],
    [2, "accepted"],
  ]);
  expect(await sent()).toBe(2);
});

test("a lead that is resumed while its next step is removed has had all there is", async () => {
  const { campaignId, campaignLeadIds, aliasIds } = await sending.campaign(tenant, {
    leads: 2,
    steps: STEPS,
  });
  const path = `/api/v1/campaigns/${campaignId}`;
  await sending.tick();
  await tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/stop`);
  await tenant.call("POST", `${path}/pause`);
  const { steps_config: steps } = (await tenant.call("GET", path)).body;
  // Both have read the campaign when they come to its lanes.
  const lock = "select from sender_lanes where id = $1 for update";
  const [changed, resumed] = await meetAtRow(sending.api.sql, lock, aliasIds, [
    () => tenant.call("PATCH", path, { steps: steps.slice(0, 1) }),
    () => tenant.call("POST", `${path}/leads/${campaignLeadIds[0]}/mark`, { as: "resumed" }),
  ]);
  expect(changed).toMatchObject({ status: 200 });
  expect(resumed).toMatchObject({ status: 200, body: { status: "completed", next_step: null } });
});

test("a lead whose message may have arrived is not written to again when it is resumed", async () => {
  const { act, campaignLeadIds } = await one();
  sending.mailbox.faults.order("close_after_dot", 1);
  await sending.tick();
  await act("stop");
  await query`update campaigns set status = 'active'`;
  const resumed = await act("mark", { as: "resumed" });
  expect(resumed.body).toMatchObject({ status: "active", next_step: 1, next_action_at: null });
  sending.api.advance(3600);
  await sending.tick();
  expect(sending.mailbox.wireLog()).toHaveLength(1);
  sending.api.advance(2 * DAY);
  await sending.tick();
  const lead = await sending.leadOf(campaignLeadIds[0]!);
  expect([lead.status, lead.current_step]).toEqual(["completed", 2]);
  expect(sending.mailbox.wireLog()).toHaveLength(2);
});

test("a lead that is resumed while its message is being settled goes on from what was settled", async () => {
  const { act, campaignId } = await one();
  sending.mailbox.faults.order("close_after_dot", 1);
  await sending.tick();
  await act("stop");
  const { sql } = sending.api;
  await query`update campaigns set status = 'active' where id = ${campaignId}`;
  const settling = await sql.connect();
  try {
    await settling.query("begin");
    await settling.query(
      "update sends set state = 'accepted', accepted_at = transmitting_at where campaign_id = $1",
      [campaignId],
    );
    const resuming = act("mark", { as: "resumed" });
    // It has read the ledger and waits for it.
    await untilWaiting(sql, 1);
    await settling.query("commit");
    expect((await resuming).body).toMatchObject({ status: "active", next_step: 2 });
    expect((await resuming).body.next_action_at).not.toBeNull();
  } finally {
    settling.release();
  }
});

describe("a lead whose messages have ended with their campaign", () => {
  /** One that had two mails of `count` and was stopped, in a campaign that is active again by another lead. */
  async function ended(count: number) {
    const steps = Array.from({ length: count }, (_, at) => ({ delayDays: at === 0 ? 0 : 1 }));
    const { campaignId, campaignLeadIds } = await sending.campaign(tenant, { leads: 1, steps });
    // There is no thread any more that it could go on in.
    await query`update campaigns set steps = jsonb_set(steps, '{2,variants,0,subject}', '"Once more"') where id = ${campaignId}`;
    const path = `/api/v1/campaigns/${campaignId}`;
    const lead = `${path}/leads/${campaignLeadIds[0]}`;
    await sending.tick();
    sending.api.advance(DAY + 60);
    await sending.tick();
    expect(await sent()).toBe(2);
    if (count > 2) await tenant.call("POST", `${lead}/stop`);
    // A lead that has had all there is replied.
    else await query`update campaign_leads set status = 'replied' where id = ${campaignLeadIds[0]}`;
    const { clock, settings } = sending.api.deps;
    const over = new Date(clock.now().getTime() - (settings.campaignMessageDays + 1) * DAY * 1000);
    expect((await tenant.call("GET", path)).body.status).toBe("completed");
    await query`update campaigns set updated_at = ${over} where id = ${campaignId}`;
    expect(await endOldMessages(sending.api.deps)).toBe(2);
    const other = await sending.campaign(tenant, { leads: 1, domain: "other.zz" });
    await query`delete from campaign_leads where campaign_id = ${other.campaignId}`;
    await query`update campaigns set status = 'completed' where id = ${other.campaignId}`;
    const added = await tenant.call("POST", `${path}/leads`, { lead_ids: other.leadIds });
    expect(added.body).toMatchObject({ added: 1 });
    sending.mailbox.clear();
    // The sender's gap is over: a tick that comes just before its end waits for it, by the real clock.
    sending.api.advance(3_600);
    return { path, lead, campaignId, id: campaignLeadIds[0]! };
  }
  const toLead = async () =>
    (await sending.mailbox.messages()).filter(({ to }) => to[0] === "lead1@example.zz").length;
  const stepsOf = async (id: string) =>
    (await query`select step from sends where campaign_lead_id = ${id} order by step`).map(
      ({ step }: { step: number }) => step,
    );

  test("goes on behind the last one that it had", async () => {
    const { lead, id } = await ended(3);
    const resumed = await tenant.call("POST", `${lead}/mark`, { as: "resumed" });
    expect(resumed.body).toMatchObject({ status: "active", next_step: 3, current_step: 2 });
    for (let day = 0; day < 3; day++) {
      await sending.tick();
      sending.api.advance(DAY + 60);
    }
    expect([await stepsOf(id), await toLead()]).toEqual([[3], 1]);
    expect(await sending.leadOf(id)).toMatchObject({ status: "completed", current_step: 3 });
  });

  test("has had all there is, where nothing is left", async () => {
    const { lead, id } = await ended(2);
    const back = await tenant.call("POST", `${lead}/mark`, { as: "not_replied" });
    expect(back.body).toMatchObject({ status: "completed", next_step: null });
    await sending.tick();
    expect([await stepsOf(id), await toLead()]).toEqual([[], 0]);
  });

  test("had the steps that it had: they stay as they are and where they are", async () => {
    const { path } = await ended(3);
    await tenant.call("POST", `${path}/pause`);
    const { steps_config: steps } = (await tenant.call("GET", path)).body;
    const [first, second, third] = steps.map((step: { variants: object[] }) => ({
      ...step,
      variants: step.variants.map((variant) => ({ ...variant, subject: "Another" })),
    }));
    const change = (to: object[]) =>
      tenant.call("PATCH", path, { steps: to.map((step, at) => ({ ...step, step: at + 1 })) });
    for (const to of [[first, ...steps.slice(1)], [steps[0], second, steps[2]], steps.slice(1)])
      expect(await change(to)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining("was sent already") },
      });
    expect((await change([...steps.slice(0, 2), third])).status).toBe(200);
  });
});

describe("a lead that is resumed while its campaign completes", () => {
  /** A running campaign whose only lead was stopped: about to be completed. */
  async function idle() {
    const made = await one();
    await made.act("stop");
    await query`update campaigns set status = 'active' where id = ${made.campaignId}`;
    const resume = () => made.act("mark", { as: "resumed" });
    const complete = () => finishCampaigns(sending.api.deps, [made.campaignId]);
    const both = async () => {
      const { status } = (await tenant.call("GET", made.path)).body;
      return [status, (await sending.leadOf(made.campaignLeadIds[0]!)).status];
    };
    return { ...made, resume, complete, both };
  }

  test("after the campaign was read as running: it stays as it is", async () => {
    const { aliasIds, resume, complete, both } = await idle();
    const { sql } = sending.api;
    const holder = await sql.connect();
    let resuming;
    try {
      await holder.query("begin");
      await holder.query("select from sender_lanes where id = $1 for update", aliasIds);
      resuming = resume();
      await untilWaiting(sql, 1);
      await complete();
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    expect(await resuming).toMatchObject({
      status: 409,
      body: { detail: "INVALID_STATE_TRANSITION", status: "completed" },
    });
    expect(await both()).toEqual(["completed", "stopped"]);
  });

  test("after the campaign was seen without a lead to act on: it goes on, and so does the campaign", async () => {
    const { campaignId, resume, complete, both } = await idle();
    const lock = "select from campaigns where id = $1 for update";
    const [resumed] = await meetAtRow(sending.api.sql, lock, [campaignId], [resume, complete]);
    expect(resumed).toMatchObject({ status: 200, body: { status: "pending" } });
    expect(await both()).toEqual(["active", "pending"]);
    await sending.tick();
    expect(await sent()).toBe(1);
  });

  test("or begins to wait behind it: it is told so", async () => {
    const { campaignId, resume, complete, both } = await idle();
    const lock = "select from campaigns where id = $1 for update";
    const [, resumed] = await meetAtRow(sending.api.sql, lock, [campaignId], [complete, resume]);
    expect(resumed).toMatchObject({ status: 409 });
    expect(await both()).toEqual(["completed", "stopped"]);
  });

  test("a change of something else meanwhile leaves no campaign running that has nothing to do", async () => {
    const { campaignId, path, complete, both } = await idle();
    const lock = "select from campaigns where id = $1 for update";
    const rename = () => tenant.call("PATCH", path, { name: "Another" });
    await meetAtRow(sending.api.sql, lock, [campaignId], [rename, complete]);
    expect(await both()).toEqual(["completed", "stopped"]);
  });
});

test("a lead that unsubscribed or bounced cannot be resumed", async () => {
  const { act, campaignLeadIds } = await one();
  for (const status of ["unsubscribed", "bounced", "complained"]) {
    await query`update campaign_leads set status = ${status} where id = ${campaignLeadIds[0]}`;
    expect((await act("mark", { as: "resumed" })).status).toBe(409);
  }
});

describe("winding a campaign down", () => {
  test("a drained campaign where nobody had started completes at once", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    const { body } = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/drain`);
    expect(body.status).toBe("completed");
  });

  test("a duplicate has the configuration and none of the history", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1, steps: STEPS });
    await sending.tick();
    const { status, body } = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/duplicate`);
    expect([status, body.status, body.name, body.total_leads, body.launched_at]).toEqual([
      201,
      "draft",
      "Test (copy)",
      null,
      null,
    ]);
    const source = (await tenant.call("GET", `/api/v1/campaigns/${campaignId}`)).body;
    expect(body.steps_config).toEqual(source.steps_config);
    expect(body.alias_ids).toEqual(source.alias_ids);
  });

  test("a failed launch is reset to a draft", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await query`update campaigns set status = 'failed', launch_error = 'x' where id = ${campaignId}`;
    const { body } = await tenant.call("POST", `/api/v1/campaigns/${campaignId}/reset`);
    expect([body.status, body.launch_error]).toEqual(["draft", null]);
  });
});

test("stats count by step, variant, alias and day", async () => {
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 3, aliases: 3 });
  sending.mailbox.faults.order("rcpt_refused", 1);
  await sending.tick();
  const by = async (what: string) =>
    (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/stats?by=${what}`)).body.rows;
  expect(await by("step")).toMatchObject([{ key: "1", sent: 2, bounced: 1 }]);
  expect(await by("variant")).toMatchObject([{ key: "1/A", sent: 2 }]);
  expect((await by("alias")).map(({ key }: { key: string }) => key)).toEqual(aliasIds.toSorted());
  expect(await by("day")).toMatchObject([{ key: new Date().toISOString().slice(0, 10), sent: 2 }]);
});
