import pg from "pg";
import type { LaneKind } from "#db/schema/index.ts";
import { claimAt, type Plan } from "./claim.ts";
import { range } from "./report.ts";

const ROUNDS = 30;
const MESSAGES = 100;

/** What is there besides the leads of the used-up budget, and how many sends a claim then makes. */
const CASES = [
  { name: "a message is due", prepare: "select 1", sends: 1 },
  {
    name: "nothing else is due, and the lane parks",
    prepare: "update campaign_leads set hold_reason = 'bench' where next_budget = 'message'",
    sends: 0,
  },
];

/**
 * An account whose connections are used up, so many leads that wait for one and fall due before the few that wait for
 * a message: what a claim of a message costs, and one that parks the lane. Needs an empty, migrated database.
 */
export async function measureWaiting(url: string, sizes: number[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const now = new Date("2027-03-01T12:00:00Z");
  await load(client, now);
  let waiting = 0;
  for (const size of sizes) {
    await addLeads(client, { now, from: waiting, to: size, budget: "connection" });
    waiting = size;
    await client.query("vacuum analyze campaign_leads");
    for (const { name, prepare, sends } of CASES) {
      const buffers: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        buffers.push(await buffersOfClaim(client, now, { prepare, sends }));
      console.log(
        `${size.toLocaleString("en-US").padStart(12)} leads wait, ${name}: ${range(buffers, 0)} buffers a claim`,
      );
    }
  }
  await client.end();
}

async function buffersOfClaim(
  client: pg.Client,
  now: Date,
  { prepare, sends }: { prepare: string; sends: number },
): Promise<number> {
  const { sql, params } = claimAt(now, ["socialnet"] satisfies LaneKind[]);
  await client.query("begin");
  await client.query(prepare);
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, params);
  const claimed = await client.query("select count(*)::int as n from sends");
  await client.query("rollback");
  if (claimed.rows[0].n !== sends) throw new Error(`${claimed.rows[0].n} of ${sends} claimed`);
  const [{ Plan: plan }] = rows[0]["QUERY PLAN"] as [Plan];
  return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
}

const ID = "00000000-0000-4000-8000-000000000001";

async function load(client: pg.Client, now: Date): Promise<void> {
  await client.query(
    `insert into sender_lanes (id, workspace_id, kind, open, next_slot_at, slot_no, day_cap, used, connection_cap, connections_used, day_from, day_until, failures, updated_at)
     values ('${ID}', '${ID}', 'socialnet', true, $1, 0, 55, 5, 5, 5, $1::timestamptz - interval '1 hour', $1::timestamptz + interval '1 hour', 0, $1)`,
    [now],
  );
  await client.query(
    `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
     values ('${ID}', '${ID}', '${ID}', $1, $1, 'Bench', 'api', 'ready', 0, '[]', '{}')`,
    [now],
  );
  const steps = ["connection_request", "message"].map((action_type, index) => ({
    step: index + 1,
    delay_days: 0,
    channel: "socialnet",
    action_type,
  }));
  await client.query(
    `insert into campaigns (id, workspace_id, user_id, created_at, updated_at, dataset_id, name, type, status, launch_type, daily_limit,
       sending_window_start, sending_window_end, min_interval_seconds, timezone, use_lead_timezone, send_days, steps, config_version,
       unreviewed_launch_policy, stop_on_reply, stop_on_auto_reply, stop_on_company_reply, launch_cursor, schedule_generation, launched_at, used,
       used_new, open_from, open_until, open_day)
     values ('${ID}', '${ID}', '${ID}', $1, $1, '${ID}', 'Bench', 'mixed', 'active', 'immediate', 1000000,
       '00:00', '00:00', 60, 'UTC', false, '{mon}', $2, 1, 'launch_default', true, false, false, 0, 0, $1, 0, 0,
       $1::timestamptz - interval '1 year', $1::timestamptz + interval '10 years', $1::date)`,
    [now, JSON.stringify(steps)],
  );
  await client.query(
    `insert into campaign_senders (campaign_id, lane_id) values ('${ID}', '${ID}')`,
  );
  await addLeads(client, { now, from: -MESSAGES, to: 0, budget: "message" });
}

/** A third each wait for this account, for whoever takes them first, and to be started. */
async function addLeads(
  client: pg.Client,
  { now, from, to, budget }: { now: Date; from: number; to: number; budget: string },
): Promise<void> {
  await client.query(
    `insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step,
       next_budget, next_channel, next_action_at, alias_id, metadata, created_at, updated_at)
     select gen_random_uuid(), '${ID}', '${ID}', gen_random_uuid(), '${ID}', i, i::text, i::text,
            case when kind = 2 then 'pending' else 'active' end, 0, case when kind = 2 then 1 else 2 end, $4,
            case when kind = 1 then 'socialnet' end,
            $1::timestamptz - interval '1 day' - make_interval(secs => case when $4 = 'message' then 0 else i end),
            case when kind = 0 then '${ID}'::uuid end, '{}', $1, $1
     from generate_series($2::int + 1, $3::int) i
     cross join lateral (select case when $4 = 'message' then 0 else i % 3 end as kind) x`,
    [now, from, to, budget],
  );
}
