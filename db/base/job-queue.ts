import {
  and,
  asc,
  eq,
  getTableColumns,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Db } from "./client.ts";
import { fenceStatement } from "./fence.ts";

/** Where a table keeps what a job consists of, by the names of its fields. */
export interface JobFields<Field extends string> {
  /** Its primary key. */
  key: readonly Field[];
  dueAt: Field;
  /** Whose claim it is; null where claims are not told apart, because what ends one is checked otherwise. */
  claimToken: Field | null;
  /** Until when a claim is believed: `dueAt` itself, which a claim then moves, or a column beside it. */
  lease: Field;
}

/** Those of `workRow`. */
export const WORK_ROW = {
  key: ["id"],
  dueAt: "dueAt",
  claimToken: "claimToken",
  lease: "dueAt",
} as const;

/** The jobs of a table that have not ended, and how they change when a worker begins one. */
export interface JobQueue<Table extends PgTable> {
  table: Table;
  fields: JobFields<keyof Table["$inferSelect"] & string>;
  /** In the words of the index by `dueAt`; absent where each row is open. */
  isOpen?: SQL | undefined;
  begun?(now: Date): PgUpdateSetSource<Table>;
}
type Described = { table: PgTable; fields: JobFields<string>; isOpen?: SQL | undefined };

/** A worker's claim: the job can be claimed again at `until`, when its worker must be dead. */
export interface JobClaim {
  token: string;
  now: Date;
  until: Date;
}
/** `until` may be reckoned from the row; a token where the end of the lease does not name the claim. */
type Take = Pick<JobClaim, "now"> & { token?: string; until: Date | SQL };

/** A job, by its id or by what else names it, and the claim by which a worker has it. */
export interface Claimant {
  id: string | SQL;
  token: string | Date;
}

/** The claim of a queue message's job: taken, ended already, or waiting because it is not due or a worker holds it. */
export type Claimed<Job> =
  | { kind: "claimed"; job: Job }
  | { kind: "waits"; job: Job }
  | { kind: "over" };

const columnOf = ({ table }: Described, field: string): PgColumn => getTableColumns(table)[field]!;

/** That no worker has it, or its lease is over; where the lease is a column of its own. */
export function isFree(queue: Described, now: Date): SQL {
  const lease = columnOf(queue, queue.fields.lease);
  return or(isNull(lease), lte(lease, now)) as SQL;
}

/** That it can be claimed. */
export function isDue(queue: Described, now: Date): SQL {
  const { dueAt, lease } = queue.fields;
  const free = lease === dueAt ? undefined : isFree(queue, now);
  return and(queue.isOpen, lte(columnOf(queue, dueAt), now), free) as SQL;
}

const isJob = (queue: Described, id: Claimant["id"]): SQL =>
  typeof id === "string" ? eq(columnOf(queue, queue.fields.key[0]!), id) : id;

/** That the claim stands: its worker was not overtaken, and the job has not ended. */
export const isMine = (queue: Described, { id, token }: Claimant): SQL =>
  and(isJob(queue, id), eq(columnOf(queue, queue.fields.claimToken!), token), queue.isOpen) as SQL;

const claimed = <Table extends PgTable>(
  { fields, begun }: JobQueue<Table>,
  { token, now, until }: Take,
) =>
  ({
    ...begun?.(now),
    ...(fields.claimToken !== null && { [fields.claimToken]: token }),
    [fields.lease]: until,
  }) as object;

/** Takes the job of that id if it is due, or its worker must be dead; of two claims at once one gets it. */
export async function claimJob<Table extends PgTable>(
  db: Db,
  queue: JobQueue<Table>,
  id: Claimant["id"],
  claim: JobClaim,
): Promise<Claimed<Table["$inferSelect"]>> {
  const [job] = await db
    .update(queue.table as PgTable)
    .set(claimed(queue, claim))
    .where(and(isJob(queue, id), isDue(queue, claim.now)))
    .returning();
  if (job !== undefined) return { kind: "claimed", job };
  const [open] = await db
    .select()
    .from(queue.table as PgTable)
    .where(and(isJob(queue, id), queue.isOpen));
  return open === undefined ? { kind: "over" } : { kind: "waits", job: open };
}

