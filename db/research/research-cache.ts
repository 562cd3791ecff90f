import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { instant, rowReader, typed } from "../base/rows.ts";
import type { Json } from "../schema/columns.ts";

/** A row of a dataset, there or not. */
export interface DatasetPlace {
  datasetId: string;
  rowIndex: number;
}

export interface Lifetime {
  now: Date;
  expiresAt: Date;
}

const readLookup = rowReader({ answer: typed<Json>(), lookedUpAt: instant });
const readRow = rowReader({ sources: typed<Json>(), lookedUpAt: instant });

/** What is kept under a key and still counts. */
export async function readWebLookup(db: Db, keyHash: string, now: Date) {
  const { rows } = await db.execute(sql`
    select answer, looked_up_at from web_lookups
    where key_hash = ${keyHash} and expires_at > ${instantParam(now)}`);
  return rows[0] === undefined ? null : readLookup(rows[0]);
}

export async function keepWebLookup(
  db: Db,
  keyHash: string,
  answer: Json,
  { now, expiresAt }: Lifetime,
): Promise<void> {
  await db.execute(sql`
    insert into web_lookups (key_hash, answer, looked_up_at, expires_at)
    values (${keyHash}, ${JSON.stringify(answer)}::jsonb, ${instantParam(now)}, ${instantParam(expiresAt)})
    on conflict (key_hash) do update set answer = excluded.answer, looked_up_at = excluded.looked_up_at,
      expires_at = excluded.expires_at`);
}

/** What is kept of a row, if it is about this subject and still counts. */
export async function readRowResearch(
  db: Db,
  workspaceId: string,
  { datasetId, rowIndex }: DatasetPlace,
  subjectHash: string,
  now: Date,
) {
  const { rows } = await db.execute(sql`
    select sources, looked_up_at from row_research
    where workspace_id = ${workspaceId} and dataset_id = ${datasetId} and row_index = ${rowIndex}
      and subject_hash = ${subjectHash} and expires_at > ${instantParam(now)}`);
  return rows[0] === undefined ? null : readRow(rows[0]);
}

/** Nothing of a dataset that is gone, or going: its deletion waits for this or is waited for. */
export async function keepRowResearch(
  db: Db,
  workspaceId: string,
  { datasetId, rowIndex }: DatasetPlace,
  { subjectHash, sources }: { subjectHash: string; sources: Json },
  { now, expiresAt }: Lifetime,
): Promise<void> {
  await db.execute(sql`
    insert into row_research (workspace_id, dataset_id, row_index, subject_hash, sources, looked_up_at, expires_at)
    select d.workspace_id, d.id, ${rowIndex}::int, ${subjectHash}, ${JSON.stringify(sources)}::jsonb,
      ${instantParam(now)}, ${instantParam(expiresAt)}
    from datasets d
    where d.id = ${datasetId} and d.workspace_id = ${workspaceId} and d.deleted_at is null
    for share
    on conflict (dataset_id, row_index) do update set subject_hash = excluded.subject_hash,
      sources = excluded.sources, looked_up_at = excluded.looked_up_at, expires_at = excluded.expires_at`);
}

export async function forgetOldResearch(db: Db, now: Date, limit: number): Promise<number> {
  const at = instantParam(now);
  const { rows } = await db.execute<{ forgotten: number }>(sql`
    with pages as (
      delete from web_lookups where key_hash = any(array(
        select key_hash from web_lookups where expires_at <= ${at} order by expires_at limit ${limit}))
        and expires_at <= ${at}
      returning 1
    ), of_rows as (
      delete from row_research r using (
        select dataset_id, row_index from row_research where expires_at <= ${at} order by expires_at limit ${limit}) old
      where r.dataset_id = old.dataset_id and r.row_index = old.row_index and r.expires_at <= ${at}
      returning 1
    )
    select (select count(*) from pages)::int + (select count(*) from of_rows)::int as forgotten`);
  return rows[0]!.forgotten;
}
