import { type SQL, sql } from "drizzle-orm";
import { campaignLeadId } from "../base/fragments/campaign-lead.ts";
import type { Db } from "../base/client.ts";
import { instant, integer, orNull, type Row, rowReader, text, typed } from "../base/rows.ts";
import type { GenerationStatus } from "../schema/index.ts";

export type RunLead = ReturnType<typeof readRunLead>;
const readRunLead = rowReader({ id: text, leadId: text, rowIndex: integer });

/** A generation's id within a run, the same from every worker: two workers that add one lead insert one row, and hold credits once. */
const runGenerationId = (runId: SQL, leadId: SQL): SQL => campaignLeadId(runId, leadId);

/** Leads of a dataset in row order: after a row, or of the given rows. */
export async function runLeads(
  db: Db,
  { id, datasetId }: { id: string; datasetId: string },
  which: { after: number; limit: number } | { rowIndexes: readonly number[] },
): Promise<RunLead[]> {
  const wanted =
    "after" in which
      ? sql`lead.row_index > ${which.after} order by lead.row_index limit ${which.limit}`
      : sql`lead.row_index = any(${sql.param([...which.rowIndexes])}::int[]) order by lead.row_index`;
  const { rows } = await db.execute(sql`
    select ${runGenerationId(sql`${id}::uuid`, sql`lead.id`)} as id, lead.id as lead_id, lead.row_index
    from leads lead where lead.dataset_id = ${datasetId} and ${wanted}`);
  return rows.map(readRunLead);
}

export async function countLeads(db: Db, datasetId: string): Promise<number> {
  const { rows } = await db.execute<{ count: string }>(
    sql`select count(*) from leads where dataset_id = ${datasetId}`,
  );
  return Number(rows[0]!.count);
}

const readLast = rowReader({ leadIndex: integer, rowIndex: integer });

/** How far the leads of a run are gathered; undefined before the first. */
export async function lastGathered(
  db: Db,
  runId: string,
): Promise<ReturnType<typeof readLast> | undefined> {
  const { rows } = await db.execute(sql`
    select lead_index, row_index from generations where batch_id = ${runId} order by lead_index desc limit 1`);
  return rows[0] && readLast(rows[0]);
}

export type RunGeneration = ReturnType<typeof readGeneration>;
const readGeneration = rowReader({
  id: text,
  leadIndex: integer,
  rowIndex: integer,
  leadSnapshot: orNull(typed<Row>()),
  status: typed<GenerationStatus>(),
  generatedAt: orNull(instant),
  subject: orNull(text),
  body: orNull(text),
  error: orNull(text),
});

/** Places count from 0 without a gap: the offset is the place. */
export async function listRunGenerations(
  db: Db,
  runId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<RunGeneration[]> {
  const { rows } = await db.execute(sql`
    select id, lead_index, row_index, lead_snapshot, status, generated_at, subject, body, error from generations
    where batch_id = ${runId} and lead_index >= ${offset} order by lead_index limit ${limit}`);
  return rows.map(readGeneration);
}
