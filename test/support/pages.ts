import type pg from "pg";

/**
 * Pages of our tables and their indexes that were read so far. Not what `explain` counts: that has the catalog's pages too,
 * and a session reads the whole catalog anew (3,800 pages) when changes of the schema anywhere on the server have run
 * Postgres' queue of invalidations over, which tests beside this one do.
 */
export async function pagesSoFar(session: pg.PoolClient): Promise<number> {
  await session.query("select pg_stat_force_next_flush()");
  const { rows } = await session.query(
    `select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::int as pages from pg_statio_user_tables`,
  );
  return rows[0].pages;
}
