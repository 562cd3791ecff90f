import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow } from "../base/owned.ts";
import { integer, rowReader } from "../base/rows.ts";
import { datasetVerifications } from "../schema/index.ts";

export type DatasetVerification = typeof datasetVerifications.$inferSelect;

/** Taken, its rows still to come. A unique violation of `dataset_verifications_live` while one is under way. */
export async function beginDatasetVerification(
  db: Db,
  owner: NewOwned,
  datasetId: string,
): Promise<void> {
  await db.insert(datasetVerifications).values({ ...newRow(owner), datasetId, status: "pending" });
}

/**
 * All rows and credits are there: it goes on, or is done if nothing waits, in the place of the dataset's earlier ones.
 * Undefined when it was given up meanwhile.
 */
export async function openDatasetVerification(
  db: Db,
  job: { id: string; datasetId: string },
  { waits, now }: { waits: boolean; now: Date },
): Promise<DatasetVerification | undefined> {
  const [[opened]] = await commit(db, [
    db
      .update(datasetVerifications)
      .set({ status: waits ? "running" : "completed", updatedAt: now })
      .where(and(eq(datasetVerifications.id, job.id), eq(datasetVerifications.status, "pending")))
      .returning(),
    // One that was cancelled and still holds credits is dropped when they are given back.
    db.execute(sql`
      delete from dataset_verifications old
      where old.dataset_id = ${job.datasetId} and old.status in ('completed', 'cancelled')
        and old.id <> ${job.id} and not exists (
          select 1 from dataset_verification_rows r where r.job_id = old.id and r.state = 'waiting')`),
  ]);
  return opened;
}

export async function findDatasetVerification(
  db: Db,
  id: string,
): Promise<(DatasetVerification & { datasetIsGone: boolean }) | undefined> {
  const [row] = await db
    .select({
      job: datasetVerifications,
      datasetIsGone: sql<boolean>`exists (
        select 1 from datasets d where d.id = ${datasetVerifications.datasetId} and d.deleted_at is not null)`,
    })
    .from(datasetVerifications)
    .where(eq(datasetVerifications.id, id));
  return row && { ...row.job, datasetIsGone: row.datasetIsGone };
}

/** The dataset's last, or the one under way. */
export async function lastDatasetVerification(
  db: Db,
  workspaceId: string,
  datasetId: string,
): Promise<DatasetVerification | undefined> {
  const [row] = await db
    .select()
    .from(datasetVerifications)
    .where(
      and(
        eq(datasetVerifications.workspaceId, workspaceId),
        eq(datasetVerifications.datasetId, datasetId),
      ),
    )
    .orderBy(desc(datasetVerifications.createdAt))
    .limit(1);
  return row;
}

/**
 * Says that it moves. First in each transaction that ends rows: such transactions of one job follow each other, so
 * that the last of them sees that nothing waits any more.
 */
export const touchDatasetVerificationStatement = (db: Db, id: string, now: Date) =>
  db
    .update(datasetVerifications)
    .set({ updatedAt: now })
    .where(eq(datasetVerifications.id, id))
    .returning({ status: datasetVerifications.status });

/** Nothing of the transaction takes effect (`isFenced`) where it is not being prepared any more; a cancellation waits for its end. */
export const stillPreparedStatement = (db: Db, id: string) =>
  fenceStatement(
    db,
    sql`select 1 from dataset_verifications where id = ${id} and status = 'pending'`,
    1,
  );

export const completeDatasetVerificationStatement = (db: Db, id: string, now: Date) =>
  db
    .update(datasetVerifications)
    .set({ status: "completed", updatedAt: now })
    .where(
      and(
        eq(datasetVerifications.id, id),
        eq(datasetVerifications.status, "running"),
        sql`not exists (select 1 from dataset_verification_rows r where r.job_id = ${id} and r.state = 'waiting')`,
      ),
    )
    .returning({ id: datasetVerifications.id });

/** No row of it is begun any more. False when it had ended. */
export async function cancelDatasetVerification(db: Db, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(datasetVerifications)
    .set({ status: "cancelled", updatedAt: now })
    .where(
      and(
        eq(datasetVerifications.id, id),
        inArray(datasetVerifications.status, ["pending", "running"]),
      ),
    )
    .returning({ id: datasetVerifications.id });
  return rows.length > 0;
}

export async function dropDatasetVerification(db: Db, id: string): Promise<void> {
  await db.delete(datasetVerifications).where(eq(datasetVerifications.id, id));
}

/** Not at its end, and without a move since then. */
export async function stalledDatasetVerifications(
  db: Db,
  before: Date,
  limit: number,
): Promise<DatasetVerification[]> {
  return db
    .select()
    .from(datasetVerifications)
    .where(
      sql`${datasetVerifications.status} <> 'completed' and ${datasetVerifications.updatedAt} < ${instantParam(before)}
        and (${datasetVerifications.status} <> 'cancelled' or exists (
          select 1 from dataset_verification_rows r where r.job_id = ${datasetVerifications.id} and r.state = 'waiting'))`,
    )
    .limit(limit);
}

const readSums = rowReader({
  all: integer,
  /** Their leads or the whole verification ended before they were asked about. */
  dropped: integer,
  processed: integer,
  spent: integer,
  safe: integer,
  risky: integer,
  invalid: integer,
  unknown: integer,
});
export type VerificationSums = ReturnType<typeof readSums>;

/** What has become of its rows so far; `spent` are those that cost a credit. */
export async function sumDatasetVerification(db: Db, id: string): Promise<VerificationSums> {
  const risk = (level: string) =>
    sql`count(*) filter (where state = 'done' and verdict ->> 'risk_level' = ${level})`;
  const { rows } = await db.execute(sql`
    select count(*) as all, count(*) filter (where state = 'dropped') as dropped,
      count(*) filter (where state = 'done') as processed,
      count(*) filter (where state = 'done' and not cached and verdict ->> 'result' <> 'unknown') as spent,
      ${risk("safe")} as safe, ${risk("risky")} as risky, ${risk("invalid")} as invalid,
      count(*) filter (where state = 'done' and verdict ->> 'risk_level' is null) as unknown
    from dataset_verification_rows where job_id = ${id}`);
  return readSums(rows[0]!);
}
