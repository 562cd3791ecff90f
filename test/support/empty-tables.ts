import type pg from "pg";

/** By what they empty. */
const statements = new Map<string, string>();

/** As `truncate ... cascade`, in a fifth of the time where there are few rows: no file is made anew. */
export async function emptyTables(sql: pg.Pool, tables: readonly string[]): Promise<void> {
  const statement = statements.get(tables.join()) ?? (await statementFor(sql, tables));
  statements.set(tables.join(), statement);
  await sql.query(statement);
}

/** These tables, and all whose rows refer to theirs; so that no reference has to be looked for. */
async function statementFor(sql: pg.Pool, tables: readonly string[]): Promise<string> {
  const { rows } = await sql.query<{ name: string }>(
    `with recursive emptied as (
       select unnest($1::regclass[])::oid as id
       union select conrelid from pg_constraint join emptied on confrelid = id where contype = 'f'
     )
     select id::regclass::text as name from emptied`,
    [tables],
  );
  const deletes = rows.map(({ name }) => `delete from ${name}`);
  return `begin; set local session_replication_role = replica; ${deletes.join("; ")}; commit`;
}
