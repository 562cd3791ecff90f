import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Db } from "../../base/client.ts";
import { bool, rowReader, text } from "../../base/rows.ts";
import { byWorkspace, ERASED, KEPT } from "../workspace-erasure.ts";

/** Rows of a table, called `t`, that belong to a workspace. */
export interface MovedTable {
  name: string;
  rows: SQL;
  /** The same rows as they are to be in the other cell: a relation to read from. */
  leaving: SQL;
  /** Those that it can be written with: all but what Postgres computes. */
  columns: string[];
  /** Empty where the table has none. */
  key: string[];
  /** It refers to a row of `KEPT`, and nothing deletes it with that. */
  isOfKept: boolean;
}

/**
 * What says where a workspace lives, and who it is: stays behind in the cell that it leaves, as its entry in the directory.
 * Rows of people may serve other workspaces as well.
 */
export const PEOPLE = ["users", "identities", "notification_preferences"] as const;
export const DIRECTORY = [...PEOPLE, "workspaces", "workspace_members", "api_keys"] as const;

/** What triggers of other tables write: made anew after these. */
export const DERIVED = ["events", "send_deltas", "campaign_lead_hits"] as const;

/** What no workspace owns, and so stays with the cell. Every table is here or belongs to a workspace; a test says so. */
export const STAYS: Record<string, string> = {
  credit_audit: "how far the audit of this database has come",
  disposable_domains: "a list that each cell loads",
  engine_state: "when this cell's engine last ran",
  learned_addresses: "what is known of anybody's addresses, by their hashes",
  probe_days: "how often this cell's verifier asked",
  probe_operators: "how operators treat this cell's verifier",
  prospects: "a pool that each cell loads",
  prospect_opt_outs: "whoever left the pool has left it in each cell that they were told to",
  prospect_opt_out_days: "as the opt-outs",
  prospect_tags: "of the pool",
  prospect_tag_names: "of the pool",
  recipient_domains: "who runs a domain's mail hosts, for all workspaces",
  verified_addresses: "what is known of addresses, for all workspaces",
  verified_domains: "the same of domains",
  wallet_payments: "calls that strangers paid for",
  web_lookups: "pages as they were read, for all workspaces",
};

const peopleOf = (id: string): SQL => sql`(
  select m.user_id from workspace_members m where m.workspace_id = ${id}
  union select w.owner_user_id from workspaces w where w.id = ${id})`;

/** The rows that are found without another table's: of the one list by which a workspace is erased. */
function ownRows(id: string): Map<string, SQL> {
  const found = new Map<string, SQL[]>();
  const add = (table: string, rows: SQL) =>
    found.set(table, [...(found.get(table) ?? []), sql`(${rows})`]);
  add("users", sql`t.id in ${peopleOf(id)}`);
  add("notification_preferences", sql`t.user_id in ${peopleOf(id)}`);
  add("workspaces", sql`t.id = ${id}`);
  for (const { table, rows = byWorkspace, along } of ERASED) {
    if (table === "notification_preferences") continue;
    add(table, rows(id));
    if (along === undefined) continue;
    const column = sql.identifier(along.column);
    add(
      along.table,
      sql`t.${column} in (select t.id from ${sql.identifier(table)} t where ${rows(id)})`,
    );
  }
  for (const table of Object.keys(KEPT)) add(table, byWorkspace(id));
  return new Map([...found].map(([table, rows]) => [table, sql.join(rows, sql` or `)]));
}

interface Reference {
  child: string;
  childColumn: string;
  parent: string;
  parentColumn: string;
}

/** Tables whose rows are found through another's: before that one is there, nothing says that they are the workspace's. */
function foundBy(rows: ReadonlyMap<string, SQL>): Pick<Reference, "child" | "parent">[] {
  const dialect = new PgDialect();
  return [...rows].flatMap(([child, condition]) =>
    FIRST.includes(child)
      ? []
      : [...dialect.sqlToQuery(condition).sql.matchAll(/\bfrom "?(\w+)/g)].map(([, parent]) => ({
          child,
          parent: parent!,
        })),
  );
}

/**
 * Every table with rows of the workspace, each behind those that it refers to, and what triggers write last. What refers
 * to a row of a workspace by a foreign key is the workspace's too: so says the catalog.
 */
