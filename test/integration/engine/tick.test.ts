import { expect, test } from "vitest";
import { wholeSecond } from "#src/domain/engine/window.ts";
import type { CampaignOptions } from "../../support/engine.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { queryOf } from "../../support/query.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

const query = queryOf(() => sending.api.sql);

const AGENT = { "user-agent": "Mozilla/5.0 (X11; Linux x64) Firefox/140.0" };

useSending();

const campaign = (options: Partial<CampaignOptions> & { leads: number }, password?: string) =>
  sending.campaign(tenant, options, password);
const tick = () => sending.tick();
const leadOf = (id: string) => sending.leadOf(id);
const sendsOf = (campaignId: string) => sending.sendsOf(campaignId);

/** Runs the engine until nothing is due within the coming hours. */
async function runFor(hours: number): Promise<void> {
  for (let minute = 0; minute < hours * 60; minute += 10) {
    await tick();
    sending.api.advance(600);
  }
}

test("a tick sends the first step and plans the second", async () => {
  const { campaignId, campaignLeadIds } = await campaign({
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  const clock = createEagerClock(sending.api.deps.clock.now().getTime());
  const report = await tickWith({ clock });
  expect(report).toMatchObject({ claimed: 1, accepted: 1, refused: 0 });
  const [message] = await sending.mailbox.messages();
  expect(message!.subject).toBe("Hello Lead 1");
  const lead = await leadOf(campaignLeadIds[0]!);
  expect([lead.status, lead.current_step, lead.next_step]).toEqual(["active", 1, 2]);
  const [send] = await sendsOf(campaignId);
  expect(lead.next_action_at.getTime() - wholeSecond(send.slot_at).getTime()).toBe(86_400_000);
  expect(send.accepted_at.getTime() - send.slot_at.getTime()).toBeLessThan(2_000);
  expect(sending.mailbox.wireLog()).toHaveLength(1);
});

test("the second step arrives in the same thread, and the last completes lead and campaign", async () => {
  const { campaignId, campaignLeadIds } = await campaign({
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  await tick();
  sending.api.advance(86_400 + 60);
  await tick();
  const [first, second] = await sending.mailbox.messages();
  expect(second!.subject).toBe(first!.subject);
  const id = (name: string, message: typeof first) => message!.headers[name];
  expect(JSON.stringify(id("in-reply-to", second))).toContain(
    String(id("message-id", first)).replace(/[<>]/g, ""),
  );
  expect((await leadOf(campaignLeadIds[0]!)).status).toBe("completed");
  const rows = await query`select status from campaigns where id = ${campaignId}`;
  expect(rows[0].status).toBe("completed");
});

test("a click redirects and counts; within 5 seconds of acceptance it counts as a machine's", async () => {
  const { campaignId } = await campaign({ leads: 1 });
  await tick();
  const link = /href="([^"]+\/c\/[^"]+)"/.exec((await sending.mailbox.messages())[0]!.html)![1]!;
  const path = new URL(link).pathname;
  await sending.api.request(path, { headers: AGENT });
  await sending.api.settled();
  sending.api.advance(60);
  const reply = await sending.api.request(path, { headers: AGENT });
  await sending.api.settled();
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "https://example.com/1"]);
  const stats = await tenant.call("GET", `/api/v1/campaigns/${campaignId}/click-stats`);
  expect(stats.body).toMatchObject({
    total_clicks: 1,
    clicked_count: 1,
    machine_clicks: 1,
    total_sent: 1,
    click_rate: 100,
  });
});

test("one-click unsubscribing stops the next step and every other campaign; GET alone does not", async () => {
  const first = await campaign({ leads: 1, steps: [{ delayDays: 0 }, { delayDays: 1 }] });
  await tick();
  const rows =
    await query`select id, workspace_id, campaign_id, lead_id, dataset_id from campaign_leads where id = ${first.campaignLeadIds[0]}`;
  expect(rows).toHaveLength(1);
  const header = String((await sending.mailbox.messages())[0]!.headers["list-unsubscribe"]);
  const path = new URL(/<([^>]+)>/.exec(header)![1]!).pathname;
  expect((await sending.api.request(path)).status).toBe(200);
  expect((await leadOf(first.campaignLeadIds[0]!)).status).toBe("active");
  const reply = await sending.api.request(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(reply.status).toBe(200);
  expect((await leadOf(first.campaignLeadIds[0]!)).status).toBe("unsubscribed");
  const [event] =
    await query`select reasons from email_events where kind = 'unsubscribe' and campaign_id = ${first.campaignId}`;
  expect(event).toEqual({ reasons: ["one_click"] });
  // The same address in another campaign is refused at the begin guard.
  const second = await campaign({ leads: 1 });
  sending.api.advance(2 * 86_400);
  await tick();
  expect(await sending.mailbox.messages()).toHaveLength(1);
  expect((await leadOf(second.campaignLeadIds[0]!)).status).toBe("unsubscribed");
});

test("a send that throws may have left, and takes nothing from those beside it", async () => {
  const { campaignId } = await campaign({ leads: 2, aliases: 2 });
  let sends = 0;
  const report = await tickWith({
    channel: (own) => ({
      async perform(ready) {
        if (++sends === 1) throw new Error("no word of it");
        return own.perform(ready);
      },
    }),
  });
  expect(report).toMatchObject({ claimed: 2, accepted: 1 });
  const ends = (await sendsOf(campaignId)).map(({ state, reason }) => `${state}: ${reason}`);
  expect(ends.sort()).toEqual([
    expect.stringMatching(/^accepted: 250/),
    "unknown: The handover broke off: Error: no word of it",
  ]);
});

test("a wrong password puts the alias in error, leaves the lead pending and loses nothing", async () => {
  const { campaignId, campaignLeadIds, aliasIds } = await campaign({ leads: 2 }, "wrong");
  await tick();
  const rows =
    await query`select status, last_error, last_error_kind from mail_aliases where id = ${aliasIds[0]}`;
  expect(rows[0]).toMatchObject({ status: "error", last_error_kind: "account" });
  expect(rows[0].last_error).toMatch(/535|password|login/i);
  for (const id of campaignLeadIds) expect((await leadOf(id)).status).toBe("pending");
  const counters =
    await query`select c.used, l.used as lane_used from campaigns c, sender_lanes l where c.id = ${campaignId} and l.id = ${aliasIds[0]}`;
  expect(counters[0]).toEqual({ used: 0, lane_used: 0 });
  expect(sending.mailbox.wireLog()).toHaveLength(0);
});

test("an unreachable relay shows as the alias's error and heals by itself", async () => {
  const { campaignLeadIds, aliasIds } = await campaign({
    leads: 1,
    smtp: { host: "127.0.0.1", port: 1 },
  });
  await tick();
  expect((await leadOf(campaignLeadIds[0]!)).status).toBe("pending");
  const alias = async () =>
    (
      await query`select status, last_error, last_error_kind from mail_aliases where id = ${aliasIds[0]}`
    )[0];
  expect(await alias()).toMatchObject({ status: "active", last_error_kind: "line" });
  expect((await alias()).last_error).toContain("127.0.0.1:1");
  await query`update mail_aliases set transport_settings = transport_settings || ${JSON.stringify(sending.mailbox.smtp)} where id = ${aliasIds[0]}`;
  await tick();
  expect(await sending.mailbox.messages()).toHaveLength(0);
  sending.api.advance(310);
  await tick();
  expect(await sending.mailbox.messages()).toHaveLength(1);
  expect(await alias()).toEqual({ status: "active", last_error: null, last_error_kind: null });
});

test("a greylisted recipient is tried again after 5 minutes, once", async () => {
  const { campaignId, campaignLeadIds } = await campaign({ leads: 1 });
  sending.mailbox.faults.order("rcpt_deferred", 1);
  await tick();
  expect((await sendsOf(campaignId))[0].state).toBe("retry_wait");
  // A tick claims for the minute after it, and would wait in it: half a minute is left for a slow machine.
  sending.api.advance(210);
  await tick();
  expect(await sending.mailbox.messages()).toHaveLength(0);
  sending.api.advance(150);
  await tick();
  expect(await sending.mailbox.messages()).toHaveLength(1);
  expect((await leadOf(campaignLeadIds[0]!)).status).toBe("completed");
});

test("a connection cut after the final dot leaves the send unknown; it is never sent again and counts as sent a day later", async () => {
  const { campaignId, campaignLeadIds } = await campaign({
    leads: 1,
    steps: [{ delayDays: 0 }, { delayDays: 3 }],
  });
  sending.mailbox.faults.order("close_after_dot", 1);
  await tick();
  expect((await sendsOf(campaignId))[0].state).toBe("unknown");
  await runFor(2);
  expect(sending.mailbox.wireLog()).toHaveLength(1);
  sending.api.advance(86_400);
  await tick();
  expect((await sendsOf(campaignId))[0].state).toBe("assumed_sent");
  expect(await leadOf(campaignLeadIds[0]!)).toMatchObject({ status: "active", next_step: 2 });
});
