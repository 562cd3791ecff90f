import { and, asc, eq, getTableColumns, lt, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Db } from "./client.ts";
import { fenceStatement } from "./fence.ts";

/** A table of jobs: with the columns of `workRow`. */
export type JobTable = PgTable & Record<"id" | "dueAt" | "claimToken", PgColumn>;

/** The jobs of a table that have not ended, and how they change when a worker begins one. */
export interface JobQueue<Table extends JobTable> {
  table: Table;
  /** In the words of the index by `dueAt`. */
  isOpen: SQL;
  begun(now: Date): PgUpdateSetSource<Table>;
}

/** A worker's claim: the job is due again at `until`, when its worker must be dead. */
export interface JobClaim {
  token: string;
  now: Date;
  until: Date;
}

/** A job, and the claim by which a worker has it. */
export interface Claimant {
  id: string;
  token: string;
}

/** The claim of a queue message's job: taken, ended already, or waiting because it is not due or a worker holds it. */
export type Claimed<Job> =
  | { kind: "claimed"; job: Job }
  | { kind: "waits"; job: Job }
  | { kind: "over" };

const claimed = <Table extends JobTable>({ begun }: JobQueue<Table>, claim: JobClaim) =>
  ({ ...begun(claim.now), claimToken: claim.token, dueAt: claim.until }) as object;

/** Takes the job of that id if it is due, or its worker must be dead; of two claims at once one gets it. */
export async function claimJob<Table extends JobTable>(
  db: Db,
  queue: JobQueue<Table>,
  id: string,
  claim: JobClaim,
): Promise<Claimed<Table["$inferSelect"]>> {
  const table = queue.table as JobTable;
  const isIt = and(eq(table.id, id), queue.isOpen);
  const [job] = await db
    .update(table)
    .set(claimed(queue, claim))
    .where(and(isIt, lte(table.dueAt, claim.now)))
    .returning();
  if (job !== undefined) return { kind: "claimed", job };
  const [open] = await db
    .select()
    .from(table as PgTable)
    .where(isIt);
  return open === undefined ? { kind: "over" } : { kind: "waits", job: open };
}

/** Which of the due jobs, and in which order those that have been due equally long. */
export interface DueJobs {
  limit: number;
  where?: SQL;
  thenBy?: PgColumn;
}

/** Takes what has been due longest; no two claims get the same job, and none waits for another. */
export function claimDueStatement<Table extends JobTable>(
  db: Db,
  queue: JobQueue<Table>,
  claim: JobClaim,
  { limit, where, thenBy }: DueJobs,
) {
  const table = queue.table as JobTable;
  const due = db.$with("due").as(
    db
      .select({ id: table.id })
      .from(table as PgTable)
      .where(and(queue.isOpen, lte(table.dueAt, claim.now), where))
      .orderBy(asc(table.dueAt), ...(thenBy === undefined ? [] : [asc(thenBy)]))
      .limit(limit)
      .for("update", { skipLocked: true }),
  );
  return db
    .with(due)
    .update(table)
    .set(claimed(queue, claim))
    .from(due)
    .where(eq(table.id, due.id))
    .returning(getTableColumns(queue.table));
}

const isMine = <Table extends JobTable>({ table, isOpen }: JobQueue<Table>, who: Claimant) =>
  and(eq(table.id, who.id), eq(table.claimToken, who.token), isOpen);

/**
 * First in a transaction that ends a job: what belongs to the end, such as its charge, takes effect with it, or fails
 * (`isFenced`) where the worker was overtaken. `besides`: what else has to be so.
 */
export const stillMineStatement = <Table extends JobTable>(
  db: Db,
  queue: JobQueue<Table>,
  who: Claimant,
  besides: SQL = sql`true`,
) =>
  fenceStatement(
    db,
    sql`select 1 from ${queue.table} where ${isMine(queue, who)} and ${besides}`,
    1,
  );

/** Ends a claim; no row where the worker was overtaken. A job whose end leaves it open is due again at its `dueAt`. */
export const endJobStatement = <Table extends JobTable>(
  db: Db,
  queue: JobQueue<Table>,
  who: Claimant,
  set: PgUpdateSetSource<Table>,
) =>
  db
    .update(queue.table as JobTable)
    .set({ ...set, claimToken: null } as object)
    .where(isMine(queue, who))
    .returning({ id: queue.table.id });

/** Gives a job back that is to be begun again, not before `dueAt`. False where the worker was overtaken. */
export async function putBackJob<Table extends JobTable>(
  db: Db,
  queue: JobQueue<Table>,
  who: Claimant,
  set: PgUpdateSetSource<Table> & { dueAt: Date },
): Promise<boolean> {
  return (await endJobStatement(db, queue, who, set)).length > 0;
}

/** Jobs that have been due since before then, longest first: their message was lost, or their worker. */
export async function overdueJobs<Table extends JobTable>(
  db: Db,
  { table, isOpen }: JobQueue<Table>,
  before: Date,
  limit: number,
  where?: SQL,
): Promise<Table["$inferSelect"][]> {
  return db
    .select()
    .from(table as PgTable)
    .where(and(isOpen, lt(table.dueAt, before), where))
    .orderBy(asc(table.dueAt))
    .limit(limit);
}
