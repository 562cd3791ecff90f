import type pg from "pg";

const AT_ONCE = 50;

/** Rows of the ledger are made and changed as by claim, begin and record: two changes each that touch an index. */
const STEPS = [
  `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until, is_new, claimed_at,
     claims, attempts, opens, clicks, machine_opens, machine_clicks, lease_until, updated_at)
   select new_uuid($1, n), $2, $2, new_uuid($1, n), 2, $2, 'claimed', 'lead' || n || '@example.zz', 1, $1, $1::timestamptz::date, $1, true, $1, 1, 0, 0, 0, 0, 0, $1, $1
   from generate_series(1, ${AT_ONCE}) n`,
  "update sends set state = 'transmitting', transmitting_at = $1, message_id = id || '@example.zz', subject = 'Hello', variant_label = 'A' where lane_id = $2 and slot_at = $1",
  "update sends set state = 'accepted', accepted_at = $1, lease_until = null, reason = '250 2.0.0 OK', attempts = 1 where lane_id = $2 and slot_at = $1",
];
const LANE = "00000000-0000-4000-8000-0000000000b1";
const DEAD_A_MESSAGE = STEPS.length - 1;

const size = async (sql: pg.Client): Promise<number> =>
  Number((await sql.query("select pg_total_relation_size('sends') as bytes")).rows[0].bytes);

/** What the table grows by a message, and the time that its changes and vacuum take, where that comes after so many versions that nobody sees any more. */
export async function measureUpdates(
  sql: pg.Client,
  { messages, deadRows, from }: { messages: number; deadRows: number; from: Date },
) {
  await sql.query("vacuum analyze sends");
  const [before, startedAt] = [await size(sql), performance.now()];
  let vacuumMs = 0;
  for (let n = 0, dead = 0; n < messages; n += AT_ONCE) {
    const values = [new Date(from.getTime() + n * 1_000), LANE];
    for (const step of STEPS) await sql.query(step, values);
    dead += AT_ONCE * DEAD_A_MESSAGE;
    if (dead < deadRows) continue;
    const vacuumAt = performance.now();
    await sql.query("vacuum analyze sends");
    vacuumMs += performance.now() - vacuumAt;
    dead = 0;
  }
  return {
    bytes: ((await size(sql)) - before) / messages,
    microseconds: ((performance.now() - startedAt) * 1_000) / messages,
    vacuumed: (vacuumMs * 1_000) / messages,
  };
}
