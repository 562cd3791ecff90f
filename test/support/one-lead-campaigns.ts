import { randomUUID } from "node:crypto";
import type pg from "pg";

interface OneLeadCampaigns {
  campaigns: number;
  lanes: number;
  now: Date;
}

/** Rows of running campaigns with one lead each, who is due, and of senders that each serve all of them and are due; nothing else is there. */
export async function insertOneLeadCampaigns(
  sql: Pick<pg.Pool, "query">,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  { campaigns, lanes, now }: OneLeadCampaigns,
): Promise<{ laneIds: string[]; campaignIds: string[] }> {
  const datasetId = randomUUID();
  const laneIds = Array.from({ length: lanes }, () => randomUUID()).sort();
  const campaignIds = Array.from({ length: campaigns }, () => randomUUID()).sort();
  const owner = [workspaceId, userId, now, datasetId];
  await sql.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ($4, $1, $2, $3, $3, 'People', 'api', 'ready', 0, '[]', '{}')`,
    owner,
  );
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, day_from, day_until, failures, updated_at)
     select id, $1, 'email', true, $2, 0, 1000000, 0, $2::timestamptz - interval '1 day', $2::timestamptz + interval '1 day', 0, $2
     from unnest($3::uuid[]) id`,
    [workspaceId, now, laneIds],
  );
  await sql.query(
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version, alias_ids,
       unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation, launched_at, used,
       used_new, open_from, open_until, open_day)
     select id, $1, $2, $3, $3, $4, 'One', 'email', 'active', 'immediate', 500, '00:00', '00:00', 60, 'UTC', false, '{mon}',
       '[{"channel": "email", "action_type": "send_email"}]', 1, $6, 'launch_default', true, false, false, 0, 0, $3, 0, 0,
       $3::timestamptz - interval '1 day', $3::timestamptz + interval '1 day', $3::date
     from unnest($5::uuid[]) id`,
    [...owner, campaignIds, laneIds],
  );
  await sql.query(
    "insert into campaign_senders (campaign_id, lane_id) select c, l from unnest($1::uuid[]) c cross join unnest($2::uuid[]) l",
    [campaignIds, laneIds],
  );
  await sql.query(
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step,
       next_action_at, metadata, created_at, updated_at)
     select gen_random_uuid(), $1, c, gen_random_uuid(), $3, 1, e, e, 'pending', 0, 1, $2, '{}', $2, $2
     from unnest($4::uuid[]) c cross join lateral (select 'lead-' || c || '@example.zz' as e) x`,
    [workspaceId, now, datasetId, campaignIds],
  );
  return { laneIds, campaignIds };
}
