import type pg from "pg";

/** Until so many statements wait for a lock. */
export async function untilWaiting(sql: pg.Pool, count: number): Promise<void> {
  for (let looks = 0; looks < 5_000; looks++) {
    const { rows } = await sql.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows[0].n >= count) return;
  }
  throw new Error(`Never did ${count} statements wait for a lock.`);
}

/** Lets every call begin, and so take its snapshot, while the row is locked; then they go on in this order. */
export async function meetAtRow(
  sql: pg.Pool,
  lock: string,
  params: unknown[],
  calls: (() => Promise<unknown>)[],
): Promise<unknown[]> {
  const holder = await sql.connect();
  const work: Promise<unknown>[] = [];
  try {
    await holder.query("begin");
    await holder.query(lock, params);
    for (const call of calls) {
      work.push(call());
      await untilWaiting(sql, work.length);
    }
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  return Promise.all(work);
}

/**
 * Makes calls that want the default mark of a workspace meet, in this order: a default that is about
 * to be and never comes holds them until each of them waits. Copies a row of another workspace.
 */
export async function meetAtDefault<Result>(
  sql: pg.Pool,
  table: "mail_aliases" | "sender_profiles",
  workspaceId: string,
  calls: (() => Promise<Result>)[],
): Promise<Result[]> {
  const holder = await sql.connect();
  const work: Promise<Result>[] = [];
  try {
    await holder.query("begin");
    await holder.query(`update ${table} set is_default = false where workspace_id = $1`, [
      workspaceId,
    ]);
    await holder.query(
      `insert into ${table} select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'workspace_id', $1::uuid, 'is_default', true))).*
       from ${table} r where workspace_id <> $1 limit 1`,
      [workspaceId],
    );
    for (const call of calls) {
      work.push(call());
      await untilWaiting(sql, work.length);
    }
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  return Promise.all(work);
}
