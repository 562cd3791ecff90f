import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pauseStranded } from "#db/campaigns/guardrails.ts";
import { type FeedbackKind, recordFeedback } from "#src/domain/replies/feedback/campaign.ts";
import { checkGuardrails, pauseStrandedCampaigns } from "#src/domain/campaigns/guardrails.ts";
import { MIGRATIONS_FOLDER } from "../../../scripts/apply-migrations.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const STEPS = [{ delayDays: 0 }, { delayDays: 1 }];
const DAY = 86_400;
const now = () => sending.api.deps.clock.now();

const tell = (sendId: string, kind: FeedbackKind, more: { backAt?: Date } = {}) =>
  recordFeedback(sending.api.deps, {
    workspaceId: tenant.workspaceId,
    sendId,
    kind,
    at: now(),
    ...more,
  });

async function sentOne(options: { leads?: number } = {}) {
  const rows = await sending.campaign(tenant, { leads: options.leads ?? 1, steps: STEPS });
  await sending.tick();
  const [send] = await sending.sendsOf(rows.campaignId);
  return { ...rows, sendId: send.id as string, leadId: send.campaign_lead_id as string };
}
const suppressions = async () =>
  await query`select value, reason from suppressions where workspace_id = ${tenant.workspaceId}`;
const notices = async () =>
  (
    await query`select kind from outbox where workspace_id = ${tenant.workspaceId} order by created_at`
  ).map(({ kind }) => kind);

test.each([
  // A reply is told of where it is stored.
  ["reply", "replied", [], []],
  [
    "hard_bounce",
    "bounced",
    [{ value: "lead1@example.zz", reason: "hard_bounce" }],
    ["lead_hard_bounce"],
  ],
  [
    "complaint",
    "complained",
    [{ value: "lead1@example.zz", reason: "complaint" }],
    ["lead_complaint"],
  ],
  ["unsubscribe", "unsubscribed", [{ value: "lead1@example.zz", reason: "unsubscribe" }], []],
] as const)(
  "a %s ends the lead, once, and nothing more is sent",
  async (kind, status, suppressed, told) => {
    const { sendId, leadId } = await sentOne();
    expect(await tell(sendId, kind)).toBe(true);
    expect(await tell(sendId, kind)).toBe(true);
    expect(await sending.leadOf(leadId)).toMatchObject({ status, next_step: null });
    expect(await suppressions()).toEqual(suppressed);
    expect(await notices()).toEqual(told);
    sending.api.advance(2 * DAY);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
  },
);

test("a notice's row is as those that wait in databases", async () => {
  const { sendId, leadId, campaignId } = await sentOne({ leads: 2 });
  await tell(sendId, "complaint");
  await query`update sender_lanes set open = false`;
  await pauseStranded(sending.api.deps.db, new Date("2099-01-02T03:04:05.678Z"));
  const rows =
    await query`select dedup_key, kind, payload, attempts, delivered_at from outbox where workspace_id = ${tenant.workspaceId} order by created_at`;
  const fresh = { attempts: 0, delivered_at: null };
  expect(rows).toEqual([
    {
      ...fresh,
      kind: "lead_complaint",
      dedup_key: `feedback:${sendId}:complaint`,
      payload: { campaign_id: campaignId, campaign_lead_id: leadId, send_id: sendId },
    },
    {
      ...fresh,
      kind: "campaign_paused",
      dedup_key: `campaign:${campaignId}:paused:2099-01-02 03:04:05.678+00`,
      payload: {
        campaign_id: campaignId,
        campaign_name: "Test",
        reason: "no_sender_available",
      },
    },
  ]);
});

test("a reply ends the person in the workspace's other campaigns too, except where replies do not stop", async () => {
  const { sendId } = await sentOne();
  const [other, deaf] = [
    await sending.campaign(tenant, { leads: 1 }),
    await sending.campaign(tenant, { leads: 1 }),
  ];
  await query`update campaigns set stop_on_reply = false where id = ${deaf.campaignId}`;
  await tell(sendId, "reply");
  expect((await sending.leadOf(other.campaignLeadIds[0]!)).status).toBe("replied");
  expect((await sending.leadOf(deaf.campaignLeadIds[0]!)).status).toBe("pending");
});

