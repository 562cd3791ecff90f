import { type SQL, sql } from "drizzle-orm";
import { type Db, violates } from "./client.ts";

const DIVISION_BY_ZERO = "22012";

/**
 * Locks the rows of a select, and lets the rest of the transaction take effect only if they are so many: else all of it
 * fails, by a division by zero (`isFenced`). For what belongs to a change and cannot look at its rows itself, such as a
 * charge. Its rows stay as they are until the transaction ends.
 */
export const fenceStatement = (db: Db, rows: SQL, count: number | SQL) =>
  db.execute(sql`select 1 / (count(*) = ${count})::int from (${rows} for update) fenced`);

/** Another transaction was first: nothing of this one took effect. */
export const isFenced = (error: unknown): boolean => violates(error, DIVISION_BY_ZERO);
