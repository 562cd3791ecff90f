import type pg from "pg";

/** The senders of a campaign: what grows with the data set is the number of campaigns. */
const LANES_PER_CAMPAIGN = 2;
const CAMPAIGNS_PER_STATEMENT = 200;

export interface ClaimData {
  campaigns: number;
  lanes: number;
  leads: number;
  /** The instant at which every lane is due. */
  now: Date;
}

/**
 * Fills an empty, migrated database: campaigns that are open for years, each with a workspace, two
 * senders and so many leads of its own, of which half have started and 60 % are due.
 * Indexes are built after the rows. Says how far it is.
 */
export async function loadClaimData(
  sql: pg.Client,
  leads: number,
  perCampaign: number,
  say: (line: string) => void,
): Promise<ClaimData> {
  const campaigns = Math.ceil(leads / perCampaign);
  const now = new Date("2027-03-01T12:00:00Z");
  await sql.query("set synchronous_commit = off");
  const { rows: indexes } = await sql.query(
    `select indexname, indexdef from pg_indexes where tablename = 'campaign_leads' and indexname <> 'campaign_leads_pkey'`,
  );
  for (const { indexname } of indexes) await sql.query(`drop index "${indexname}"`);
  await sql.query(
    "create temp table bench_campaigns (n int primary key, id uuid, workspace_id uuid)",
  );
  await sql.query(
    "insert into bench_campaigns select n, gen_random_uuid(), gen_random_uuid() from generate_series(1, $1::int) n",
    [campaigns],
  );
  await sql.query(`
    create temp table bench_lanes as
    select gen_random_uuid() as id, b.workspace_id, b.n, place
    from bench_campaigns b cross join generate_series(0, ${LANES_PER_CAMPAIGN - 1}) place`);
  await sql.query("create index on bench_lanes (n)");
  await sql.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, day_from, day_until, failures, updated_at)
     select id, workspace_id, 'email', true, $1::timestamptz - random() * interval '10 minutes', 0, 1000000, 0,
            $1::timestamptz - interval '1 year', $1::timestamptz + interval '10 years', 0, $1
     from bench_lanes order by id`,
    [now],
  );
  await sql.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ('00000000-0000-4000-8000-000000000001', gen_random_uuid(), gen_random_uuid(), $1, $1, 'Bench', 'api', 'ready', 0, '[]', '{}')`,
    [now],
  );
  await sql.query(
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version, alias_ids,
       unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation, launched_at, used,
       used_new, open_from, open_until, open_day)
     select b.id, b.workspace_id, gen_random_uuid(), $1, $1, '00000000-0000-4000-8000-000000000001', 'Bench', 'email', 'active', 'immediate', 1000000,
       '00:00', '00:00', 60, 'UTC', false, '{mon}', '[{"channel": "email"}]', 1, array(select id from bench_lanes l where l.n = b.n),
       'launch_default', true, false, false, 0, 0, $1, 0, 0, $1::timestamptz - interval '1 year', $1::timestamptz + interval '10 years', $1::date
     from bench_campaigns b`,
    [now],
  );
  await sql.query(
    "insert into campaign_senders (campaign_id, lane_id) select b.id, l.id from bench_campaigns b join bench_lanes l on l.n = b.n",
  );
  for (let from = 1; from <= campaigns; from += CAMPAIGNS_PER_STATEMENT) {
    const to = Math.min(campaigns, from + CAMPAIGNS_PER_STATEMENT - 1);
    await sql.query(
      `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step,
         next_action_at, alias_id, metadata, created_at, updated_at)
       select gen_random_uuid(), c.workspace_id, b.id, gen_random_uuid(), c.dataset_id, i, e, e, case when started then 'active' else 'pending' end,
         case when started then 1 else 0 end, case when started then 2 else 1 end,
         date_trunc('second', $3::timestamptz - interval '6 days' + random() * interval '10 days'),
         case when started then lane.id end, '{}', $3, $3
       from bench_campaigns b join campaigns c on c.id = b.id
       cross join generate_series(1, ${perCampaign}) i
       cross join lateral (select 'lead' || b.n || '-' || i || '@example.zz' as e, i % 2 = 0 as started) x
       join bench_lanes lane on lane.n = b.n and lane.place = (i / 2) % ${LANES_PER_CAMPAIGN}
       where b.n between $1 and $2`,
      [from, to, now],
    );
    if (from % (CAMPAIGNS_PER_STATEMENT * 5) === 1)
      say(`${((to * perCampaign) / 1e6).toFixed(1)} of ${(leads / 1e6).toFixed(1)} M leads`);
  }
  say("indexes");
  await sql.query("set maintenance_work_mem = '1GB'");
  for (const { indexdef } of indexes) await sql.query(indexdef);
  say("vacuum");
  await sql.query("vacuum analyze");
  await sql.query("checkpoint");
  return {
    campaigns,
    lanes: campaigns * LANES_PER_CAMPAIGN,
    leads: campaigns * perCampaign,
    now,
  };
}
