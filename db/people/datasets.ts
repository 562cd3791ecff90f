import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { type Deletion, deletionOf, notUsed, usesDataset } from "../base/fragments/uses.ts";
import { commit, type Db } from "../base/client.ts";
import { forgetDrafts } from "../base/fragments/forget-drafts.ts";
import { instantParam } from "../base/instants.ts";
import { type NewOwned, newRow, ownedBy } from "../base/owned.ts";
import {
  type ColumnMapping,
  type DatasetStatus,
  datasets,
  leadImportChunks,
  leads,
  type DatasetColumn,
  rowResearch,
  sheetImports,
  datasetVerifications,
} from "../schema/index.ts";
import { leadEnd } from "../base/fragments/lead-end.ts";

export type DatasetRow = Omit<typeof datasets.$inferSelect, "deletedAt" | "lastRowIndex"> & {
  /** Null unless a sheet is being imported. */
  importProgress: { rows_read: number } | null;
};

/** How long the import of a sheet may take, with all its waits for the provider. */
export const SHEET_IMPORT_MINUTES = 30;
const SHEET_IMPORT_LIFE = sql.raw(`interval '${SHEET_IMPORT_MINUTES} minutes'`);

/** An import that staged nothing for this long is not running any more. */
const IMPORT_QUIET = sql.raw("interval '2 minutes'");

/** A sheet's import that is under way; an older one is given up. */
const runningSheetImport = (now: Date) =>
  sql`select r.* from sheet_imports r where r.dataset_id = datasets.id and r.status = 'running'
    and r.created_at > ${instantParam(now)} - ${SHEET_IMPORT_LIFE}`;

const ownedDataset = (workspaceId: string, id: string) =>
  and(ownedBy(datasets, workspaceId, id), isNull(datasets.deletedAt));

/** Whether an import runs is read from what it stages, so that one that died leaves no mark behind. */
const columnsAt = (now: Date) => ({
  id: datasets.id,
  workspaceId: datasets.workspaceId,
  userId: datasets.userId,
  createdAt: datasets.createdAt,
  updatedAt: datasets.updatedAt,
  name: datasets.name,
  source: datasets.source,
  sourceUrl: datasets.sourceUrl,
  status: sql<DatasetStatus>`case when exists (
      select 1 from lead_import_chunks c left join sheet_imports s on s.id = c.import_id
      where c.dataset_id = datasets.id and c.staged_at > ${instantParam(now)} - ${IMPORT_QUIET} and s.id is null)
    or exists (${runningSheetImport(now)}) then 'importing' else ${datasets.status} end`,
  importProgress: sql<{ rows_read: number } | null>`(
    select jsonb_build_object('rows_read', s.tally -> 'total') from (${runningSheetImport(now)}) s)`,
  rowCount: datasets.rowCount,
  columns: datasets.columns,
  mapping: datasets.mapping,
  error: datasets.error,
  revision: datasets.revision,
});

/** Newest first; `before` is the id after which the page begins. */
export async function listDatasets(
  db: Db,
  workspaceId: string,
  page: { before: string | null; limit: number; now: Date },
): Promise<DatasetRow[]> {
  return db
    .select(columnsAt(page.now))
    .from(datasets)
    .where(
      and(
        eq(datasets.workspaceId, workspaceId),
        isNull(datasets.deletedAt),
        page.before === null ? undefined : lt(datasets.id, page.before),
      ),
    )
    .orderBy(desc(datasets.id))
    .limit(page.limit);
}

export async function getDataset(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<DatasetRow | undefined> {
  const [row] = await db.select(columnsAt(now)).from(datasets).where(ownedDataset(workspaceId, id));
  return row;
}

export async function insertDataset(db: Db, owner: NewOwned, name: string): Promise<DatasetRow> {
  const [row] = await db
    .insert(datasets)
    .values({
      ...newRow(owner),
      name,
      source: "api",
      status: "ready",
      rowCount: 0,
      columns: [],
      mapping: {},
    })
    .returning(columnsAt(owner.now));
  return row!;
}

export async function updateDataset(
  db: Db,
  workspaceId: string,
  id: string,
  change: { name?: string; mapping?: ColumnMapping },
  now: Date,
): Promise<DatasetRow | undefined> {
  const [row] = await db
    .update(datasets)
    .set({ ...change, revision: sql`${datasets.revision} + 1`, updatedAt: now })
    .where(ownedDataset(workspaceId, id))
    .returning(columnsAt(now));
  return row;
}

/** First in every transaction that adds or removes leads: such transactions follow each other. */
export function lockDatasetStatement(db: Db, workspaceId: string, id: string) {
  return db
    .select({ id: datasets.id })
    .from(datasets)
    .where(ownedDataset(workspaceId, id))
    .for("update");
}

/**
 * Removes its leads for good, stops them in campaigns that are not under way,
 * and leaves a nameless stub for those campaigns to point at; nothing of it if a
 * campaign under way uses it.
 */
export async function deleteDataset(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<Deletion> {
  const gone = sql`select id from datasets where id = ${id} and deleted_at is not null`;
  const [removed] = await commit(db, [
    db
      .update(datasets)
      .set({
        deletedAt: now,
        updatedAt: now,
        name: "",
        rowCount: 0,
        columns: [],
        mapping: {},
        sourceUrl: null,
      })
      .where(and(ownedDataset(workspaceId, id), notUsed(workspaceId, usesDataset(id))))
      .returning({ id: datasets.id }),
    db.execute(sql`
      update campaign_leads l set ${leadEnd({ status: "stopped", stopReason: "lead_deleted" }, now)}
      where l.campaign_id in (select c.id from campaigns c where c.workspace_id = ${workspaceId} and c.dataset_id in (${gone}))
        and l.status in ('pending', 'active')`),
    db.execute(forgetDrafts(sql`select l.id from leads l where l.dataset_id in (${gone})`)),
    db
      .delete(leads)
      .where(and(sql`${leads.datasetId} in (${gone})`, eq(leads.workspaceId, workspaceId))),
    db.delete(leadImportChunks).where(sql`${leadImportChunks.datasetId} in (${gone})`),
    db.delete(sheetImports).where(sql`${sheetImports.datasetId} in (${gone})`),
    db.delete(rowResearch).where(sql`${rowResearch.datasetId} in (${gone})`),
    // A verification under way holds credits: its worker gives them back, and deletes it.
    db
      .delete(datasetVerifications)
      .where(
        sql`${datasetVerifications.datasetId} in (${gone}) and ${datasetVerifications.status} = 'completed'`,
      ),
  ]);
  return deletionOf(db, workspaceId, usesDataset(id), removed.length > 0);
}

/** The columns that dataset `d` does not have yet. */
export function newColumnsSql(columns: readonly DatasetColumn[]) {
  return sql`coalesce((
    select jsonb_agg(n) from jsonb_array_elements(${JSON.stringify(columns)}::jsonb) n
    where not exists (select 1 from jsonb_array_elements(d.columns) o where o ->> 'key' = n ->> 'key')), '[]'::jsonb)`;
}
