import { saveSheetPage, type SheetImport } from "#db/people/sheet-imports.ts";
import type { SheetCursor, SheetPlan } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { type CellRange, type Grid, SheetsFault } from "#src/providers/sheets/index.ts";
import { BATCH_ROWS, columnsOf, fingerprint } from "./sheet-plan.ts";
import { takeSheetRows } from "./sheet-rows.ts";

/** How reading ended: at the sheet's end, at the run's, because its rows have moved, or because another run writes. */
export type Reading =
  | { import: SheetImport; end: "read" | "more" | "changed" }
  | { end: "overtaken" };

/** Rows that are put aside at once. */
export const PAGE_ROWS = 1_000;

type WithTab = SheetPlan & { tab: NonNullable<SheetPlan["tab"]> };

/**
 * Reads on with the service's account for at most so many reads of the quota. A read gives the header and the row before the
 * next along with the rows: if either is not what it was, rows were inserted, deleted or sorted meanwhile.
 */
export async function readPages(deps: Deps, begun: SheetImport, reads: number): Promise<Reading> {
  const plan = begun.plan as WithTab;
  const columns = columnsOf(plan);
  let at = begun;
  for (let read = 0; read < reads && at.cursor.nextRow <= plan.tab.rows; read++) {
    const batch = await readBatch(deps, at, plan);
    if (batch === "changed") return { import: at, end: "changed" };
    const batchRows = batch === "too large" ? smaller(at.cursor) : sizeAfter(at.cursor, batch);
    const rows = batch === "too large" ? [] : batch;
    const end = batch === "too large" ? at.cursor.nextRow : lastOf(at.cursor, plan) + 1;
    for (const first of pagesOf(rows)) {
      const page = rows.slice(first, first + PAGE_ROWS);
      const nextRow = at.cursor.nextRow + page.length;
      const anchor = await fingerprint(page.at(-1) ?? []);
      const leads = takeSheetRows(at.tally, columns, page, at.cursor.nextRow);
      const saved = await save(deps, at, { ...at.cursor, nextRow, anchor }, leads);
      if (saved === undefined) return { end: "overtaken" };
      at = saved;
    }
    // Rows that hold nothing, and what the next read is to ask for.
    const isBlank = at.cursor.nextRow < end;
    const anchor = isBlank ? await fingerprint([]) : at.cursor.anchor;
    if (!isBlank && batchRows === at.cursor.batchRows) continue;
    const saved = await save(deps, at, { ...at.cursor, nextRow: end, batchRows, anchor }, []);
    if (saved === undefined) return { end: "overtaken" };
    at = saved;
  }
  return { import: at, end: at.cursor.nextRow > plan.tab.rows ? "read" : "more" };
}

const save = (
  deps: Deps,
  at: SheetImport,
  cursor: SheetCursor,
  leads: ReturnType<typeof takeSheetRows>,
) => saveSheetPage(deps.db, at, { cursor, tally: at.tally, leads, now: deps.clock.now() });

const lastOf = ({ nextRow, batchRows }: SheetCursor, { tab }: WithTab) =>
  Math.min(nextRow + batchRows - 1, tab.rows);

const pagesOf = (rows: Grid) =>
  Array.from({ length: Math.ceil(rows.length / PAGE_ROWS) }, (_, index) => index * PAGE_ROWS);

/** Of a grid of ten million cells most are empty: where there is nothing, the next look goes further. */
const sizeAfter = ({ batchRows }: SheetCursor, rows: Grid): number =>
  rows.length === 0 ? batchRows * 10 : Math.min(batchRows, BATCH_ROWS);

function smaller({ batchRows, nextRow }: SheetCursor): number {
  if (batchRows > 1) return Math.ceil(batchRows / 4);
  throw unprocessable("ROW_TOO_LARGE", `Row ${nextRow} of the sheet is too large to be read.`);
}

async function readBatch(
  { sheets }: Deps,
  { spreadsheetId, cursor }: SheetImport,
  plan: WithTab,
): Promise<Grid | "changed" | "too large"> {
  const columns: CellRange["columns"] = [1, plan.labels.length];
  const range = (from: number, to: number): CellRange => ({
    tab: plan.tab.title,
    rows: [from, to],
    columns,
  });
  try {
    const { account } = sheets;
    if (account === null) throw new SheetsFault("unavailable", "the service account is gone");
    const [header = [], rows = []] = await account.read(spreadsheetId, [
      range(1, 1),
      range(cursor.nextRow - 1, lastOf(cursor, plan)),
    ]);
    const [before = [], ...batch] = rows;
    const isSame =
      (await fingerprint(header[0] ?? [])) === plan.header &&
      (await fingerprint(before)) === cursor.anchor;
    return isSame ? batch : "changed";
  } catch (error) {
    if (!(error instanceof SheetsFault)) throw error;
    if (error.kind === "too_large") return "too large";
    if (error.kind === "no_such_range") return "changed";
    throw error;
  }
}