/** Which of the due jobs, and in which order: `first` before those that have been due longer, `thenBy` behind. */
export interface DueJobs {
  limit: number;
  where?: SQL | undefined;
  first?: SQL;
  thenBy?: PgColumn;
}

/** Takes what has been due longest; no two claims get the same job, and none waits for another. */
export function claimDueStatement<Table extends PgTable>(
  db: Db,
  queue: JobQueue<Table>,
  claim: Take,
  { limit, where, first, thenBy }: DueJobs,
) {
  const { key, dueAt } = queue.fields;
  const due = db.$with("due").as(
    db
      .select(Object.fromEntries(key.map((field) => [field, columnOf(queue, field)])))
      .from(queue.table as PgTable)
      .where(and(isDue(queue, claim.now), where))
      .orderBy(
        ...(first === undefined ? [] : [first]),
        asc(columnOf(queue, dueAt)),
        ...(thenBy === undefined ? [] : [asc(thenBy)]),
      )
      .limit(limit)
      .for("update", { skipLocked: true }),
  );
  const keyOfDue = due as unknown as Record<string, SQLWrapper>;
  return db
    .with(due)
    .update(queue.table as PgTable)
    .set(claimed(queue, claim))
    .from(due)
    .where(and(...key.map((field) => eq(columnOf(queue, field), keyOfDue[field]!))))
    .returning(getTableColumns(queue.table));
}

/**
 * First in a transaction that ends a job: what belongs to the end, such as its charge, takes effect with it, or fails
 * (`isFenced`) where the worker was overtaken. `besides`: what else has to be so; `jobs`: how many it is about.
 */
export const stillMineStatement = (
  db: Db,
  queue: Described,
  who: Claimant,
  besides: SQL = sql`true`,
  jobs = 1,
) =>
  fenceStatement(
    db,
    sql`select 1 from ${queue.table} where ${isMine(queue, who)} and ${besides}`,
    jobs,
  );

/** Ends a claim; no row where the worker was overtaken. A job whose end leaves it open is due again at its `dueAt`. */
export function endJobStatement<Table extends PgTable>(
  db: Db,
  queue: JobQueue<Table>,
  who: Claimant,
  set: PgUpdateSetSource<Table>,
) {
  const { key, dueAt, claimToken, lease } = queue.fields;
  // A token that cannot be null stays: what has ended is not open.
  const given = [claimToken, lease].flatMap((field) =>
    field === null || field === dueAt || columnOf(queue, field).notNull ? [] : [[field, null]],
  );
  return db
    .update(queue.table as PgTable)
    .set({ ...set, ...Object.fromEntries(given) } as object)
    .where(isMine(queue, who))
    .returning({ id: columnOf(queue, key[0]!) });
}

/** Gives a job back that is to be begun again, not before `dueAt`. False where the worker was overtaken. */
export async function putBackJob<Table extends PgTable>(
  db: Db,
  queue: JobQueue<Table>,
  who: Claimant,
  set: PgUpdateSetSource<Table> & { dueAt: Date },
): Promise<boolean> {
  return (await endJobStatement(db, queue, who, set)).length > 0;
}

/** Jobs that have been due since then, longest first: their message was lost, or their worker. */
export async function overdueJobs<Table extends PgTable>(
  db: Db,
  queue: JobQueue<Table>,
  since: Date,
  limit: number,
  where?: SQL,
): Promise<Table["$inferSelect"][]> {
  const dueAt = columnOf(queue, queue.fields.dueAt);
  return db
    .select()
    .from(queue.table as PgTable)
    .where(and(queue.isOpen, lte(dueAt, since), where))
    .orderBy(asc(dueAt))
    .limit(limit);
}