test("a reply to a campaign that goes on all the same ends the person where replies stop", async () => {
  const { sendId, leadId, campaignId } = await sentOne();
  await query`update campaigns set stop_on_reply = false where id = ${campaignId}`;
  const other = await sending.campaign(tenant, { leads: 1 });
  await tell(sendId, "reply");
  expect((await sending.leadOf(leadId)).status).toBe("active");
  expect((await sending.leadOf(other.campaignLeadIds[0]!)).status).toBe("replied");
});

test("with stop_on_company_reply the colleagues end, but not everybody at a mailbox provider", async () => {
  const company = await sentOne({ leads: 2 });
  await query`update campaigns set stop_on_company_reply = true`;
  await tell(company.sendId, "reply");
  const colleague = company.campaignLeadIds.find((id) => id !== company.leadId)!;
  expect((await sending.leadOf(colleague)).status).toBe("replied");

  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads: 2,
    domain: "gmail.com",
  });
  await query`update campaigns set stop_on_company_reply = true`;
  await sending.tick();
  const [send] = await sending.sendsOf(campaignId);
  await tell(send.id, "reply");
  const stranger = campaignLeadIds.find((id) => id !== send.campaign_lead_id)!;
  expect((await sending.leadOf(stranger)).status).toBe("pending");
});

describe("an automatic answer", () => {
  test("does not stop; an out-of-office holds the next step back past its date", async () => {
    const { sendId, leadId } = await sentOne();
    const backAt = new Date(Date.now() + 10 * DAY * 1000);
    await tell(sendId, "auto_reply", { backAt });
    expect(await sending.leadOf(leadId)).toMatchObject({
      status: "active",
      next_action_at: backAt,
    });
    await tell(sendId, "auto_reply");
    expect((await sending.leadOf(leadId)).next_action_at).toEqual(backAt);
  });

  test("that comes while the next step is in flight holds what follows; a message of the person's own is not touched", async () => {
    const { sendId, leadId, campaignId } = await sentOne();
    const backAt = new Date(Math.ceil(Date.now() / 1000 + 10 * DAY) * 1000);
    await query`update campaign_leads set next_action_at = null where id = ${leadId}`;
    await tell(sendId, "auto_reply", { backAt: new Date(backAt.getTime() - DAY * 1000) });
    await tell(sendId, "auto_reply", { backAt });
    expect(await sending.leadOf(leadId)).toMatchObject({
      hold_reason: "out_of_office",
      hold_until: backAt,
    });
    // What was in flight comes back; nothing goes out before the date, and something after it.
    await query`update campaign_leads set next_action_at = now() where id = ${leadId}`;
    await tenant.call("PATCH", `/api/v1/campaigns/${campaignId}`, { daily_limit: 99 });
    sending.api.advance(9 * DAY);
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(1);
    sending.api.advance(DAY + 60);
    await sending.tick();
    await sending.tick();
    expect(await sending.mailbox.messages()).toHaveLength(2);
    expect(await sending.leadOf(leadId)).toMatchObject({ status: "completed", hold_reason: null });
  });

  test("ends the lead where the campaign says so", async () => {
    const { sendId, leadId } = await sentOne();
    await query`update campaigns set stop_on_auto_reply = true`;
    await tell(sendId, "auto_reply");
    expect(await sending.leadOf(leadId)).toMatchObject({
      status: "replied",
      stop_reason: "auto_replied",
    });
  });
});

test.each([
  ["auto_reply", "auto_replied"],
  ["left_company", "auto_replied"],
  ["soft_bounce", "soft_bounced"],
  ["reply", "replied"],
] as const)("a %s is counted once, as %s alone", async (kind, counted) => {
  const { sendId, campaignId } = await sentOne();
  await tell(sendId, kind);
  await tell(sendId, kind);
  const none = { replied: 0, auto_replied: 0, bounced: 0, soft_bounced: 0, unsubscribed: 0 };
  const sums = { sent: 1, first_messages: 1, follow_ups: 0, complained: 0, ...none, [counted]: 1 };
  for (const path of [`/api/v1/campaigns/${campaignId}/stats`, "/api/v1/stats"])
    expect((await tenant.call("GET", path)).body.rows).toMatchObject([sums]);
});

