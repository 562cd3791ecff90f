import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { uuidArray } from "../base/text-array.ts";
import { OPEN, OPEN_WORDS } from "./generations.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import { instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { type GenerationKind, type GenerationStatus, generationBatches } from "../schema/index.ts";

export type GenerationBatch = typeof generationBatches.$inferSelect;
export type NewBatch = Pick<
  GenerationBatch,
  | "kind"
  | "campaignId"
  | "step"
  | "datasetId"
  | "customPrompt"
  | "senderProfileId"
  | "senderData"
  | "promptVersionHash"
  | "total"
>;

export const insertBatchStatement = (db: Db, owner: NewOwned, batch: NewBatch) =>
  db.insert(generationBatches).values({ ...newRow(owner), ...batch });

/** A lead of a batch, at its place. */
export interface NewGeneration {
  id: string;
  campaignLeadId: string | null;
  datasetId: string;
  leadId: string;
  rowIndex: number;
  leadIndex: number;
  promptVersionHash: string;
}

/**
 * Work for a batch that is there. What it has already of the same lead and prompt stays as it is. With an `error` it has
 * failed before it was begun.
 */
export function insertGenerationsStatement(
  db: Db,
  { id: batchId, workspaceId, userId, now }: NewOwned,
  { kind, campaignId, step }: Pick<NewBatch, "kind" | "campaignId" | "step">,
  rows: readonly NewGeneration[],
  error: string | null = null,
) {
  const at = instantParam(now);
  const records = rows.map((row) => ({
    id: row.id,
    campaign_lead_id: row.campaignLeadId,
    dataset_id: row.datasetId,
    lead_id: row.leadId,
    row_index: row.rowIndex,
    lead_index: row.leadIndex,
    prompt_version_hash: row.promptVersionHash,
  }));
  return db.execute(sql`
    insert into generations
      (id, workspace_id, user_id, created_at, updated_at, kind, batch_id, campaign_id, step, campaign_lead_id, dataset_id,
       lead_id, row_index, lead_index, prompt_version_hash, status, error, attempts, due_at)
    select r.id, ${workspaceId}::uuid, ${userId}::uuid, ${at}, ${at}, ${kind}, ${batchId}::uuid, ${campaignId}::uuid, ${step}::int,
      r.campaign_lead_id, r.dataset_id, r.lead_id, r.row_index, r.lead_index, r.prompt_version_hash,
      case when ${error}::text is null then 'pending' else 'failed' end, ${error}::text, 0, ${at}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, campaign_lead_id uuid, dataset_id uuid,
      lead_id uuid, row_index int, lead_index int, prompt_version_hash text)
    on conflict do nothing`);
}

/** Behind what inserts them: fails (`isFenced`), and with it the holds of their credits, unless all are there and none has failed. */
export const allInsertedStatement = (db: Db, ids: readonly string[]) =>
  fenceStatement(
    db,
    sql`select 1 from generations where id = any(${uuidArray(ids)}) and status <> 'failed'`,
    ids.length,
  );

export async function getBatch(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<GenerationBatch | undefined> {
  const [row] = await db
    .select()
    .from(generationBatches)
    .where(ownedBy(generationBatches, workspaceId, id));
  return row;
}

/** For callbacks of the queue, which know no workspace. */
export async function findBatch(db: Db, id: string): Promise<GenerationBatch | undefined> {
  const [row] = await db.select().from(generationBatches).where(eq(generationBatches.id, id));
  return row;
}

/** Workers begin no generation of a cancelled batch. */
export async function markBatchCancelled(db: Db, id: string, now: Date): Promise<void> {
  await db
    .update(generationBatches)
    .set({
      cancelledAt: sql`coalesce(${generationBatches.cancelledAt}, ${instantParam(now)})`,
      updatedAt: now,
    })
    .where(eq(generationBatches.id, id));
}

/** There are no more leads than these. */
export async function correctBatchTotal(
  db: Db,
  id: string,
  total: number,
  now: Date,
): Promise<void> {
  await db
    .update(generationBatches)
    .set({ total, updatedAt: now })
    .where(eq(generationBatches.id, id));
}

/** Newest first, behind `before`; one more than `limit`. */
export async function listBatches(
  db: Db,
  campaignId: string,
  { before, limit }: { before: string | null; limit: number },
): Promise<GenerationBatch[]> {
  const place = sql`(select b.created_at from generation_batches b where b.id = ${before})`;
  return db
    .select()
    .from(generationBatches)
    .where(
      and(
        eq(generationBatches.campaignId, campaignId),
        before === null
          ? undefined
          : or(
              sql`${generationBatches.createdAt} < ${place}`,
              and(sql`${generationBatches.createdAt} = ${place}`, lt(generationBatches.id, before)),
            ),
      ),
    )
    .orderBy(desc(generationBatches.createdAt), desc(generationBatches.id))
    .limit(limit + 1);
}

const readCount = rowReader({
  batchId: text,
  status: typed<GenerationStatus>(),
  count: integer,
  updatedAt: instant,
});
export type StatusCount = ReturnType<typeof readCount>;

/** How many of these batches' texts stand where, and when the last of them moved. */
export async function countStatuses(db: Db, batchIds: readonly string[]): Promise<StatusCount[]> {
  const { rows } = await db.execute(sql`
    select batch_id, status, count(*) as count, max(updated_at) as updated_at from generations
    where batch_id = any(${sql.param([...batchIds])}::uuid[]) group by batch_id, status`);
  return rows.map(readCount);
}

const readLeadStatus = rowReader({
  campaignLeadId: text,
  status: typed<GenerationStatus>(),
  error: orNull(text),
});
export type LeadStatus = ReturnType<typeof readLeadStatus>;

/** Each of a batch's leads, in its order. */
export async function statusesOf(db: Db, batchId: string): Promise<LeadStatus[]> {
  const { rows } = await db.execute(sql`
    select campaign_lead_id, status, case when status = 'generated' then held_reason else error end as error from generations where batch_id = ${batchId} order by lead_index`);
  return rows.map(readLeadStatus);
}

const readStalled = rowReader({
  id: text,
  kind: typed<GenerationKind>(),
  nextDueAt: orNull(instant),
});
export type StalledBatch = ReturnType<typeof readStalled>;

/**
 * Batches of which something should long have been done. One look into the index for each batch that has anything open,
 * however much that is.
 */
export async function stalledBatches(db: Db, before: Date, limit: number): Promise<StalledBatch[]> {
  const next = (than: string) =>
    sql.raw(
      `select g.batch_id from generations g where g.${OPEN_WORDS} and g.batch_id ${than} order by g.batch_id limit 1`,
    );
  const { rows } = await db.execute(sql`
    with recursive live as (
      (${next("is not null")})
      union all
      select (${next("> live.batch_id")}) from live where live.batch_id is not null
    )
    select * from (
      select b.id, b.kind, (
        select g.due_at from generations g where g.batch_id = b.id and g.${OPEN}
        order by g.due_at limit 1) as next_due_at
      from live join generation_batches b on b.id = live.batch_id
    ) batch where next_due_at < ${instantParam(before)} order by next_due_at limit ${limit}`);
  return rows.map(readStalled);
}

/** Open texts of a batch that should long have been done. */
export async function overdueOf(
  db: Db,
  batchId: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from generations where batch_id = ${batchId} and ${OPEN}
      and due_at < ${instantParam(before)} order by due_at limit ${limit}`);
  return rows.map(({ id }) => id);
}
