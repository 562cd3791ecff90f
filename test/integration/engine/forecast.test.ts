import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import { activeCampaign, inlineStep, launchable } from "../../support/campaigns.ts";
import { insertAliases } from "../../support/engine.ts";
import { inFull } from "../../support/full.ts";
import { queryOf } from "../../support/query.ts";
import { advanceTo, runUntil } from "../../support/run-until.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { patience } from "../../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const DAY = 86_400;

useSending();
const query = queryOf(() => sending.api.sql);

interface Planned {
  at: string;
  campaign_lead_id: string;
  step: number;
  alias_id: string;
}

test("a forecast is what the engine then does, send by send, also where campaigns share senders", async () => {
  const { campaign } = sending;
  // Midnight in UTC, a Monday.
  advanceTo(Date.parse("2027-03-01T00:00:00Z"));
  const steps = [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 2 }];
  const first = await campaign(tenant, {
    leads: inFull(40, 20),
    aliases: 3,
    steps,
    dailyLimit: 25,
    intervalSeconds: 300,
    domain: "one.zz",
  });
  const second = await campaign(tenant, {
    leads: inFull(30, 15),
    aliases: first.aliasIds.slice(0, 2),
    steps: steps.slice(0, 2),
    dailyLimit: 12,
    intervalSeconds: 600,
    domain: "two.zz",
  });
  await query`update campaigns set timezone = 'Asia/Kathmandu', sending_window_start = '09:00', sending_window_end = '17:30', send_days = '{mon,tue,thu,fri}',
       open_from = null, open_until = null where id = ${first.campaignId}`;
  await query`update campaigns set timezone = 'America/New_York', sending_window_start = '22:00', sending_window_end = '03:00', max_new_leads_per_day = 5,
       open_from = null, open_until = null where id = ${second.campaignId}`;
  await query`update sender_lanes set day_until = null where id = any(${first.aliasIds})`;

  const end = Date.now() + 9 * DAY * 1000;
  const forecasts = new Map<string, Planned[]>();
  for (const { campaignId } of [first, second]) {
    const { status, body } = await tenant.call(
      "GET",
      `/api/v1/campaigns/${campaignId}/forecast?days=9&limit=1000`,
    );
    expect([status, body.basis, body.next_offset]).toEqual([200, "running", null]);
    expect(body.assumes.join(" ")).toMatch(
      /on time.*[Nn]obody changes.*accepted.*[Nn]obody answers/,
    );
    expect(body.days.reduce((sum: number, day: { sends: number }) => sum + day.sends, 0)).toBe(
      body.sends.length,
    );
    forecasts.set(campaignId, body.sends);
  }
  await runUntil(end);

  for (const { campaignId, campaignLeadIds } of [first, second]) {
    const planned = forecasts.get(campaignId)!;
    const sends = (await sending.sendsOf(campaignId)).filter(({ accepted_at: at }) => at < end);
    expect(planned.length).toBeGreaterThan(campaignLeadIds.length);
    // Sender by sender: two that act at the same instant have no order.
    for (const aliasId of first.aliasIds) {
      const real = sends.filter((send) => send.lane_id === aliasId);
      const plan = planned.filter((send) => send.alias_id === aliasId);
      expect(real.map((send) => `${send.campaign_lead_id} ${send.step}`)).toEqual(
        plan.map((send) => `${send.campaign_lead_id} ${send.step}`),
      );
      for (const [index, send] of real.entries()) {
        const off = send.accepted_at.getTime() - Date.parse(plan[index]!.at);
        expect(off).toBe(0);
      }
    }
  }
});

test("what a tick that is under way has claimed goes out at its slot, and all else as if nobody had looked", async () => {
  const { campaignId } = await sending.campaign(tenant, {
    ...{ leads: 8, steps: [{ delayDays: 0 }, { delayDays: 1 }], intervalSeconds: 45 },
  });
  const forecast = async (): Promise<Planned[]> =>
    (await tenant.call("GET", `/api/v1/campaigns/${campaignId}/forecast?days=3`)).body.sends;
  const later = Date.now() + 120_000;
  await runUntil(later);
  advanceTo(later);
  const before = await forecast();
  expect(before.length).toBeGreaterThanOrEqual(5);
  const now = new Date(Date.parse(before[0]!.at) - 1_000);
  advanceTo(now.getTime());
  const order = { workerToken: randomUUID(), leaseSeconds: 180, limit: 50 };
  const claimed = await createPostgresStore(sending.api.deps.db).claim({
    ...{ ...order, now, until: new Date(now.getTime() + 60_000) },
  });
  expect(claimed.map(({ campaignLeadId }) => campaignLeadId)).toEqual([
    before[0]!.campaign_lead_id,
  ]);
  expect(await forecast()).toEqual(before);

  // Whose lease is over died: the next tick finds it.
  const nextTick = Math.ceil((now.getTime() + 240_000) / 60_000) * 60_000;
  advanceTo(nextTick - 30_000);
  expect(Date.parse((await forecast())[0]!.at)).toBeGreaterThanOrEqual(nextTick);
});

