import { SHEET_IMPORT_MINUTES } from "#db/people/datasets.ts";
import { type ImportCounts, takeOverImport } from "#db/people/lead-imports.ts";
import {
  failSheetImport,
  findSheetImport,
  keepSheetImport,
  restartSheetImport,
  type SheetImport,
} from "#db/people/sheet-imports.ts";
import { CsvFault } from "#src/csv/fault.ts";
import type { Deps } from "#src/deps.ts";
import { AppError, notFound, unprocessable } from "#src/errors.ts";
import { SheetsFault } from "#src/providers/sheets/index.ts";
import { describeColumns } from "./columns.ts";
import { emptyTally } from "./import-tally.ts";
import { readExport } from "./sheet-csv-import.ts";
import { sheetError } from "./sheet-faults.ts";
import { readPages, type Reading } from "./sheet-pages.ts";
import { columnsOf, planSheet } from "./sheet-plan.ts";

/** The limits of one run: reads of the API's quota, rows of a public export. */
export interface RunLimits {
  reads: number;
  exportRows: number;
}

export type SheetRun =
  | { kind: "done"; import: SheetImport; counts: ImportCounts }
  | { kind: "failed"; error: AppError }
  | { kind: "more"; import: SheetImport }
  /** The provider takes no requests for so long. */
  | { kind: "waits"; import: SheetImport; seconds: number }
  | { kind: "superseded" };

const MOST_RESTARTS = 3;

/**
 * Goes on with an import where the last run left it, and takes everything over once all is read. Safe to repeat, to
 * run beside itself and to interrupt anywhere.
 */
export async function runSheetImport(deps: Deps, id: string, limits: RunLimits): Promise<SheetRun> {
  const found = await findSheetImport(deps.db, id);
  if (found === undefined || found.status !== "running") return { kind: "superseded" };
  const ageMs = deps.clock.now().getTime() - found.createdAt.getTime();
  if (ageMs > SHEET_IMPORT_MINUTES * 60_000) return fail(deps, found, tookTooLong());
  try {
    return await goOn(deps, found, limits);
  } catch (error) {
    const known = error instanceof SheetsFault ? sheetError(deps, error) : asAppError(error);
    if (known === null) throw error;
    if (known.kind === "unavailable") return wait(deps, found, known.retryAfter ?? 30);
    return fail(deps, found, known);
  }
}

const tookTooLong = () =>
  unprocessable(
    "SHEET_IMPORT_TIMED_OUT",
    `Google did not let the sheet be read within ${SHEET_IMPORT_MINUTES} minutes. Import it again later.`,
  );

/** Errors that the sheet's owner can do something about; anything else is tried again by the queue. */
function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return error instanceof CsvFault ? unprocessable(error.code, error.message) : null;
}

async function goOn(deps: Deps, found: SheetImport, limits: RunLimits): Promise<SheetRun> {
  const reading = await read(deps, found, limits);
  switch (reading.end) {
    case "overtaken":
      return { kind: "superseded" };
    case "read":
      return takeOver(deps, reading.import);
    case "changed":
      return replan(deps, reading.import);
    case "more":
      return { kind: "more", import: reading.import };
  }
}

async function read(deps: Deps, found: SheetImport, limits: RunLimits): Promise<Reading> {
  if (found.plan.tab !== null) return readPages(deps, found, limits.reads);
  if (found.cursor.nextRow === 2) return readExport(deps, found, limits.exportRows);
  const anew = await restart(deps, found, found);
  return anew === undefined ? { end: "overtaken" } : readExport(deps, anew, limits.exportRows);
}

const restart = (
  deps: Deps,
  at: SheetImport,
  { plan, cursor }: Pick<SheetImport, "plan" | "cursor">,
) =>
  restartSheetImport(deps.db, at, {
    plan,
    cursor: { ...cursor, nextRow: 2, anchor: plan.header },
    tally: emptyTally(),
    now: deps.clock.now(),
  });

/** The sheet is not what it was: nothing of it has been taken over, so it is read again from its header on. */
async function replan(deps: Deps, at: SheetImport): Promise<SheetRun> {
  const restarts = at.cursor.restarts + 1;
  if (restarts > MOST_RESTARTS)
    throw unprocessable(
      "SHEET_KEEPS_CHANGING",
      "Rows of the sheet are moved while it is read. Import it again when nobody edits it.",
    );
  const { spreadsheetId, gid, mapping } = at;
  const { plan, cursor } = await planSheet(deps, { spreadsheetId, gid }, at.plan.mapping, mapping);
  const anew = await restart(deps, at, { plan, cursor: { ...cursor, restarts } });
  return anew === undefined ? { kind: "superseded" } : { kind: "more", import: anew };
}

async function takeOver(deps: Deps, at: SheetImport): Promise<SheetRun> {
  const { id, workspaceId, userId, datasetId, chunks, mapping, sourceUrl, tally } = at;
  const counts = await takeOverImport(deps.db, {
    importId: id,
    workspaceId,
    userId,
    datasetId,
    chunks,
    columns: describeColumns(columnsOf(at.plan), tally.samples),
    mapping,
    source: "sheet",
    sourceUrl,
    now: deps.clock.now(),
  });
  if (counts === null) return fail(deps, at, notFound("Dataset"));
  return { kind: "done", import: at, counts };
}

async function fail(deps: Deps, { id }: SheetImport, error: AppError): Promise<SheetRun> {
  const failed = await failSheetImport(deps.db, id, error.message, deps.clock.now());
  return failed ? { kind: "failed", error } : { kind: "superseded" };
}

/** Puts the import off; the rows that this run has read stay staged. */
async function wait(deps: Deps, { id }: SheetImport, seconds: number): Promise<SheetRun> {
  const now = await findSheetImport(deps.db, id);
  const kept = now && (await keepSheetImport(deps.db, now, deps.clock.now()));
  return kept ? { kind: "waits", import: kept, seconds } : { kind: "superseded" };
}
