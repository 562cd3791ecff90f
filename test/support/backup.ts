import { readFileSync } from "node:fs";
import type pg from "pg";

/** A logical copy of every table, taken at one instant. */
export interface Backup {
  /** Puts the database back to it, whatever has happened since. */
  restore(): Promise<void>;
}

/** What the old database is asked after a restore, for statements that end again what ended; psql puts the hour in. */
export const endedSince = (since: Date): string =>
  readFileSync("scripts/admin/ended.sql", "utf8").replaceAll(
    ":'since'",
    `'${since.toISOString()}'`,
  );

const COPY = "backup";

export async function takeBackup(sql: pg.Pool): Promise<Backup> {
  const { rows } = await sql.query(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  const tables = rows as { name: string; columns: string }[];
  await inOne(sql, [
    "set transaction isolation level repeatable read",
    `drop schema if exists ${COPY} cascade`,
    `create schema ${COPY}`,
    ...tables.map(
      ({ name, columns }) =>
        `create table ${COPY}.${name} as select ${columns} from public.${name}`,
    ),
  ]);
  return {
    restore: () =>
      inOne(sql, [
        // Keys between tables are checked by triggers.
        "set local session_replication_role = replica",
        `truncate ${tables.map(({ name }) => `public.${name}`).join(", ")}`,
        ...tables.map(
          ({ name, columns }) =>
            `insert into public.${name} (${columns}) overriding system value select ${columns} from ${COPY}.${name}`,
        ),
      ]),
  };
}

async function inOne(sql: pg.Pool, statements: string[]): Promise<void> {
  const client = await sql.connect();
  try {
    await client.query("begin");
    for (const statement of statements) await client.query(statement);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