test("a draft's forecast is what it does once it is launched, and says when it ends", async () => {
  const leads = [1, 2, 3, 4].map((n) => ({ email: `lead${n}@example.zz`, firstName: `L${n}` }));
  const { body: draft } = await launchable(sending.api, tenant, leads);
  const { body: made } = await tenant.call("POST", "/api/v1/campaigns/", {
    ...draft,
    min_interval_seconds: 600,
    steps: [inlineStep(1), inlineStep(2, { delay_days: 1 })],
  });
  const path = `/api/v1/campaigns/${made.campaign_id}`;
  // An alias of a draft may be deleted.
  await query`update campaigns set alias_ids = alias_ids || gen_random_uuid() where id = ${made.campaign_id}`;
  const { body } = await tenant.call("GET", `${path}/forecast`);
  expect([body.basis, body.total_sends]).toEqual(["launched_now", 8]);
  expect(body.finishes_at).toBe(body.sends.at(-1).at);
  expect(body.sends.map(({ email }: { email: string }) => email).slice(0, 4)).toEqual(
    leads.map(({ email }) => email),
  );
  const page = await tenant.call("GET", `${path}/forecast?limit=3&offset=6`);
  expect([page.body.sends.length, page.body.next_offset]).toEqual([2, null]);
  const lead = body.sends[2].campaign_lead_id;
  const one = await tenant.call("GET", `${path}/forecast?lead_id=${lead}`);
  expect(one.body.sends.map(({ step }: { step: number }) => step)).toEqual([1, 2]);
});

