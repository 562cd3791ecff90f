import type pg from "pg";

/** Ids of messages and of their leads, as random ones were and as they are. */
const KEYS = {
  random: { id: "gen_random_uuid()", lead: "gen_random_uuid()" },
  "in order": {
    id: `new_uuid(at, row_number() over ())`,
    lead: "new_uuid('2026-01-01'::timestamptz + (n % 100) * interval '1 day', n / 100)",
  },
};
export type KeyKind = keyof typeof KEYS;
export const KEY_KINDS = Object.keys(KEYS) as KeyKind[];

export interface KeyFigures {
  walBytes: number;
  /** Pages of the table and its indexes that each row came upon, and those of them that were not in memory. */
  pages: number;
  read: number;
  microseconds: number;
  /** Of all that there is then. */
  indexBytes: number;
}

const CAMPAIGNS = Array.from(
  { length: 100 },
  (_, n) => `'00000000-0000-4000-8000-${String(n).padStart(12, "0")}'`,
).join(", ");

/** The ledger's rows from `$1` to `$2`, of a hundred campaigns that send in turn, one each second. */
const insertOf = (kind: KeyKind): string => `
  insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until, is_new, claimed_at,
    claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
  select ${KEYS[kind].id}, campaign, campaign, ${KEYS[kind].lead}, 1, campaign, 'claimed', 'lead' || n || '@example.zz', 1, at, at::date, at, true, at, 1, 0, 0, 0, 0, 0, at
  from generate_series($1::int, $2::int - 1) n,
    lateral (select (array[${CAMPAIGNS}]::uuid[])[1 + n % 100] as campaign, '2027-03-01'::timestamptz + n * interval '1 second' as at) x`;

const seen = async (sql: pg.Client) => {
  await sql.query("select pg_stat_force_next_flush()");
  const { rows } = await sql.query(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal, heap_blks_hit + idx_blks_hit + heap_blks_read + idx_blks_read as pages,
       heap_blks_read + idx_blks_read as read, pg_indexes_size('sends') as indexes
     from pg_statio_user_tables where relname = 'sends'`,
  );
  return Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]));
};

/** Inserts rows into the ledger as claims of `A_CLAIM` do, beside `held` of the same kind, from a checkpoint on. */
export async function measureKeys(
  sql: pg.Client,
  kind: KeyKind,
  { held, added }: { held: number; added: number },
): Promise<KeyFigures> {
  const A_CLAIM = 50;
  await sql.query("set session_replication_role = replica");
  await sql.query("truncate sends cascade");
  for (let n = 0; n < held; n += 50_000) await sql.query(insertOf(kind), [n, n + 50_000]);
  await sql.query("vacuum analyze sends");
  await sql.query("checkpoint");
  const before = await seen(sql);
  const startedAt = performance.now();
  for (let n = held; n < held + added; n += A_CLAIM)
    await sql.query(insertOf(kind), [n, n + A_CLAIM]);
  const ms = performance.now() - startedAt;
  const after = await seen(sql);
  return {
    walBytes: (after["wal"]! - before["wal"]!) / added,
    pages: (after["pages"]! - before["pages"]!) / added,
    read: (after["read"]! - before["read"]!) / added,
    microseconds: (ms * 1_000) / added,
    indexBytes: after["indexes"]! / (held + added),
  };
}
