import { expect, test } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import { SHUT_OUT } from "#src/domain/engine/late-senders.ts";
import { recordFeedback } from "#src/domain/replies/feedback/campaign.ts";
import { forceStatus, suppress } from "../../support/campaigns.ts";
import { type Sending, sending, tenant, useSending } from "../../support/sending.ts";

/** `sending-status` as a person reads it: one situation each, and the sentences that it gives. */

useSending();

type Rows = Awaited<ReturnType<Sending["campaign"]>>;
interface Situation {
  make(rows: Rows, path: string): Promise<unknown>;
  /** Of the campaign, of its first sender, of its first lead. */
  says: { campaign?: string; sender?: string; lead?: string };
  leads?: number;
  steps?: { delayDays: number }[];
  intervalSeconds?: number;
  dailyLimit?: number;
  aliasCap?: number;
}

const sql = (text: string, ...values: unknown[]) => sending.api.sql.query(text, values);
const post = (path: string, body?: object) => tenant.call("POST", path, body);
const force = (id: string, status: string, more: object = {}) =>
  forceStatus(sending.api.sql, id, status, more as Record<string, unknown>);
const TWO = [{ delayDays: 0 }, { delayDays: 3 }];
const firstOf = (path: string, { campaignLeadIds }: Rows) => `${path}/leads/${campaignLeadIds[0]}`;

const told = async (kind: "reply" | "hard_bounce" | "complaint", reason?: string) => {
  await sending.tick();
  const { rows } = await sql("select id from sends where workspace_id = $1", tenant.workspaceId);
  await recordFeedback(sending.api.deps, {
    workspaceId: tenant.workspaceId,
    sendId: rows[0].id,
    kind,
    at: new Date(),
    ...(reason === undefined ? {} : { reason }),
  });
};

const tickAndWait = async () => {
  await sending.tick();
  sending.api.advance(400);
};