test("a message that came back for now does not stop; three in a row do", async () => {
  const { campaignId, campaignLeadIds } = await sending.campaign(tenant, {
    leads: 1,
    steps: [0, 1, 1, 1].map((delayDays) => ({ delayDays })),
  });
  const statuses = [];
  for (let step = 1; step <= 3; step++) {
    await sending.tick();
    const send = (await sending.sendsOf(campaignId)).find((each) => each.step === step);
    await tell(send.id, "soft_bounce");
    await tell(send.id, "soft_bounce");
    statuses.push((await sending.leadOf(campaignLeadIds[0]!)).status);
    sending.api.advance(DAY + 60);
  }
  expect(statuses).toEqual(["active", "active", "bounced"]);
  expect(await suppressions()).toEqual([]);
});

test("an end is final: what comes later is noted on the ledger and does not revive the lead", async () => {
  const { sendId, leadId, campaignId } = await sentOne();
  await tell(sendId, "unsubscribe");
  await tell(sendId, "reply");
  expect((await sending.leadOf(leadId)).status).toBe("unsubscribed");
  const [send] = await sending.sendsOf(campaignId);
  expect([send.unsubscribed_at, send.replied_at]).not.toContain(null);
});

test.each(["reply", "soft_bounce", "auto_reply"] as const)(
  "an unknown send of which a %s comes back is followed by the next step, though its sender slept",
  async (kind) => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1, steps: STEPS });
    await query`update campaigns set stop_on_reply = false where id = ${campaignId}`;
    sending.mailbox.faults.order("close_after_dot", 1);
    await sending.tick();
    sending.api.advance(120);
    await sending.tick();
    const [send] = await sending.sendsOf(campaignId);
    expect(send.state).toBe("unknown");
    await tell(send.id, kind);
    // An out-of-office without a date waits three days.
    sending.api.advance(3 * DAY);
    await sending.tick();
    expect((await sending.sendsOf(campaignId)).map(({ state }) => state)).toEqual([
      "accepted",
      "accepted",
    ]);
  },
);

test("feedback about another workspace's send, or none, does nothing", async () => {
  const { sendId, leadId } = await sentOne();
  const stranger = await sending.api.tenant();
  const order = {
    workspaceId: stranger.workspaceId,
    sendId,
    kind: "complaint" as const,
    at: now(),
  };
  expect(await recordFeedback(sending.api.deps, order)).toBe(false);
  expect(await tell(randomUUID(), "complaint")).toBe(false);
  expect((await sending.leadOf(leadId)).status).toBe("active");
});

