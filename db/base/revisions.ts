import { type SQL, sql } from "drizzle-orm";
import { violates } from "./client.ts";
import { instantParam } from "./instants.ts";

interface Revised {
  /** What counts how often users changed the record `r`. */
  counter: string;
  /** What a change makes of the counter that it found. */
  next: string;
  /** A deletion leaves the row. */
  stays: boolean;
}

const counted = (counter: string, stays: boolean): Revised => ({
  counter: `r.${counter}`,
  next: "seen + 1",
  stays,
});

/**
 * The records that a user changes as they were read. What the engine writes of them, such as a status, an error or a time
 * of a check, does not count.
 */
const REVISED = {
  campaigns: counted("config_version", true),
  datasets: counted("revision", true),
  // A lead's texts are read as its whole row: what stands in it is a lead's. Its changes are of a row as it was read.
  leads: {
    counter: "(extract(epoch from r.updated_at) * 1000)::bigint",
    next: "r.revision",
    stays: false,
  },
  mail_aliases: counted("revision", false),
  mail_domains: counted("revision", false),
  sender_profiles: counted("version", false),
  templates: counted("revision", false),
} satisfies Record<string, Revised>;

/** When a user's change is noted of a row whose `updated_at` counts its changes: never as what it was before. */
export const changedAt = (before: SQL, now: Date): SQL =>
  sql`greatest(${instantParam(now)}, ${before} + interval '1 millisecond')`;

export type RevisedTable = keyof typeof REVISED;

/** A write that is allowed to a record at one of these revisions alone. */
export interface Precondition {
  table: RevisedTable;
  workspaceId: string;
  id: string;
  revisions: readonly number[];
  isDeletion: boolean;
}

export interface SqlText {
  sql: string;
  params: unknown[];
}

const MISMATCH = "OV412";

/** What a transaction throws whose record was at another revision. */
export const isMismatch = (error: unknown): boolean => violates(error, MISMATCH);

/**
 * What stands before and behind the statements of the write, in its transaction. No row is locked before the write locks
 * it, in its own order: the record is looked at once more behind it, and is as it was, or one further and then by this
 * transaction. A row that a deletion takes cannot be looked at then, and is locked before; where that meets a change in
 * another order, Postgres aborts one of them, and it is done again.
 */
export function revisionStatements(precondition: Precondition): {
  before: SqlText;
  behind: SqlText;
} {
  const { table, workspaceId, id, revisions, isDeletion } = precondition;
  const { counter, next, stays } = REVISED[table];
  const isThere = stays ? " and r.deleted_at is null" : "";
  const lock = isDeletion && !stays ? " for update" : "";
  const allowed = isDeletion
    ? "array[seen]"
    : `case when writer = pg_current_xact_id()::xid then array[seen, ${next}] else array[seen] end`;
  const record = `from ${table} r where r.workspace_id = $1 and r.id = $2`;
  return {
    before: {
      sql: `select require_revision(${counter}, $3::bigint[]) ${record}${isThere}${lock}`,
      params: [workspaceId, id, revisions],
    },
    behind: {
      sql: `select require_revision(r.revision, ${allowed}) from (
        select ${counter} as revision, r.xmin as writer,
               nullif(current_setting('overture.revision', true), '')::bigint as seen ${record}) r
        where seen is not null`,
      params: [workspaceId, id],
    },
  };
}
