import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../../base/client.ts";
import { ERASED, erasePiece, KEPT } from "../workspace-erasure.ts";
import { DIRECTORY, type MovedTable } from "./tables.ts";

/** The rows of a piece as text of Postgres; from few to many while they are small, for a mail may be large and a lead is not. */
const FEWEST = 20;
const MOST = 4_000;
const PIECE_BYTES = 1_000_000;

const named = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );

/**
 * Both sessions write values as the other reads them, and say that they are the move's own. False while another session is
 * the workspace's move, in this database: its locks end with it, however its process ends.
 */
export async function beginSession(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.execute<{ is_alone: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended(${`${id}:move`}, 0)) as is_alone`,
  );
  if (!rows[0]!.is_alone) return false;
  for (const [name, value] of [
    ["timezone", "UTC"],
    ["datestyle", "ISO, YMD"],
    ["intervalstyle", "postgres"],
    ["bytea_output", "hex"],
    ["extra_float_digits", "1"],
    ["overture.moving", id],
  ])
    await db.execute(sql`select set_config(${name}, ${value}, false)`);
  return true;
}

/** How many rows there are of a relation, and a sum of their hashes: equal where the rows are. */
async function digestOf(db: Db, relation: SQL, columns: readonly string[]): Promise<string> {
  const { rows: found } = await db.execute<{ digest: string }>(sql`
    select count(*) || ' ' || coalesce(sum(hashtextextended(row(${ofRow(columns)})::text, 0)::numeric), 0) as digest
    from ${relation} t`);
  return found[0]!.digest;
}

export async function hasRows(db: Db, { name, rows }: MovedTable): Promise<boolean> {
  const { rows: found } = await db.execute<{ has: boolean }>(
    sql`select exists (select from ${sql.identifier(name)} t where ${rows}) as has`,
  );
  return found[0]!.has;
}

/** Whether the table has the same rows of the workspace in both. */
export async function isEqual(
  from: Db,
  to: Db,
  { name, rows, leaving, columns }: MovedTable,
): Promise<boolean> {
  const compared = columns.filter((column) => !isOfPlace(name, column));
  const arrived = sql`(select * from ${sql.identifier(name)} t where ${rows})`;
  const [here, there] = await Promise.all([
    digestOf(from, leaving, compared),
    digestOf(to, arrived, compared),
  ]);
  return here === there;
}

/** A workspace's own row differs by where it lives, and when it came there. */
const isOfPlace = (table: string, column: string): boolean =>
  table === "workspaces" && (column === "cell" || column === "arrived_at");

const ofRow = (columns: readonly string[]): SQL =>
  sql.join(
    columns.map((name) => sql`t.${sql.identifier(name)}`),
    sql`, `,
  );

/** Copies the table's rows; those that are there already stay, and those of a workspace and its people are brought up to date. */
export async function copyTable(from: Db, to: Db, table: MovedTable): Promise<void> {
  await from.execute(sql`begin`);
  try {
    await from.execute(sql`
      declare moving no scroll cursor for select row(t.*)::text as row from ${table.leaving} t`);
    let next = readPiece(from, FEWEST);
    for (let size = FEWEST; ;) {
      const piece = await next;
      if (piece.length === 0) break;
      const bytes = piece.reduce((sum, row) => sum + row.length, 0);
      size = Math.max(
        1,
        Math.min(MOST, Math.floor((size * PIECE_BYTES) / Math.max(bytes, 1)), size * 4),
      );
      next = readPiece(from, size);
      // Both at once: what the next piece fails of is thrown where it is awaited.
      next.catch(() => {});
      await insertPiece(to, table, piece);
    }
  } finally {
    await from.execute(sql`rollback`);
  }
}

async function readPiece(from: Db, size: number): Promise<string[]> {
  const { rows } = await from.execute<{ row: string }>(
    sql`fetch ${sql.raw(String(size))} from moving`,
  );
  return rows.map(({ row }) => row);
}

/** Of people, who may be in both: sessions that were ended in either cell stay ended, and what was said last counts. */
const ofPerson = (name: string, renewed: SQL): SQL => {
  if (name === "identities")
    return sql`do update set sessions_valid_from = greatest(identities.sessions_valid_from, excluded.sessions_valid_from)`;
  if (name === "users" || name === "notification_preferences")
    return sql`do update set ${renewed} where excluded.updated_at > ${sql.identifier(name)}.updated_at`;
  return sql`do nothing`;
};

async function insertPiece(to: Db, { name, columns, key }: MovedTable, rows: string[]) {
  const table = sql.identifier(name);
  const values = columns.map((column) => {
    if (!isOfPlace(name, column)) return sql.identifier(column);
    // By this the entry says that it arrives (`isArriving`), also over one that has a cell.
    return column === "cell" ? sql`null` : sql`frozen_at`;
  });
  const others = columns.filter((column) => !key.includes(column) && column !== "cell");
  const renewed = sql.join(
    others.map((column) => sql`${sql.identifier(column)} = excluded.${sql.identifier(column)}`),
    sql`, `,
  );
  const again = name === "workspaces" ? sql`do update set ${renewed}` : ofPerson(name, renewed);
  await to.execute(sql`
    insert into ${table} (${named(columns)}) overriding system value
    select ${sql.join(values, sql`, `)} from unnest(${sql.param(rows)}::${table}[])
    ${key.length === 0 ? sql`` : sql`on conflict (${named(key)}) ${again}`}`);
}

/** Deletes the table's rows of the workspace at once: of one that is small, or half copied. */
export async function emptyTable(db: Db, { name, rows }: MovedTable): Promise<void> {
  await db.execute(sql`delete from ${sql.identifier(name)} t where ${rows}`);
}

const ROWS_AT_ONCE = 1_000;

/** Deletes the workspace's rows in pieces, by what erases it; its entry in the directory stays. Safe to repeat. */
export async function removeRows(db: Db, id: string, tables: readonly MovedTable[]): Promise<void> {
  const stays: readonly string[] = DIRECTORY;
  for (const erased of ERASED) {
    if (stays.includes(erased.table)) continue;
    while ((await erasePiece(db, erased, id, ROWS_AT_ONCE)) === ROWS_AT_ONCE);
  }
  // Children first.
  for (const { name, rows, isOfKept } of tables.toReversed()) {
    if (!(isOfKept || name in KEPT) || stays.includes(name)) continue;
    while (
      (await erasePiece(db, { table: name, rows: () => rows }, id, ROWS_AT_ONCE)) === ROWS_AT_ONCE
    );
  }
}

/** The entry too, of a workspace that never lived here; users stay. */
export async function forgetEntry(db: Db, id: string): Promise<void> {
  await commit(db, [
    db.execute(sql`delete from workspace_members where workspace_id = ${id}`),
    db.execute(sql`delete from api_keys where workspace_id = ${id}`),
    db.execute(sql`delete from workspaces where id = ${id}`),
  ]);
}

/** What people who log in to both cells are called: logins of the workspace's members that are another user's in the target. */
export async function takenLogins(
  from: Db,
  to: Db,
  id: string,
): Promise<{ issuer: string; subject: string }[]> {
  type Login = { issuer: string; subject: string; user_id: string };
  const { rows } = await from.execute<Login>(sql`
    select i.issuer, i.subject, i.user_id from identities i join workspace_members m on m.user_id = i.user_id
    where m.workspace_id = ${id}`);
  const { rows: taken } = await to.execute<Login>(sql`
    select i.issuer, i.subject from identities i
      join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(issuer text, subject text, user_id uuid)
        on l.issuer = i.issuer and l.subject = i.subject and l.user_id <> i.user_id`);
  return taken;
}
