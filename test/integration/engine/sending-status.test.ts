import { expect, test } from "vitest";
import { suppress } from "../../support/campaigns.ts";
import type { CampaignOptions } from "../../support/engine.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const HOUR = 3600;

async function campaign(options: Partial<CampaignOptions> & { leads: number }) {
  const rows = await sending.campaign(tenant, options);
  const path = `/api/v1/campaigns/${rows.campaignId}`;
  const status = async (lead?: string) => {
    const reply = await tenant.call(
      "GET",
      `${path}/sending-status${lead ? `?lead_id=${lead}` : ""}`,
    );
    expect(reply.status).toBe(200);
    return reply.body;
  };
  return { ...rows, path, status };
}
type Reasons = { code: string; until: string | null }[];
const codes = (reasons: Reasons) => reasons.map(({ code }) => code);

test("a campaign that can send says so, and when its next message goes", async () => {
  const { status, aliasIds, campaignLeadIds } = await campaign({ leads: 2, intervalSeconds: 300 });
  const body = await status(campaignLeadIds[1]);
  expect([body.sending, body.reasons]).toEqual([true, []]);
  const soon = Date.parse(body.next_send_at) - Date.now();
  expect(soon).toBeGreaterThan(-1000);
  expect(soon).toBeLessThanOrEqual(60_000);
  // The second lead waits its turn, one gap later.
  expect(codes(body.lead.reasons)).toEqual(["queued"]);
  const gap = Date.parse(body.lead.next_send_at) - Date.parse(body.next_send_at);
  expect(gap).toBeGreaterThanOrEqual(301_000);
  expect(body.senders).toMatchObject([
    { alias_id: aliasIds[0], sent_today: 0, cap_today: 1000, reasons: [] },
  ]);
});

test("between two messages every sender waits for its gap", async () => {
  const { status } = await campaign({ leads: 2, intervalSeconds: 600 });
  await sending.tick();
  const body = await status();
  expect([body.sending, codes(body.reasons)]).toEqual([false, ["all_senders_wait"]]);
  expect(codes(body.senders[0].reasons)).toEqual(["sender_gap"]);
  expect(Date.parse(body.senders[0].reasons[0].until) - Date.now()).toBeGreaterThan(590_000);
  expect(body.senders[0].next_send_at).toBe(body.next_send_at);
});

test("a closed window names the instant at which it opens", async () => {
  const { status, campaignId } = await campaign({ leads: 1 });
  const opens = new Date(Math.ceil(Date.now() / (HOUR * 1000)) * HOUR * 1000 + 2 * HOUR * 1000);
  const clock = (at: Date) => at.toISOString().slice(11, 19);
  await query`update campaigns set sending_window_start = ${clock(opens)}, sending_window_end = ${clock(new Date(opens.getTime() + HOUR * 1000))}, open_from = null, open_until = null where id = ${campaignId}`;
  const body = await status();
  expect(body.reasons).toMatchObject([{ code: "window_closed", until: opens.toISOString() }]);
  expect([body.window.open, body.next_send_at]).toEqual([false, opens.toISOString()]);
});

test("caps, pauses, a rest, an unusable sender: each has its own reason", async () => {
  const { api } = sending;
  const capped = await campaign({ leads: 3, dailyLimit: 1, domain: "a.zz" });
  await sending.tick();
  api.advance(400);
  const limit = await capped.status();
  expect(codes(limit.reasons)).toEqual(["daily_limit_reached"]);
  expect(limit.reasons[0].until).toBe(limit.window.open_until);
  await tenant.call("POST", `${capped.path}/pause`);
  expect(codes((await capped.status()).reasons)).toEqual(["campaign_paused"]);
  expect((await capped.status()).next_send_at).toBeNull();

  const resting = await campaign({ leads: 1, domain: "b.zz" });
  await query`update sender_lanes set closed_until = ${new Date(Date.now() + HOUR * 1000)} where id = ${resting.aliasIds[0]}`;
  expect(codes((await resting.status()).senders[0].reasons)).toEqual(["sender_resting"]);
  await tenant.call("PATCH", `/api/v1/mailer/aliases/${resting.aliasIds[0]}`, {
    status: "disabled",
  });
  const body = await resting.status();
  expect(codes(body.reasons)).toEqual(["no_sender_available"]);
  expect(codes(body.senders[0].reasons)).toEqual(["sender_not_active"]);
});

test("a lead says why it waits: held, not due, suppressed, written to by another campaign, ended", async () => {
  const { api } = sending;
  const { status, campaignLeadIds, leadIds, path } = await campaign({
    leads: 2,
    steps: [{ delayDays: 0 }, { delayDays: 3 }],
  });
  const lead = campaignLeadIds[0]!;
  await tenant.call("POST", `${path}/leads/${lead}/hold`, {});
  expect(codes((await status(leadIds[0])).lead.reasons)).toEqual(["lead_held"]);
  await tenant.call("POST", `${path}/leads/${lead}/release`);
  await sending.tick();
  const waiting = await status(lead);
  expect(codes(waiting.lead.reasons)).toEqual(["step_not_due"]);
  expect(waiting.lead.next_send_at >= waiting.lead.next_action_at).toBe(true);

  await suppress(api.sql, tenant, "email", "lead2@example.zz");
  expect(codes((await status(campaignLeadIds[1])).lead.reasons)).toContain("suppressed");
  const other = await campaign({ leads: 1 });
  expect(codes((await other.status(other.campaignLeadIds[0])).lead.reasons)).toContain(
    "address_recently_mailed",
  );
  await tenant.call("POST", `${path}/leads/${lead}/stop`);
  expect(codes((await status(lead)).lead.reasons)).toEqual(["lead_stopped"]);
  expect(
    (await tenant.call("GET", `${path}/sending-status?lead_id=${other.leadIds[0]}`)).status,
  ).toBe(404);
});

test("a message that may have arrived is named as such, and a time zone that is gone too", async () => {
  const { status, campaignLeadIds, campaignId } = await campaign({ leads: 1 });
  sending.mailbox.faults.order("close_after_dot", 1);
  await sending.tick();
  expect(codes((await status(campaignLeadIds[0])).lead.reasons)).toEqual(["delivery_unknown"]);
  await query`update campaigns set timezone = 'Mars/Olympus' where id = ${campaignId}`;
  expect(codes((await status()).reasons)).toContain("timezone_unknown");
});
