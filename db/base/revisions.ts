import { violates } from "./client.ts";

/**
 * The records that a user changes as they were read, and the column that counts how often users did: what the engine
 * writes of them, such as a status, an error or a time of a check, does not count. `stays`: a deletion leaves the row.
 */
const REVISED = {
  campaigns: { counter: "config_version", stays: true },
  datasets: { counter: "revision", stays: true },
  leads: { counter: "revision", stays: false },
  mail_aliases: { counter: "revision", stays: false },
  mail_domains: { counter: "revision", stays: false },
  sender_profiles: { counter: "version", stays: false },
  templates: { counter: "revision", stays: false },
} as const;

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
  const { counter, stays } = REVISED[table];
  const isThere = stays ? " and r.deleted_at is null" : "";
  const lock = isDeletion && !stays ? " for update" : "";
  const own = isDeletion
    ? "array[seen]"
    : "case when writer = pg_current_xact_id()::xid then array[seen, seen + 1] else array[seen] end";
  const record = `from ${table} r where r.workspace_id = $1 and r.id = $2`;
  return {
    before: {
      sql: `select require_revision(r.${counter}, $3::int[]) ${record}${isThere}${lock}`,
      params: [workspaceId, id, revisions],
    },
    behind: {
      sql: `select require_revision(r.revision, ${own}) from (
        select r.${counter} as revision, r.xmin as writer,
               nullif(current_setting('overture.revision', true), '')::int as seen ${record}) r
        where seen is not null`,
      params: [workspaceId, id],
    },
  };
}
