import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { commit, type Db, type Statement } from "../../base/client.ts";
import { instantParam } from "../../base/instants.ts";
import { isLockLost, MOVING } from "../../base/moving.ts";
import { holdLanesStatement } from "./state.ts";
import type { MovedTable } from "./tables.ts";

/** Waits no longer for those who write to a table: they would wait behind it. */
const LOCK_TIMEOUT = "1s";

/** The end of the id, which is random. */
const fenceName = (id: string): string => `moving_${id.slice(-12)}`;

/**
 * Messages that are being handed over, and tokens that are renewed by one that is good once. Their workers' answers have
 * to be recorded where they began; what else is under way may lose its worker at any time.
 */
const underWay = (id: string, now: Date): SQL => sql`
  select 1 from sends s where s.workspace_id = ${id} and s.state in ('claimed', 'transmitting') and s.lease_until > ${instantParam(now)}
  union all
  select 1 from emails e where e.workspace_id = ${id} and e.lease_until > ${instantParam(now)}
  union all
  select 1 from placement_mails p where p.workspace_id = ${id} and p.state = 'transmitting' and p.due_at > ${instantParam(now)}
  union all
  select 1 from social_posts p where p.workspace_id = ${id} and p.lease_until > ${instantParam(now)}
  union all
  select 1 from mail_aliases a join mail_logins l on l.alias_id = a.id where a.workspace_id = ${id} and l.renewing_until > ${instantParam(now)}`;

/**
 * From the commit on only a session that has `overture.moving` changes rows of the workspace, while the workspace's row
 * says that it is frozen or lives elsewhere. All tables in one transaction: another one is wholly before it, or wholly
 * behind. It fails (`isFenced`) while messages are being handed over, and where it would have to wait for a lock.
 *
 * A caller's change and every insertion fail (`MOVING`). What upkeep changes of all workspaces at once passes over
 * the rows, as over rows that are not due: an exception would keep it from everybody's.
 */
export async function raiseFence(
  db: Db,
  id: string,
  tables: readonly MovedTable[],
  now: Date,
): Promise<void> {
  await commit(db, [
    db.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)),
    ...tables.map((table): Statement => db.execute(sql.raw(fenceText(id, table)))),
    holdLanesStatement(db, id, now),
    idleStatement(db, id, now),
  ]);
}

const idleStatement = (db: Db, id: string, now: Date) =>
  db.execute(sql`select 1 / (count(*) = 0)::int from (${underWay(id, now)}) under_way`);

/** The condition's values are ids of our own and constants: a function's text takes no parameters. */
function conditionText(rows: SQL): string {
  const { sql: text, params } = new PgDialect().sqlToQuery(rows);
  return text.replace(/\$(\d+)/g, (_, place) => {
    const value = String(params[Number(place) - 1]);
    if (!/^[\w-]*$/.test(value)) throw new Error(`not a value of a fence: ${value}`);
    return `'${value}'`;
  });
}

function fenceText(id: string, { name, rows, columns }: MovedTable): string {
  const fence = fenceName(id);
  // By a column of the row itself where there is one.
  const isOurs = columns.includes("workspace_id")
    ? `v_row.workspace_id = '${id}'`
    : `exists (select from (select v_row.*) t where ${conditionText(rows)})`;
  return `
create or replace function ${fence}_${name}() returns trigger language plpgsql as $$
declare v_row "${name}";
begin
  if current_setting('overture.moving', true) is distinct from '${id}' then
    v_row := case when tg_op = 'DELETE' then old else new end;
    if ${isOurs} then
      if exists (select from workspaces w where w.id = '${id}' and (w.frozen_at is not null or w.cell is not null)) then
        if tg_op = 'INSERT' or coalesce(current_setting('overture.actor', true), '') <> '' then
          raise exception 'The workspace is being moved.' using errcode = '${MOVING}';
        end if;
        return null;
      end if;
    end if;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create or replace trigger ${fence} before insert or update or delete on "${name}" for each row execute function ${fence}_${name}();`;
}

/** The tables at which it stands. */
export async function fencedTables(db: Db, id: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select tgrelid::regclass::text as name from pg_trigger where tgname = ${fenceName(id)} order by 1`);
  return rows.map(({ name }) => name);
}

/** Drops what is left of it, each table by itself, so that writers wait briefly. Answers the tables where it could not. */
export async function dropFence(
  db: Db,
  id: string,
  isDropped: (table: string) => boolean = () => true,
): Promise<string[]> {
  const left = [];
  for (const name of (await fencedTables(db, id)).filter(isDropped))
    if (!(await dropOne(db, id, name))) left.push(name);
  return left;
}

const TRIES = 10;

async function dropOne(db: Db, id: string, table: string): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) {
    try {
      await commit(db, [
        db.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`)),
        db.execute(sql.raw(`drop trigger if exists ${fenceName(id)} on ${table}`)),
        db.execute(sql.raw(`drop function if exists ${fenceName(id)}_${table}()`)),
      ]);
      return true;
    } catch (error) {
      if (!isLockLost(error)) throw error;
    }
  }
  return false;
}