const SITUATIONS: Record<string, Situation> = {
  "nothing is in the way": { make: async () => {}, says: { campaign: "", sender: "", lead: "" } },
  "a draft": {
    make: ({ campaignId }) => force(campaignId, "draft", { launched_at: null }),
    says: { campaign: "campaign_draft: It is a draft; launch it to send." },
  },
  "a scheduled launch": {
    make: ({ campaignId }) =>
      force(campaignId, "scheduled", { start_date: "2030-01-01T00:00:00Z" }),
    says: { campaign: "campaign_scheduled: Its launch is scheduled; it starts at that time." },
  },
  "a launch that failed": {
    make: ({ campaignId }) =>
      force(campaignId, "failed", { launch_error: "No usable lead: each is suppressed." }),
    says: {
      campaign:
        "campaign_failed: Its launch failed: No usable lead: each is suppressed. Mend that and launch it again.",
    },
  },
  "paused by hand": {
    make: (_, path) => post(`${path}/pause`),
    says: { campaign: "campaign_paused: It was paused by hand; resume it to go on." },
  },
  "paused by the guard against bounces": {
    make: ({ campaignId }) =>
      force(campaignId, "paused", { paused_reason: "bounce_rate_exceeded", paused_from: "active" }),
    says: {
      campaign:
        "campaign_paused: Too many of its messages bounced (5 % within a week); look at the leads' addresses before you resume it.",
    },
  },
  "a launch that was missed": {
    make: ({ campaignId }) =>
      force(campaignId, "paused", { paused_reason: "missed_schedule", launched_at: null }),
    says: {
      campaign:
        "campaign_paused: Its launch was missed by more than a day, so it did not start by itself; resume it to launch.",
    },
  },
  "a closed window": {
    make: ({ campaignId }) => {
      const hour = new Date().getUTCHours();
      const at = (ahead: number) => `${String((hour + ahead) % 24).padStart(2, "0")}:00:00`;
      return sql(
        "update campaigns set sending_window_start = $2, sending_window_end = $3 where id = $1",
        campaignId,
        at(3),
        at(4),
      );
    },
    says: { campaign: "window_closed: Its sending window is closed." },
  },
  "the daily limit": {
    dailyLimit: 1,
    leads: 2,
    make: tickAndWait,
    says: { campaign: "daily_limit_reached: It has used its daily limit of 1." },
  },
  "the limit of new leads": {
    leads: 3,
    make: async ({ campaignId }) => {
      await sql("update campaigns set max_new_leads_per_day = 1 where id = $1", campaignId);
      await tickAndWait();
    },
    says: {
      campaign:
        "new_leads_limit_reached: It has started as many new leads today as it may (1), and no follow-up is due.",
    },
  },
  "nothing is due yet": {
    steps: TWO,
    make: () => sending.tick(),
    says: {
      campaign: "nothing_due: No lead's next step is due yet; one waits for its day.",
      lead: "step_not_due: Step 2 is not due yet.",
    },
  },
  "the time zone is gone": {
    make: ({ campaignId }) =>
      sql("update campaigns set timezone = 'Mars/Olympus' where id = $1", campaignId),
    says: {
      campaign:
        "timezone_unknown: Its time zone Mars/Olympus is not known any more; pause it and give it another.",
    },
  },
  "the only sender is paused": {
    make: ({ aliasIds }) =>
      tenant.call("PATCH", `/api/v1/mailer/aliases/${aliasIds[0]}`, { status: "paused" }),
    says: {
      campaign: "no_sender_available: None of its senders can send; see `senders`.",
      sender: "sender_not_active: ALIAS is paused; make it active again.",
    },
  },
  "the sender's password is wrong": {
    make: async ({ aliasIds }) => {
      const sealed = await sending.api.deps.vault.seal(
        "wrong",
        `mail_aliases:${aliasIds[0]}:transport_secret`,
      );
      await sql("update mail_aliases set transport_secret = $2 where id = $1", aliasIds[0], sealed);
      await sending.tick();
    },
    says: {
      campaign: "no_sender_available: None of its senders can send; see `senders`.",
      sender: expect.stringMatching(
        /^sender_not_active: ALIAS cannot send until its account is mended\. .*535/,
      ),
    },
  },
  "the sender rests after a failure": {
    make: async () => {
      sending.mailbox.faults.order("greeting_421", 1);
      await sending.tick();
    },
    says: {
      campaign: "all_senders_wait: Every sender waits; see `senders`.",
      sender: expect.stringMatching(/^sender_resting: ALIAS rests: .*421/),
    },
  },
  "the sender waits for its turn at a server that is late": {
    make: async ({ aliasIds }) => {
      const now = sending.api.deps.clock.now();
      const until = new Date(now.getTime() + 120_000);
      const store = createPostgresStore(sending.api.deps.db);
      await store.rest(now, [{ laneId: aliasIds[0]!, until }], SHUT_OUT);
    },
    says: {
      campaign: "all_senders_wait: Every sender waits; see `senders`.",
      sender:
        "sender_resting: ALIAS rests: A server of this workspace takes long to answer, so that few messages are under way at once; each waits for its turn.",
    },
  },
  "the sender has sent its day's mail": {
    aliasCap: 1,
    leads: 2,
    make: tickAndWait,
    says: {
      campaign: "all_senders_wait: Every sender waits; see `senders`.",
      sender: "sender_cap_reached: ALIAS has sent 1 of 1 today.",
    },
  },
  "the sender waits between two messages": {
    intervalSeconds: 600,
    leads: 2,
    make: () => sending.tick(),
    says: {
      campaign: "all_senders_wait: Every sender waits; see `senders`.",
      sender: "sender_gap: ALIAS waits between two messages.",
    },
  },
  "a lead that is held": {
    make: (rows, path) =>
      post(`${firstOf(path, rows)}/hold`, { hold_reason: "asked to be called in January" }),
    says: {
      campaign: "leads_held: One lead is held.",
      lead: "lead_held: It is held: asked to be called in January.",
    },
  },
  "a lead with others before it": {
    leads: 3,
    make: (rows) =>
      sql("update campaign_leads set row_index = 9 where id = $1", rows.campaignLeadIds[0]),
    says: { campaign: "", lead: "queued: 2 leads that are due come before it." },
  },
  "a lead whose address is suppressed": {
    make: () => suppress(sending.api.sql, tenant, "domain", "example.zz"),
    says: { lead: "suppressed: Its address is suppressed (manual); its turn will end it." },
  },
  "a lead that another campaign wrote to": {
    make: async () => {
      await sending.campaign(tenant, { leads: 1 });
      await sending.tick();
      // One of the two campaigns has had its turn; the other's lead waits.
      await sql(
        "update sends set campaign_id = gen_random_uuid(), campaign_lead_id = gen_random_uuid() where workspace_id = $1",
        tenant.workspaceId,
      );
      await sql(
        "update campaign_leads set status = 'pending', next_step = 1, next_action_at = now(), alias_id = null, current_step = 0 where workspace_id = $1",
        tenant.workspaceId,
      );
      await sql(
        "update campaigns set status = 'active' where workspace_id = $1",
        tenant.workspaceId,
      );
    },
    says: {
      lead: "address_recently_mailed: Another campaign wrote to this address within the last 24 hours.",
    },
  },
  "a message of unknown fate": {
    make: async () => {
      sending.mailbox.faults.order("close_after_dot", 1);
      await sending.tick();
    },
    says: {
      campaign: "in_flight: One message is on its way.",
      lead: expect.stringMatching(
        /^delivery_unknown: It is not known whether step 1 arrived; after 24 hours without a sign it counts as sent\. /,
      ),
    },
  },
  "a lead that replied": {
    steps: TWO,
    leads: 2,
    make: () => told("reply"),
    says: { lead: "lead_replied: The person has replied; the lead is done in this campaign." },
  },
  "a lead whose address bounced": {
    steps: TWO,
    leads: 2,
    make: () => told("hard_bounce", "5.1.1 User unknown"),
    says: { lead: "lead_bounced: Its address takes no mail: 5.1.1 User unknown." },
  },
  "a lead that complained": {
    steps: TWO,
    leads: 2,
    make: () => told("complaint"),
    says: { lead: "lead_complained: The person has reported a message as spam." },
  },
  "a lead that was stopped": {
    leads: 2,
    make: (rows, path) => post(`${firstOf(path, rows)}/stop`),
    says: { lead: "lead_stopped: It was ended: it was stopped by hand." },
  },
  "a lead that lacks what its text needs": {
    leads: 2,
    make: async ({ campaignId }) => {
      await sql(
        `update campaigns set steps = jsonb_set(steps, '{0,variants,0,body}', '"Hello {{ nickname }}"') where id = $1`,
        campaignId,
      );
      await sending.tick();
    },
    says: { lead: "lead_skipped: It was left out: MISSING_VARIABLE: nickname." },
  },
  "all is done": {
    make: () => sending.tick(),
    says: {
      campaign:
        "campaign_completed: It is completed; every lead has had its messages or has ended.",
      lead: "lead_completed: It has had every step.",
    },
  },
};

test.each(Object.entries(SITUATIONS))(
  "%s",
  async (_name, { make, says, leads = 1, steps = [{ delayDays: 0 }], ...options }) => {
    const rows = await sending.campaign(tenant, { leads, steps, ...options });
    const path = `/api/v1/campaigns/${rows.campaignId}`;
    await make(rows, path);
    const reply = await tenant.call(
      "GET",
      `${path}/sending-status?lead_id=${rows.campaignLeadIds[0]}`,
    );
    expect(reply.status).toBe(200);
    const { rows: aliases } = await sql(
      "select email from mail_aliases where id = $1",
      rows.aliasIds[0],
    );
    const sentences = (reasons: { code: string; message: string }[]) =>
      reasons
        .map(({ code, message }) => `${code}: ${message.replaceAll(aliases[0].email, "ALIAS")}`)
        .join(" ");
    const { body } = reply;
    const said = {
      campaign: sentences(body.reasons),
      sender: sentences(body.senders[0].reasons),
      lead: sentences(body.lead.reasons),
    };
    expect(said).toMatchObject(says);
  },
);
