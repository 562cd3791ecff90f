import type pg from "pg";
import type { LaneKind } from "#db/schema/index.ts";
import type { ModelData } from "#src/domain/engine/memory/index.ts";

/** Who the rows belong to. */
export interface Owner {
  workspaceId: string;
  userId: string;
}

/** What the engine knows, of all workspaces: it serves whatever lane is due. */
export const ENGINE_TABLES = [
  ...["generations", "generation_batches", "mail_domains", "domain_shares", "sends", "send_bodies"],
  ...["email_events", "campaign_senders", "sender_lanes", "connected_accounts", "campaign_zones"],
  ...["suppressions", "engine_state", "campaign_leads", "leads", "datasets", "campaigns"],
  "mail_aliases",
  ...["operator_rates", "recipient_domains"],
  // They are kept by triggers, which emptying passes by.
  ...[
    "campaign_lead_sums",
    "campaign_sums",
    "send_deltas",
    "campaign_lead_hits",
    "campaigns_to_sum",
  ],
];

/** Writes a model's data as rows, so that the same scenario runs on both. */
export async function insertEngineRows(
  sql: pg.Pool,
  { workspaceId, userId }: Owner,
  data: ModelData,
  now: Date,
): Promise<void> {
  const owner = [workspaceId, userId, now] as const;
  const kinds = new Map(data.lanes.map(({ id, kind }) => [id, kind]));
  const aliases = data.lanes.filter(({ kind }) => kind === "email");
  const sendersOf = (campaignId: string, kind: LaneKind) =>
    data.senders
      .filter((row) => row.campaignId === campaignId && kinds.get(row.laneId) === kind)
      .map(({ laneId }) => laneId);
  await sql.query("update workspaces set timezone = $2 where id = $1", [
    workspaceId,
    data.workspaceTimezone,
  ]);
  await sql.query(
    `insert into mail_domains (id, workspace_id, user_id, created_at, updated_at, domain, status, dkim_selector, dkim_public_key, dkim_private_key, daily_limit)
     select r.id, $1, $2, $3, $3, r.id::text || '.zz', 'verified', 's', 'none', 'none', r."dailyLimit"
     from jsonb_to_recordset($4::jsonb) as r(id uuid, "dailyLimit" int)`,
    [...owner, JSON.stringify(data.domains)],
  );
  await sql.query(
    `insert into mail_aliases (id, workspace_id, user_id, created_at, updated_at, email, display_name, transport_kind, transport_settings, status, daily_limit, min_interval_seconds, ramp, domain_id, is_default)
     select r.id, $1, $2, r.created_at, $3, 'sender-' || left(r.id::text, 8) || right(r.id::text, 4) || '@' || coalesce(r.domain_id::text, 'sender') || '.zz', 'Sender', 'smtp', '{"host": "127.0.0.1", "port": 1, "security": "none"}', 'active', r.daily_limit, r.min_interval_seconds, r.ramp, r.domain_id, false
     from jsonb_to_recordset($4::jsonb) as r(id uuid, created_at timestamptz, daily_limit int, min_interval_seconds int, ramp jsonb, domain_id uuid)`,
    [
      ...owner,
      JSON.stringify(
        aliases.map(
          ({ id, createdAt, dailyLimit, minIntervalSeconds, ramp, domainId, limitedDomainId }) => ({
            id,
            created_at: createdAt,
            daily_limit: dailyLimit,
            min_interval_seconds: minIntervalSeconds,
            ramp,
            domain_id: domainId ?? limitedDomainId,
          }),
        ),
      ),
    ],
  );
  await sql.query(
    `insert into recipient_domains (domain, operator, looked_up_at, due_at, used_at)
     select r.domain, r.operator, $1, $1, $1 from jsonb_to_recordset($2::jsonb) as r(domain text, operator text)`,
    [now, JSON.stringify(data.operators ?? [])],
  );
  await sql.query(
    `insert into operator_rates (domain_id, operator, per_hour, changed_at, next_at, full_at, since, reason)
     select r."domainId", r.operator, r."perHour", r."changedAt", r."nextAt", r."changedAt" + (60 - r."perHour") * interval '10 minutes', r."changedAt", '421'
     from jsonb_to_recordset($1::jsonb) as r("domainId" uuid, operator text, "perHour" int, "changedAt" timestamptz, "nextAt" timestamptz)`,
    [JSON.stringify(data.rates ?? [])],
  );
  await sql.query(
    `insert into connected_accounts (id, workspace_id, user_id, created_at, updated_at, provider, provider_account_id, display_name, profile_url, is_premium, status, status_since, checkpoint_pending, is_default, daily_connection_limit, daily_message_limit, warmup_days, warmup_from, failures)
     select r.id, $1, $2, $3, $3, 'LINKEDIN', r.id::text, 'Account', 'https://network.zz/in/' || r.id, false, 'connected', $3, false, false, r."dailyConnectionLimit", r."dailyMessageLimit", r."warmupDays", r."warmupFrom", 0
     from jsonb_to_recordset($4::jsonb) as r(id uuid, "dailyConnectionLimit" int, "dailyMessageLimit" int, "warmupDays" int, "warmupFrom" timestamptz)`,
    [
      ...owner,
      JSON.stringify(
        data.lanes.flatMap(({ id, account }) => (account === null ? [] : [{ id, ...account }])),
      ),
    ],
  );
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, last_slot_at, slot_no, min_interval_seconds, day_cap, used, connection_cap, connections_used, day_from, day_until, closed_until, failures, updated_at)
     select r.id, $1, r.kind, r.open, r."nextSlotAt", r."lastSlotAt", r."slotNo", r."minIntervalSeconds", r."dayCap", r.used, r."connectionCap", r."connectionsUsed", r."dayFrom", r."dayUntil", r."closedUntil", r.failures, $2
     from jsonb_to_recordset($3::jsonb) as r(id uuid, kind text, open boolean, "nextSlotAt" timestamptz, "lastSlotAt" timestamptz, "slotNo" bigint, "minIntervalSeconds" int, "dayCap" int, used int, "connectionCap" int, "connectionsUsed" int, "dayFrom" timestamptz, "dayUntil" timestamptz, "closedUntil" timestamptz, failures int)`,
    [workspaceId, now, JSON.stringify(data.lanes)],
  );
  for (const campaign of data.campaigns) {
    // The dataset shares the campaign's id: one each, and nobody else's.
    await sql.query(
      `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
       values ($4, $1, $2, $3, $3, 'Leads', 'api', 'ready', 0, '[]', '{}')`,
      [...owner, campaign.id],
    );
    await sql.query(
      `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit, max_new_leads_per_day,
         sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version,
         alias_ids, unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation,
         total_leads, launched_at, used, used_new, open_from, open_until, open_day, connected_account_id)
       values ($4, $1, $2, $3, $3, $4, 'Test', $20, $5, 'immediate', $6, $7, $8, $9, $10, $11, $22, $12, $13, 1,
         $14, $23, true, false, false, 0, 0, 0, $3, $15, $16, $17, $18, $19, $21)`,
      [
        ...owner,
        campaign.id,
        campaign.status,
        campaign.dailyLimit,
        campaign.maxNewLeadsPerDay,
        campaign.start,
        campaign.end,
        campaign.minIntervalSeconds,
        campaign.timezone,
        campaign.days,
        JSON.stringify(campaign.steps),
        sendersOf(campaign.id, "email"),
        campaign.used,
        campaign.usedNew,
        campaign.openFrom,
        campaign.openUntil,
        campaign.openDay,
        campaign.type,
        sendersOf(campaign.id, "socialnet")[0] ?? null,
        campaign.useLeadTimezone,
        campaign.unreviewedLaunchPolicy,
      ],
    );
  }
  await sql.query(
    `insert into campaign_zones (campaign_id, zone, open_from, open_until)
     select r."campaignId", r.zone, r."openFrom", r."openUntil"
     from jsonb_to_recordset($1::jsonb) as r("campaignId" uuid, zone text, "openFrom" timestamptz, "openUntil" timestamptz)`,
    [JSON.stringify(data.zones)],
  );
  await sql.query(
    `insert into campaign_senders (campaign_id, lane_id, last_served_at)
     select r."campaignId", r."laneId", r."lastServedAt"
     from jsonb_to_recordset($1::jsonb) as r("campaignId" uuid, "laneId" uuid, "lastServedAt" timestamptz)`,
    [JSON.stringify(data.senders)],
  );
  await insertLeadRows(sql, { workspaceId, userId }, data.leads, now);
  await sql.query(
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, timezone, zone, status, current_step, next_step, next_budget, next_channel, next_action_at, alias_id, hold_reason, hold_until, metadata, created_at, updated_at)
     select r.id, $1, r."campaignId", r."leadId", r."campaignId", r."rowIndex", r."emailKey", r."emailKey", nullif(r.zone, ''), r.zone, r.status, r."nextStep" - 1, r."nextStep", r."nextBudget", r."nextChannel", r."nextActionAt", r."laneId",
            case when r.held then coalesce(r."waitsFor", 'user') end, r."holdUntil", '{}', $2, $2
     from jsonb_to_recordset($3::jsonb) as r(id uuid, "campaignId" uuid, "leadId" uuid, "rowIndex" int, "emailKey" text, zone text, status text, "nextStep" int, "nextBudget" text, "nextChannel" text, "nextActionAt" timestamptz, "laneId" uuid, held boolean, "waitsFor" text, "holdUntil" timestamptz)`,
    [workspaceId, now, JSON.stringify(data.leads)],
  );
}

/** The leads' own rows; being in a campaign is another. */
export async function insertLeadRows(
  sql: pg.Pool,
  { workspaceId, userId }: Owner,
  leads: ModelData["leads"],
  now: Date,
): Promise<void> {
  await sql.query(
    `insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, timezone, profile_url, first_name, tags, custom)
     select r."leadId", $1, $2, $3, $3, r."campaignId", r."rowIndex", r."emailKey", r."emailKey", r."emailKey", nullif(r.zone, ''), 'https://network.zz/in/' || r."leadId", 'Lead', '{}', '{}'
     from jsonb_to_recordset($4::jsonb) as r("leadId" uuid, "campaignId" uuid, "rowIndex" int, "emailKey" text, zone text)`,
    [workspaceId, userId, now, JSON.stringify(leads)],
  );
}
