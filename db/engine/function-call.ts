import { type SQL, sql } from "drizzle-orm";

/**
 * What the engine asks most often lives in the database as functions: a
 * statement over HTTP is never prepared, and planning one of these costs more
 * than running it; a function keeps its plans for the session. A change of one
 * is a new version under a new name, by a migration: the one before stays for a
 * release, so that the older build still runs on the newer schema. A test holds
 * the migrations to what stands here.
 */
export interface EngineFunction {
  name: string;
  parameters: string;
  returns: string;
  declare: string;
  /** Without parameters of its own: only those of the function. */
  body(): SQL;
}

/** Calls a function of the engine as a table. */
export const call = (fn: EngineFunction, ...values: SQL[]): SQL =>
  sql`select * from ${sql.raw(fn.name)}(${sql.join(values, sql`, `)})`;