describe("guardrails", () => {
  /** A campaign of which so many messages went out, and so many of them bounced at once. */
  async function history(sends: number, bounced: number, complained: number) {
    const rows = await sending.campaign(tenant, { leads: sends + 3 });
    await sending.api.sql.query(
      `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day,
         lane_day_until, is_new, claimed_at, claims, attempts, accepted_at, bounced_at, complained_at, opens, clicks, machine_opens, machine_clicks, updated_at)
       select gen_random_uuid(), l.workspace_id, l.campaign_id, l.id, 1, $2, 'accepted', l.email_key, 1, $5, '2026-01-01', $5, true, $5, 0, 1, $5,
         case when l.row_index <= $3::int then $5::timestamptz end, case when l.row_index > $6::int - $4::int then $5::timestamptz end, 0, 0, 0, 0, $5
       from campaign_leads l where l.campaign_id = $1 and l.row_index <= $6::int`,
      [rows.campaignId, rows.aliasIds[0], bounced, complained, now(), sends],
    );
    await query`update campaign_leads set status = 'completed', next_step = null, next_action_at = null where campaign_id = ${rows.campaignId} and row_index <= ${sends}`;
    return rows;
  }
  const statusOf = async (id: string) => (await tenant.call("GET", `/api/v1/campaigns/${id}`)).body;

  test.each([
    ["5 % bounces of 60", 60, 3, 0, "bounce_rate_exceeded"],
    ["less than 5 % bounces", 61, 3, 0, null],
    ["any rate of fewer than 50", 49, 20, 5, null],
    ["one complaint of 1,000", 1000, 0, 1, "complaint_rate_exceeded"],
    ["one complaint of 1,001", 1001, 0, 1, null],
  ])("%s", async (_name, sends, bounced, complained, reason) => {
    const { campaignId } = await history(sends, bounced, complained);
    await checkGuardrails(sending.api.deps, [campaignId]);
    const campaign = await statusOf(campaignId);
    expect([campaign.status, campaign.paused_reason]).toEqual(
      reason === null ? ["active", null] : ["paused", reason],
    );
    expect(await notices()).toEqual(reason === null ? [] : ["campaign_paused"]);
  });

  test.each([
    ["are no messages beside which bounces weigh less", 60, 3, 20, "paused"],
    ["do not make up the fifty", 40, 20, 20, "active"],
  ])("steps on a network %s", async (_name, sends, bounced, onNetwork, expected) => {
    const { campaignId } = await history(sends + onNetwork, bounced, 0);
    await query`update sends s set email_key = null, budget = 'message' from campaign_leads l
         where s.campaign_id = ${campaignId} and l.id = s.campaign_lead_id and l.row_index > ${sends}`;
    await checkGuardrails(sending.api.deps, [campaignId]);
    expect((await statusOf(campaignId)).status).toBe(expected);
  });

  test("two guards at the same instant pause once, with one notice", async () => {
    const { campaignId, aliasIds } = await history(60, 10, 0);
    await tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasIds[0]}`, { status: "disabled" });
    const paused = await Promise.all([
      checkGuardrails(sending.api.deps, [campaignId]),
      pauseStrandedCampaigns(sending.api.deps),
    ]);
    expect(paused.flat().filter((id) => id === campaignId)).toHaveLength(1);
    expect(await notices()).toEqual(["campaign_paused"]);
  });

  test("count from the resume, and the state resumed to is the one paused from", async () => {
    const { campaignId } = await history(60, 10, 0);
    await query`with lead as (update campaign_leads set status = 'active' where campaign_id = ${campaignId}) update campaigns set status = 'draining' where id = ${campaignId}`;
    await checkGuardrails(sending.api.deps, [campaignId]);
    sending.api.advance(60);
    expect((await tenant.call("POST", `/api/v1/campaigns/${campaignId}/resume`)).body.status).toBe(
      "draining",
    );
    expect(await checkGuardrails(sending.api.deps, [campaignId])).toEqual([]);
  });

  test("a refusal at RCPT counts: the tick pauses the campaign by itself", async () => {
    const { campaignId } = await history(56, 2, 0);
    sending.mailbox.faults.order("rcpt_refused", 1);
    await sending.tick();
    expect(await statusOf(campaignId)).toMatchObject({
      status: "paused",
      paused_reason: "bounce_rate_exceeded",
    });
  });
});

test("a campaign that nobody can send for any more is paused, with a notice; others go on", async () => {
  const stranded = await sending.campaign(tenant, { leads: 1 });
  const fine = await sending.campaign(tenant, { leads: 1, domain: "fine.zz" });
  await tenant.call("PATCH", `/api/v1/mailer/aliases/${stranded.aliasIds[0]}`, {
    status: "disabled",
  });
  const paused = await pauseStrandedCampaigns(sending.api.deps);
  expect(paused).toContain(stranded.campaignId);
  expect(paused).not.toContain(fine.campaignId);
  expect(await notices()).toEqual(["campaign_paused"]);
  const resume = await tenant.call("POST", `/api/v1/campaigns/${stranded.campaignId}/resume`);
  expect(resume.status).toBe(409);
});

test("automatic answers from before they stood on the ledger are taken over from the list of incoming mail", async () => {
  const { sendId } = await sentOne();
  await query`insert into inbound_mails (id, content_hash, received_at, class, workspace_id, message_row_id)
    select gen_random_uuid(), gen_random_uuid()::text, at::timestamptz, class, ${tenant.workspaceId}, ${sendId}::uuid
    from (values ('2026-01-01T00:00:00Z', 'reply'), ('2026-01-03T00:00:00Z', 'challenge'), ('2026-01-02T00:00:00Z', 'out_of_office')) came(at, class)`;
  const migration = readFileSync(join(MIGRATIONS_FOLDER, "0019_automatic_answers.sql"), "utf8");
  await sending.api.sql.query(migration.split("--> statement-breakpoint").at(-1)!);
  const [send] = await query`select auto_replied_at from sends where id = ${sendId}`;
  expect(send.auto_replied_at).toEqual(new Date("2026-01-02T00:00:00Z"));
});
