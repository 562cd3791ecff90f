import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type pg from "pg";
import { closeLanes } from "#db/engine/index.ts";
import { instantParam } from "#db/base/instants.ts";
import type { Deps } from "#src/deps.ts";
import { wholeSecond } from "#src/domain/engine/window.ts";
import type { Tenant } from "./api.ts";

/** Rows for the engine's own tests, written past the API: state, not behaviour, is what they arrange. */
export interface CampaignRows {
  campaignId: string;
  aliasIds: string[];
  leadIds: string[];
  /** Ids of the campaign leads, in dataset order. */
  campaignLeadIds: string[];
}

export interface CampaignOptions {
  leads: number;
  aliases?: number | string[];
  dailyLimit?: number;
  intervalSeconds?: number;
  steps?: { delayDays: number }[];
  now: Date;
  domain?: string;
  smtp?: { host: string; port: number };
  aliasCap?: number;
}

/** Closes every lane that there is, so that what an earlier test left does not act. */
export async function closeAllLanes({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const all = { from: sql`sender_lanes other`, where: sql`lane.id = other.id and lane.open` };
  await db.execute(closeLanes(all, instantParam(clock.now())));
}

/** An active campaign that is open all day, its lanes due at `now`. */
export async function insertActiveCampaign(
  sql: pg.Pool,
  tenant: Pick<Tenant, "workspaceId" | "userId">,
  options: CampaignOptions,
): Promise<CampaignRows> {
  // As the service does: steps fall due on whole seconds.
  const now = wholeSecond(options.now);
  const { leads, dailyLimit = 500, intervalSeconds = 60, steps = [{ delayDays: 0 }] } = options;
  const owner = [tenant.workspaceId, tenant.userId, now] as const;
  const datasetId = randomUUID();
  await sql.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ($4, $1, $2, $3, $3, 'Leads', 'api', 'ready', $5, '[]', '{}')`,
    [...owner, datasetId, leads],
  );
  const aliasIds = Array.isArray(options.aliases)
    ? options.aliases
    : await insertAliases(sql, tenant, options.aliases ?? 1, options);
  const campaignId = randomUUID();
  const stepsConfig = steps.map(({ delayDays }, index) => ({
    step: index + 1,
    delay_days: delayDays,
    channel: "email",
    action_type: "send_email",
    ai_personalization_enabled: false,
    track_opens: true,
    track_clicks: true,
    variants: [
      {
        label: "A",
        weight: 100,
        type: "INLINE",
        ...(index === 0 ? { subject: "Hello {{ first_name }}" } : {}),
        body: `<p>Step ${index + 1} for {{ first_name }}, see <a href="https://example.com/${index + 1}">this</a></p>`,
      },
    ],
  }));
  const dayStart = `${now.toISOString().slice(0, 10)}T00:00:00Z`;
  await sql.query(
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version,
       alias_ids, unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation,
       total_leads, launched_at, used, used_new, open_from, open_until, open_day)
     values ($4, $1, $2, $3, $3, $5, 'Test', 'email', 'active', 'immediate', $6, '00:00', '00:00', $7, 'UTC', false,
       '{mon,tue,wed,thu,fri,sat,sun}', $8, 1, $9, 'launch_default', true, false, false, $10, 0, $10, $3, 0, 0,
       $11::timestamptz, $11::timestamptz + interval '1 day', ($11::timestamptz at time zone 'UTC')::date)`,
    [
      ...owner,
      campaignId,
      datasetId,
      dailyLimit,
      intervalSeconds,
      JSON.stringify(stepsConfig),
      aliasIds,
      leads,
      dayStart,
    ],
  );
  await sql.query(
    `insert into campaign_senders (campaign_id, lane_id) select $1, unnest($2::uuid[])`,
    [campaignId, aliasIds],
  );
  const { rows } = await sql.query(
    `with lead as (
       insert into leads (id, workspace_id, user_id, created_at, updated_at, dataset_id, row_index, email, email_key, identity_key, first_name, tags, custom)
       select gen_random_uuid(), $1, $2, $3, $3, $4, n, e, e, e, 'Lead ' || n, '{}', '{}'
       from generate_series(1, $5::int) n, lateral (select 'lead' || n || '@' || $6 as e) x
       returning id, row_index, email
     )
     insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step, next_action_at, metadata, created_at, updated_at)
     select gen_random_uuid(), $1, $7, id, $4, row_index, email, email, 'pending', 0, 1, $3, '{}', $3, $3 from lead
     returning id, lead_id, row_index`,
    [...owner, datasetId, leads, options.domain ?? "example.zz", campaignId],
  );
  rows.sort((a, b) => a.row_index - b.row_index);
  return {
    campaignId,
    aliasIds,
    leadIds: rows.map((row) => row.lead_id),
    campaignLeadIds: rows.map((row) => row.id),
  };
}

export async function insertAliases(
  sql: pg.Pool,
  tenant: Pick<Tenant, "workspaceId" | "userId">,
  count: number,
  options: Pick<CampaignOptions, "now" | "smtp" | "aliasCap">,
): Promise<string[]> {
  const { smtp = { host: "127.0.0.1", port: 1 }, aliasCap = 1000, now } = options;
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql.query(
    `insert into mail_aliases (id, workspace_id, user_id, created_at, updated_at, email, display_name, transport_kind, transport_settings, status, daily_limit, is_default)
     select id, $2, $3, $4, $4, 'sender-' || left(id::text, 8) || '@sender.zz', 'Sender', 'smtp', $5, 'active', $6, false from unnest($1::uuid[]) id`,
    [
      ids,
      tenant.workspaceId,
      tenant.userId,
      now,
      JSON.stringify({ ...smtp, security: "none" }),
      aliasCap,
    ],
  );
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, failures, updated_at)
     select id, $2, 'email', true, $3, 0, $4, 0, 0, $3 from unnest($1::uuid[]) id`,
    [ids, tenant.workspaceId, now, aliasCap],
  );
  return ids;
}
