import type pg from "pg";
import { campaignsToSum, sumCampaign } from "#db/campaigns/fold-sums.ts";
import { campaignsToCount, countCampaign } from "#db/campaigns/lead-sums.ts";
import { databaseOver } from "./scale.ts";

/** Bytes of disk that a lead takes with all that hangs on it, and leads loaded a second: 0.57 GB and 86 s for 200,000. */
export const BYTES_A_LEAD = 2_900;
export const LEADS_A_SECOND = 2_300;

/** The large tenant has four fifths of all leads, in one campaign; the others share the rest. */
const LARGE_SHARE = 0.8;
const LEADS_A_LANE = 5_000;

export interface ScaleData {
  leads: number;
  now: Date;
  /** The large tenant's. */
  workspaceId: string;
  userId: string;
  campaignId: string;
  datasetId: string;
}

const LARGE = {
  workspaceId: "00000000-0000-4000-8000-0000000000a1",
  userId: "00000000-0000-4000-8000-0000000000a2",
  campaignId: "00000000-0000-4000-8000-0000000000a3",
  datasetId: "00000000-0000-4000-8000-0000000000a4",
};

/** Of so many leads, as they are loaded. */
export const scaleOf = (leads: number): ScaleData => ({
  ...LARGE,
  leads,
  now: new Date("2027-03-01T12:00:00Z"),
});