test("a forecast waits for the day after a message that may have reached the address from a campaign elsewhere", async () => {
  const other = await sending.campaign(tenant, { leads: 1 });
  sending.mailbox.faults.order("close_after_dot", 1);
  await sending.tick();
  const [{ state, transmitting_at: at }] = await sending.sendsOf(other.campaignId);
  expect(state).toBe("unknown");
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/forecast?days=3`);
  expect(body.sends).toHaveLength(1);
  expect(Date.parse(body.sends[0].at)).toBeGreaterThanOrEqual(at.getTime() + DAY * 1000);
});

test("and so does that of a campaign that is not launched yet", async () => {
  const email = "twice@example.zz";
  const other = await sending.campaign(tenant, { leads: 1 });
  await query`update leads set email = ${email}, email_key = ${email} where id = ${other.leadIds[0]}`;
  await query`update campaign_leads set email = ${email}, email_key = ${email} where id = ${other.campaignLeadIds[0]}`;
  await sending.tick();
  const [{ accepted_at: at }] = await sending.sendsOf(other.campaignId);
  const { body: draft } = await launchable(sending.api, tenant, [{ email, firstName: "Twice" }]);
  const { body: made } = await tenant.call("POST", "/api/v1/campaigns/", draft);
  const { body } = await tenant.call(
    "GET",
    `/api/v1/campaigns/${made.campaign_id}/forecast?days=9`,
  );
  expect(body.sends).toHaveLength(1);
  expect(Date.parse(body.sends[0].at)).toBeGreaterThanOrEqual(at.getTime() + DAY * 1000);
});

test("who is suppressed, by an entry of their own or their domain's, is in no forecast and counted by preflight", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 3 });
  const path = `/api/v1/campaigns/${campaignId}`;
  const looks = async () => {
    const { body: forecast } = await tenant.call("GET", `${path}/forecast`);
    const { body: preflight } = await tenant.call("GET", `${path}/preflight`);
    const { message } = preflight.checks.find(
      ({ name }: { name: string }) => name === "suppressed_share",
    );
    return [forecast.total_sends, message];
  };
  // One that runs out ends no lead at once.
  const expires_at = new Date(Date.now() + 90 * DAY * 1000).toISOString();
  const suppress = (value: string) =>
    tenant.call("POST", "/api/v1/suppressions", { value, expires_at });
  const said = (count: number) => `${count} of 3 leads are suppressed and will be skipped.`;
  expect(await looks()).toEqual([3, said(0)]);
  await suppress("lead2@example.zz");
  expect(await looks()).toEqual([2, said(1)]);
  await suppress("example.zz");
  expect(await looks()).toEqual([0, said(3)]);
  await query`delete from suppressions where workspace_id = ${tenant.workspaceId} and kind = 'email'`;
  expect(await looks()).toEqual([0, said(3)]);
});

test("what has nothing to send or nobody to send it says so: without senders, without leads, with none but ended ones", async () => {
  const looks = async (campaignId: string) => {
    const path = `/api/v1/campaigns/${campaignId}`;
    const forecast = await tenant.call("GET", `${path}/forecast`);
    const status = await tenant.call("GET", `${path}/sending-status`);
    const { total_sends: sends, finishes_at: end } = forecast.body;
    const { sending: isSending, next_send_at: next, reasons } = status.body;
    return [forecast.status, sends, end, status.status, isSending, next, reasons?.[0]?.code];
  };
  const nothing = (code: string) => [200, 0, null, 200, false, null, code];
  const senderless = await sending.campaign(tenant, { leads: 3, aliases: [] });
  expect(await looks(senderless.campaignId)).toEqual(nothing("no_sender_available"));
  const paused = await sending.campaign(tenant, { leads: 3, aliases: [] });
  await tenant.call("POST", `/api/v1/campaigns/${paused.campaignId}/pause`);
  expect(await looks(paused.campaignId)).toEqual(nothing("campaign_paused"));
  const leadless = await sending.campaign(tenant, { leads: 0 });
  expect(await looks(leadless.campaignId)).toEqual(nothing("nothing_left"));
  const over = await sending.campaign(tenant, { leads: 3 });
  await query`update campaign_leads set status = 'replied', next_step = null, next_action_at = null where campaign_id = ${over.campaignId}`;
  expect(await looks(over.campaignId)).toEqual(nothing("nothing_left"));
  const { body } = await launchable(sending.api, tenant);
  const { body: draft } = await tenant.call("POST", "/api/v1/campaigns/", body);
  await query`update campaigns set alias_ids = '{}' where id = ${draft.campaign_id}`;
  expect(await looks(draft.campaign_id)).toEqual(nothing("campaign_draft"));
});

test("a paused campaign is forecast as if it were resumed; a completed one sends nothing", async () => {
  const { path, id } = await activeCampaign(sending.api, tenant);
  await tenant.call("POST", `${path}/pause`);
  const paused = await tenant.call("GET", `${path}/forecast`);
  expect([paused.body.basis, paused.body.total_sends]).toEqual(["resumed_now", 1]);
  // What it has sent on its date counts then too.
  await query`update campaigns set used = daily_limit where id = ${id}`;
  const [today] = paused.body.days;
  const [next] = (await tenant.call("GET", `${path}/forecast`)).body.days;
  expect(next.date > today.date).toBe(true);
  await query`update campaigns set status = 'completed' where id = ${id}`;
  const done = await tenant.call("GET", `${path}/forecast`);
  expect([done.body.basis, done.body.total_sends]).toEqual(["ended", 0]);
});

test("a closed sender of the same domain takes no part of the domain's limit from those that send", async () => {
  const now = sending.api.deps.clock.now();
  const { campaignId, aliasIds } = await sending.campaign(tenant, { leads: 20 });
  const [closed] = await insertAliases(sending.api.sql, tenant, 1, { now });
  const domainId = randomUUID();
  await query`insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key, daily_limit)
    values (${domainId}, ${tenant.workspaceId}, ${tenant.userId}, ${now}, ${now}, 'shared.zz', 'verified', 's', 'none', 'none', 6)`;
  await query`update mail_aliases set domain_id = ${domainId} where id = any(${[...aliasIds, closed]}::uuid[])`;
  const mostADay = async () => {
    const { body } = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/forecast?days=9`);
    return Math.max(...body.days.map(({ sends }: { sends: number }) => sends));
  };
  expect(await mostADay()).toBe(3);
  await query`update sender_lanes set open = false where id = ${closed}`;
  expect(await mostADay()).toBe(6);
});