export async function movedTables(db: Db, id: string): Promise<MovedTable[]> {
  const references = await referencesIn(db);
  const rows = ownRows(id);
  const ofKept = new Set(Object.keys(KEPT));
  for (let grew = true; grew;) {
    grew = false;
    for (const { child, childColumn, parent, parentColumn } of references) {
      const parents = rows.get(parent);
      if (parents === undefined || rows.has(child)) continue;
      rows.set(
        child,
        sql`t.${sql.identifier(childColumn)} in (select t.${sql.identifier(parentColumn)} from ${sql.identifier(parent)} t where ${parents})`,
      );
      if (ofKept.has(parent)) ofKept.add(child);
      grew = true;
    }
  }
  const columns = await columnsIn(db);
  return inOrder([...rows.keys()], [...references, ...foundBy(rows)]).map((name) => {
    const all = columns.filter(({ table }) => table === name);
    return {
      name,
      rows: rows.get(name)!,
      leaving: leaving(
        id,
        name,
        all.map(({ column }) => column),
        rows.get(name)!,
      ),
      columns: all.filter(({ isComputed }) => !isComputed).map(({ column }) => column),
      key: all.filter(({ isKey }) => isKey).map(({ column }) => column),
      isOfKept: ofKept.has(name) && !(name in KEPT),
    };
  });
}

/**
 * The feed of events is ordered by the numbers of this database's transactions, which mean nothing in another one. What
 * moves is numbered anew, before all that is written there, and with it how far its readers are.
 */
const NUMBERED: Record<string, (id: string) => SQL> = {
  events: () => sql`row_number() over (order by t.tx, t.seq)`,
  webhooks: (id) =>
    sql`(select count(*) from events e where e.workspace_id = ${id} and (e.tx, e.seq) <= (t.tx, t.seq))`,
  webhook_deliveries: () => sql`coalesce(n.no, 0)`,
};

function leaving(id: string, name: string, columns: string[], rows: SQL): SQL {
  const table = sql.identifier(name);
  const no = NUMBERED[name];
  if (no === undefined) return sql`(select * from ${table} t where ${rows})`;
  const values = columns.map((column) => {
    if (column === "tx") return sql`'0'::xid8 as tx`;
    return column === "seq" ? sql`${no(id)} as seq` : sql`t.${sql.identifier(column)}`;
  });
  const numbers = sql`left join (
    select e.tx, e.seq, row_number() over (order by e.tx, e.seq) as no from events e where e.workspace_id = ${id}
  ) n on n.tx = t.tx and n.seq = t.seq`;
  return sql`(select ${sql.join(values, sql`, `)} from ${table} t ${name === "webhook_deliveries" ? numbers : sql``} where ${rows})`;
}

/** By its row a cell knows that a workspace is arriving, so that its upkeep leaves what follows alone. */
const FIRST = ["users", "workspaces"];

/** Parents first; among those that could be next, by name. */
function inOrder(
  names: string[],
  references: readonly Pick<Reference, "child" | "parent">[],
): string[] {
  const last = new Set<string>(DERIVED);
  const left = new Set([...FIRST, ...names.toSorted()]);
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left].find(
      (name) =>
        references.every(
          ({ child, parent }) => child !== name || parent === name || !left.has(parent),
        ) &&
        (!last.has(name) || [...left].every((other) => last.has(other))),
    );
    if (next === undefined) throw new Error(`${[...left].join(", ")} refer to each other.`);
    left.delete(next);
    order.push(next);
  }
  return order;
}

async function referencesIn(db: Db): Promise<Reference[]> {
  const { rows } = await db.execute(sql`
    select c.conrelid::regclass::text as child, a.attname as child_column, c.confrelid::regclass::text as parent, f.attname as parent_column
    from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1, 2`);
  return rows.map(readReference);
}
const readReference = rowReader({
  child: text,
  childColumn: text,
  parent: text,
  parentColumn: text,
});

/** Of all tables, each in its own order. */
export async function columnsIn(db: Db) {
  const { rows } = await db.execute(sql`
    select t.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type, a.attgenerated <> '' as is_computed,
      a.attnum = any(coalesce(k.conkey, '{}')) as is_key
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' order by t.relname, a.attnum`);
  return rows.map(readColumn);
}
const readColumn = rowReader({
  table: text,
  column: text,
  type: text,
  isComputed: bool,
  isKey: bool,
});