/** In order; `t` is a tenant, `$1` the instant that all of it is loaded for. Triggers are off: what they keep is made afterwards as from before they were there. */
const STEPS: readonly [string, string][] = [
  [
    "tenants",
    `insert into users (id, created_at, updated_at) select user_id, $1, $1 from tenants t`,
  ],
  [
    "tenants",
    `insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
     select workspace_id, user_id, 'Scale', 'paid', 'UTC', $1, $1 from tenants t`,
  ],
  [
    "lanes",
    `insert into mail_aliases (id, workspace_id, user_id, created_at, updated_at, email, display_name, transport_kind, transport_settings, status, daily_limit, is_default)
     select lane.id, t.workspace_id, t.user_id, $1, $1, 'sender' || lane.place || '@tenant' || t.n || '.zz', 'Sender', 'smtp', '{"host": "127.0.0.1", "port": 1, "security": "none"}', 'active', 100000, false
     from tenants t join lanes lane using (n)`,
  ],
  [
    "lanes",
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, day_from, day_until, failures, updated_at)
     select lane.id, t.workspace_id, 'email', true, $1::timestamptz - random() * interval '10 minutes', 0, 100000, 0,
       $1::timestamptz - interval '12 hours', $1::timestamptz + interval '12 hours', 0, $1
     from tenants t join lanes lane using (n)`,
  ],
  [
    "campaigns",
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping, last_row_index)
     select dataset_id, workspace_id, user_id, $1, $1, 'Scale', 'api', 'ready', leads, '[]', '{}', leads from tenants t`,
  ],
  [
    "campaigns",
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version, alias_ids,
       unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation, total_leads,
       launched_at, used, used_new, open_from, open_until, open_day)
     select campaign_id, workspace_id, user_id, $1, $1, dataset_id, 'Scale', 'email', 'active', 'immediate', 1000000,
       '00:00', '00:00', 60, 'UTC', false, '{mon,tue,wed,thu,fri,sat,sun}', '[{"step": 1, "channel": "email", "delay_days": 0, "variants": [{"label": "A", "weight": 100}]}, {"step": 2, "channel": "email", "delay_days": 3, "variants": [{"label": "A", "weight": 100}]}]',
       1, array(select id from lanes lane where lane.n = t.n order by place), 'launch_default', true, false, false, 0, 0, leads,
       $1::timestamptz - interval '60 days', 0, 0, $1::timestamptz - interval '12 hours', $1::timestamptz + interval '12 hours', ($1::timestamptz at time zone 'UTC')::date
     from tenants t`,
  ],
  [
    "campaigns",
    `insert into campaign_senders (campaign_id, lane_id) select t.campaign_id, lane.id from tenants t join lanes lane using (n)`,
  ],
  [
    "leads",
    `insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, first_name, company, tags, custom)
     select gen_random_uuid(), t.workspace_id, t.user_id, $1, $1, t.dataset_id, i, e, e, e, 'Lead ' || i, 'Company ' || i % 1000, '{}', '{"segment": "a"}'
     from tenants t cross join lateral generate_series(1, t.leads) i cross join lateral (select 'lead' || i || '@tenant' || t.n || '.zz' as e) x`,
  ],
  [
    "campaign leads",
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step, next_action_at, alias_id, metadata, created_at, updated_at)
     select gen_random_uuid(), t.workspace_id, t.campaign_id, l.id, t.dataset_id, l.row_index, l.email, l.email_key, x.status,
       case x.status when 'pending' then 0 else 1 end, case x.status when 'pending' then 1 when 'active' then 2 end,
       case when x.status in ('pending', 'active') then date_trunc('second', $1::timestamptz - interval '3 days' + random() * interval '6 days') end,
       case when x.status <> 'pending' then lane.id end, '{}', $1, $1
     from tenants t join leads l on l.dataset_id = t.dataset_id
     join lanes lane on lane.n = t.n and lane.place = (l.row_index / 2) % t.lanes
     cross join lateral (select case when l.row_index % 10 = 0 then 'pending' when l.row_index % 10 < 3 then 'active'
       when l.row_index % 1000 = 501 then 'complained' when l.row_index % 50 = 3 then 'replied' when l.row_index % 100 = 7 then 'bounced' else 'completed' end as status) x`,
  ],
  [
    "sends",
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, message_id, variant_label, config_version, subject, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, claims, attempts, transmitting_at, accepted_at, opens, clicks, machine_opens, machine_clicks, replied_at, bounced_at, updated_at)
     select gen_random_uuid(), l.workspace_id, l.campaign_id, l.id, step, l.alias_id, 'accepted', l.email_key, l.id || '-' || step || '@scale.zz', 'A', 1, 'Hello', at, at::date,
       at + interval '1 day', step = 1, at, 0, 1, at, at, (l.row_index % 5 < 2)::int, (l.row_index % 10 = 1)::int, (l.row_index % 7 = 0)::int, 0,
       case when l.status = 'replied' then at + interval '1 hour' end, case when l.status = 'bounced' then at + interval '1 minute' end, at
     from campaign_leads l cross join generate_series(1, 2) step
     cross join lateral (select date_trunc('second', $1::timestamptz - interval '1 minute' - (random() * 30 + 30 * (2 - step)) * interval '1 day') as at) x
     where l.status <> 'pending' and (step = 1 or l.row_index % 2 = 1 and l.status = 'completed')`,
  ],
  [
    "hits",
    `insert into email_events (id, workspace_id, campaign_id, send_id, kind, at, link_index, url, classification, reasons, user_agent)
     select gen_random_uuid(), s.workspace_id, s.campaign_id, s.id, kind, s.accepted_at + interval '10 minutes', 0, case when kind = 'click' then 'https://example.com/1' end, 'human', '{}', 'Mozilla/5.0'
     from sends s cross join (values ('open'), ('click')) k(kind) where (kind = 'open' and s.opens > 0) or (kind = 'click' and s.clicks > 0)`,
  ],
  [
    "threads",
    `with made as (
       insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, lead_id, campaign_id, campaign_lead_id, channel, subject, last_message_at, unread)
       select gen_random_uuid(), s.workspace_id, s.workspace_id, $1, $1, s.lane_id, s.email_key, l.lead_id, s.campaign_id, l.id, 'email', 'Hello', s.replied_at, 1
       from sends s join campaign_leads l on l.id = s.campaign_lead_id where s.replied_at is not null and s.step = 1
       returning id, workspace_id, peer_key, last_message_at)
     insert into conversation_messages (id, workspace_id, conversation_id, direction, class, message_id, from_email, to_emails, subject, text, sent_at, dedup_key)
     select gen_random_uuid(), workspace_id, id, 'in', 'reply', id || '@theirs.zz', peer_key, '{sender@scale.zz}', 'Re: Hello', repeat('Words of a reply. ', 20), last_message_at, id::text from made`,
  ],
  [
    "told",
    `insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, delivered_at, attempts)
     select gen_random_uuid(), s.workspace_id, case when s.bounced_at is null then 'lead_reply' else 'lead_hard_bounce' end, s.id::text,
       jsonb_build_object('campaign_id', s.campaign_id, 'campaign_lead_id', s.campaign_lead_id, 'send_id', s.id) || case when s.bounced_at is null then '{}' else '{"why": "550 no such user"}' end::jsonb,
       coalesce(s.replied_at, s.bounced_at), coalesce(s.replied_at, s.bounced_at), 1
     from sends s where s.replied_at is not null or s.bounced_at is not null`,
  ],
  [
    "told",
    `insert into inbound_mails (id, content_hash, received_at, class, workspace_id, matched_by, message_row_id)
     select gen_random_uuid(), s.id::text, coalesce(s.replied_at, s.bounced_at), 'reply', s.workspace_id, 'message_id', s.id
     from sends s where s.replied_at is not null or s.bounced_at is not null`,
  ],
  [
    "suppressions",
    `insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
     select gen_random_uuid(), t.workspace_id, t.user_id, $1, $1, v, encode(sha256(convert_to(v, 'UTF8')), 'hex'), 'email', 'manual'
     from tenants t cross join lateral generate_series(1, t.leads / 10 + 1) i cross join lateral (select 'person' || i || '@suppressed.zz' as v) x`,
  ],
  [
    "emails",
    `insert into emails (id, workspace_id, user_id, created_at, updated_at, alias_id, conversation_id, from_email, to_email, email_key, subject, body, format, attachments, track_opens,
       track_clicks, click_tracking_patterns, due_at, state, message_id, attempts, sent_at, opens, clicks, machine_opens, machine_clicks)
     select gen_random_uuid(), t.workspace_id, t.user_id, $1, $1, lane.id, gen_random_uuid(), 'sender@scale.zz', e, e, 'Hello', '<p>Hello</p>', 'html', '[]', false, false, '{}',
       $1, case when i % 5000 = 0 then 'failed' else 'sent' end, gen_random_uuid() || '@scale.zz', 1, $1, 0, 0, 0, 0
     from tenants t join lanes lane on lane.n = t.n and lane.place = 0 cross join lateral generate_series(1, t.leads / 10) i cross join lateral (select 'single' || i || '@tenant' || t.n || '.zz' as e) x`,
  ],
  [
    "verifications",
    `with job as (
       insert into dataset_verifications (id, workspace_id, user_id, created_at, updated_at, dataset_id, status)
       select gen_random_uuid(), workspace_id, user_id, $1, $1, dataset_id, 'completed' from tenants t returning id, dataset_id)
     insert into dataset_verification_rows (job_id, row_index, lead_id, key_hash, domain, state, cached, due_at, attempts)
     select job.id, l.row_index, l.id, encode(sha256(convert_to(l.email_key, 'UTF8')), 'hex'), 'scale.zz', 'done', false, $1, 1 from job join leads l using (dataset_id)`,
  ],
];

/** Fills an empty, migrated database with so many leads of so many tenants, and what a year or so of work leaves beside them. */
export async function loadScale(
  sql: pg.Client,
  { leads, tenants }: { leads: number; tenants: number },
  say: (line: string) => void,
): Promise<ScaleData> {
  const data = scaleOf(leads);
  const large = Math.round(leads * LARGE_SHARE);
  const small = Math.ceil((leads - large) / tenants);
  await sql.query("set session_replication_role = replica");
  await sql.query("set synchronous_commit = off");
  await sql.query(
    `create temp table tenants as
     select n, gen_random_uuid() as workspace_id, gen_random_uuid() as user_id, gen_random_uuid() as campaign_id, gen_random_uuid() as dataset_id,
       $1::int as leads, 1 + $1::int / ${LEADS_A_LANE} as lanes from generate_series(1, $2::int) n`,
    [small, tenants],
  );
  await sql.query(
    `insert into tenants values (0, $1, $2, $3, $4, $5::int, 1 + $5::int / ${LEADS_A_LANE})`,
    [LARGE.workspaceId, LARGE.userId, LARGE.campaignId, LARGE.datasetId, large],
  );
  await sql.query(
    "create temp table lanes as select n, place, gen_random_uuid() as id from tenants, generate_series(0, lanes - 1) place",
  );
  await sql.query("analyze tenants");
  await sql.query("analyze lanes");
  let named = "";
  for (const [name, statement] of STEPS) {
    if (name !== named) say((named = name));
    await sql.query(statement.includes("$1") ? { text: statement, values: [data.now] } : statement);
    if (name === "leads" || name === "campaign leads") await sql.query("analyze");
  }
  say("sums");
  await sql.query("set session_replication_role = origin");
  await sql.query("analyze");
  await sql.query("insert into campaigns_to_sum (campaign_id) select id from campaigns");
  await sql.query(
    "insert into campaign_lead_sums (campaign_id, leads, held) select id, 0, 0 from campaigns",
  );
  await makeSums(sql);
  say("vacuum");
  await sql.query("vacuum analyze");
  return data;
}

/** Of every campaign of before there were any, as the heartbeat makes them. */
export async function makeSums(sql: pg.Client): Promise<void> {
  const db = databaseOver(sql);
  const all = 1_000_000;
  for (const id of await campaignsToSum(db, all)) await sumCampaign(db, id);
  for (const id of await campaignsToCount(db, all)) await countCampaign(db, id);
}
