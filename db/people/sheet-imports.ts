import { and, desc, eq, lt, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { stagedJson, type StagedLead } from "./lead-imports.ts";
import { type NewOwned, newRow } from "../base/owned.ts";
import {
  type ColumnMapping,
  type ImportTally,
  leadImportChunks,
  type SheetCursor,
  sheetImports,
  type SheetPlan,
} from "../schema/index.ts";

export type SheetImport = typeof sheetImports.$inferSelect;

/** Where an import stands: what a run has read, and may write over. */
export type SheetStand = Pick<SheetImport, "id" | "datasetId" | "version">;

export interface SheetImportOrder {
  datasetId: string;
  sourceUrl: string;
  spreadsheetId: string;
  gid: number | null;
  mapping: ColumnMapping;
  plan: SheetPlan;
  cursor: SheetCursor;
  tally: ImportTally;
}

/** Begins an import in the place of the dataset's last; undefined when one is under way that moved after `stalledBefore`. */
export async function beginSheetImport(
  db: Db,
  owner: NewOwned,
  order: SheetImportOrder,
  stalledBefore: Date,
): Promise<SheetImport | undefined> {
  const [, , [begun]] = await commit(db, [
    db
      .delete(leadImportChunks)
      .where(
        sql`${leadImportChunks.importId} in (select id from sheet_imports where dataset_id = ${order.datasetId} and status = 'running' and updated_at < ${instantParam(stalledBefore)})`,
      ),
    db
      .delete(sheetImports)
      .where(
        and(
          eq(sheetImports.datasetId, order.datasetId),
          sql`(${sheetImports.status} <> 'running' or ${lt(sheetImports.updatedAt, stalledBefore)})`,
        ),
      ),
    db
      .insert(sheetImports)
      .values({
        ...newRow(owner),
        ...order,
        status: "running",
        chunks: 0,
        version: 1,
        created: 0,
        updated: 0,
        duplicate: 0,
      })
      .onConflictDoNothing()
      .returning(),
  ]);
  return begun;
}

export async function findSheetImport(db: Db, id: string): Promise<SheetImport | undefined> {
  const [row] = await db.select().from(sheetImports).where(eq(sheetImports.id, id));
  return row;
}

export async function lastSheetImport(
  db: Db,
  workspaceId: string,
  datasetId: string,
): Promise<SheetImport | undefined> {
  const [row] = await db
    .select()
    .from(sheetImports)
    .where(and(eq(sheetImports.workspaceId, workspaceId), eq(sheetImports.datasetId, datasetId)))
    .orderBy(desc(sheetImports.createdAt))
    .limit(1);
  return row;
}

/** Running, as the run knows it. */
const standsSo = ({ id, version }: SheetStand) =>
  and(
    eq(sheetImports.id, id),
    eq(sheetImports.version, version),
    eq(sheetImports.status, "running"),
  );

const next = { version: sql`${sheetImports.version} + 1` };

/**
 * Stages a page's leads and moves the cursor past it, in one statement: if a worker dies between two pages, the next
 * run goes on exactly there, and of two runs at once one writes. Undefined when the other did.
 */
export async function saveSheetPage(
  db: Db,
  stand: SheetStand,
  page: { cursor: SheetCursor; tally: ImportTally; leads: readonly StagedLead[]; now: Date },
): Promise<SheetImport | undefined> {
  const { cursor, tally, leads, now } = page;
  const at = instantParam(now);
  const moved = db.$with("moved").as(
    db
      .update(sheetImports)
      .set({
        ...next,
        cursor,
        tally,
        chunks: sql`${sheetImports.chunks} + ${leads.length === 0 ? 0 : 1}`,
        updatedAt: now,
      })
      .where(standsSo(stand))
      .returning(),
  );
  if (leads.length === 0) {
    const [row] = await db.with(moved).select().from(moved);
    return row;
  }
  const staged = db.$with("staged").as(
    db
      .insert(leadImportChunks)
      .select(sql`select id, chunks - 1, dataset_id, ${stagedJson(leads)}::jsonb, ${at} from moved`)
      .returning({ chunk: leadImportChunks.chunk }),
  );
  const [row] = await db.with(moved, staged).select().from(moved);
  return row;
}

/** Begins the import anew by another plan: rows that were staged are dropped. Undefined when another run wrote. */
export async function restartSheetImport(
  db: Db,
  stand: SheetStand,
  anew: { plan: SheetPlan; cursor: SheetCursor; tally: ImportTally; now: Date },
): Promise<SheetImport | undefined> {
  const { now, ...set } = anew;
  const [[row]] = await commit(db, [
    db
      .update(sheetImports)
      .set({ ...set, ...next, chunks: 0, updatedAt: now })
      .where(standsSo(stand))
      .returning(),
    db
      .delete(leadImportChunks)
      .where(
        sql`${leadImportChunks.importId} in (select id from sheet_imports where id = ${stand.id} and chunks = 0)`,
      ),
  ]);
  return row;
}

/** Marks an import that has to wait as still under way. */
export async function keepSheetImport(
  db: Db,
  stand: SheetStand,
  now: Date,
): Promise<SheetImport | undefined> {
  const [row] = await db
    .update(sheetImports)
    .set({ ...next, updatedAt: now })
    .where(standsSo(stand))
    .returning();
  return row;
}

/** Fails an import, and says so on the dataset, whose leads stay as they were. False when it had ended. */
export async function failSheetImport(
  db: Db,
  id: string,
  error: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with failed as (
      update sheet_imports set status = 'failed', error = ${error}, tally = tally || '{"samples": []}',
             version = version + 1, updated_at = ${instantParam(now)}
      where id = ${id} and status = 'running' returning dataset_id
    ), told as (
      update datasets set status = 'failed', error = ${error}, updated_at = ${instantParam(now)}
      where id in (select dataset_id from failed) and deleted_at is null
    ), dropped as (
      delete from lead_import_chunks where import_id = ${id} and exists (select 1 from failed)
    )
    select dataset_id from failed`);
  return rows.length > 0;
}

/** Running, and without a move since then. */
export async function stalledSheetImports(
  db: Db,
  before: Date,
  limit: number,
): Promise<SheetImport[]> {
  return db
    .select()
    .from(sheetImports)
    .where(and(eq(sheetImports.status, "running"), lt(sheetImports.updatedAt, before)))
    .limit(limit);
}
