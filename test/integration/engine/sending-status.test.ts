import { expect, test } from "vitest";
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
  const asked = Date.now();
  const body = await status(campaignLeadIds[1]);
  expect([body.sending, body.reasons]).toEqual([true, []]);
  const next = Date.parse(body.next_send_at);
  expect(next - asked).toBeGreaterThan(-1000);
  expect(next - Date.now()).toBeLessThanOrEqual(60_000);
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
  const before = Date.now();
  await sending.tick();
  const body = await status();
  expect([body.sending, codes(body.reasons)]).toEqual([false, ["all_senders_wait"]]);
  expect(codes(body.senders[0].reasons)).toEqual(["sender_gap"]);
  expect(Date.parse(body.senders[0].reasons[0].until) - before).toBeGreaterThan(590_000);
  expect(body.senders[0].next_send_at).toBe(body.next_send_at);
});

test("all leads that wait are said, by what they wait for and how many, whether or not others are due", async () => {
  const { status, campaignId, campaignLeadIds } = await campaign({ leads: 6 });
  const [, ...waiting] = campaignLeadIds;
  const hold = (ids: string[], reason: string) =>
    query`update campaign_leads set hold_reason = ${reason} where id = any(${ids}::uuid[])`;
  await hold(waiting.slice(0, 2), "personalization_review_pending");
  await hold(waiting.slice(2, 3), "asked to be called");
  const messages = async () =>
    (await status()).reasons.map(
      ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
    );
  const held = [
    "personalization_review_pending 2 leads wait for somebody to approve their drafts.",
    "leads_held One lead is held.",
  ];
  expect([(await status()).sending, await messages()]).toEqual([true, held]);
  await query`update campaign_leads set next_action_at = next_action_at + interval '1 day' where campaign_id = ${campaignId} and hold_reason is null`;
  expect([(await status()).sending, await messages()]).toEqual([
    false,
    ["nothing_due No lead's next step is due yet; 3 wait for their days.", ...held],
  ]);
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

test("a used-up limit lasts as long as the window, and a pause as long as it likes", async () => {
  const { status, path } = await campaign({ leads: 3, dailyLimit: 1 });
  await sending.tick();
  sending.api.advance(400);
  const limit = await status();
  expect(limit.reasons[0].until).toBe(limit.window.open_until);
  await tenant.call("POST", `${path}/pause`);
  expect((await status()).next_send_at).toBeNull();
});

test("a lead's next message comes when its step is due, and another campaign's lead is not found", async () => {
  const steps = [{ delayDays: 0 }, { delayDays: 3 }];
  const { status, campaignLeadIds, path } = await campaign({ leads: 1, steps });
  await sending.tick();
  const { lead } = await status(campaignLeadIds[0]);
  expect(lead.next_send_at >= lead.next_action_at).toBe(true);
  const other = await campaign({ leads: 1 });
  const reply = await tenant.call("GET", `${path}/sending-status?lead_id=${other.leadIds[0]}`);
  expect(reply.status).toBe(404);
});

test("a sender's status is the one that its own alias shows", async () => {
  const { status, aliasIds } = await campaign({ leads: 3, aliases: 3 });
  await tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasIds[0]}`, { status: "paused" });
  await query`update mail_aliases set status = 'error' where id = ${aliasIds[1]}`;
  const { senders } = await status();
  const shown = senders.map(({ alias_id, status: said }: Record<string, string>) => [
    alias_id,
    said,
  ]);
  const own = aliasIds.map(async (id) => [
    id,
    (await tenant.call("GET", `/api/v1/mailer/aliases/${id}`)).body.status,
  ]);
  expect(new Map(shown)).toEqual(new Map((await Promise.all(own)) as [string, string][]));
  expect(new Set(shown.map(([, said]: string[]) => said))).toEqual(
    new Set(["paused", "error", "active"]),
  );
});
