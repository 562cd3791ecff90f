import type { ColumnMapping, SheetCursor, SheetPlan } from "#db/schema/index.ts";
import { CsvFault } from "#src/csv/fault.ts";
import { readCsv } from "#src/csv/read.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import type { Deps } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { type PublicSheet, SheetsFault, type Spreadsheet } from "#src/providers/sheets/index.ts";
import { type Column, cutText } from "./columns.ts";
import { chooseColumns } from "./import-columns.ts";
import { sheetError } from "./sheet-faults.ts";
import { chooseTab, labelsOf, openSheet } from "./sheet-open.ts";
import type { SheetRef } from "./sheet-url.ts";

/** To look at a header. */
const LOOK_MS = 20_000;
/** Rows of one read. Google counts reads, 60 a minute for all workspaces; larger ones take more memory. */
export const BATCH_ROWS = 2_500;
/** A name in a header is for people; a mapping's is no longer either. */
const LABEL_LENGTH = 255;

export interface Planned {
  plan: SheetPlan;
  cursor: SheetCursor;
}

/**
 * Looks at the sheet and its header. Throws the 422 that says what is wrong with either, or a 503 while the provider
 * does not answer.
 */
export async function planSheet(
  deps: Deps,
  ref: SheetRef,
  known: ColumnMapping,
  mapping: ColumnMapping,
): Promise<Planned> {
  try {
    const opened = await openSheet(deps, ref, LOOK_MS);
    const found =
      opened.route === "account"
        ? await lookAt(deps, opened.spreadsheet, ref.gid)
        : await lookAtPublic(opened.sheet);
    const labels = labelsOf(found.header).map((label) => cutText(label, LABEL_LENGTH));
    if (labels.length > CSV_LIMITS.columns)
      throw unprocessable(
        "TOO_MANY_COLUMNS",
        `The sheet has ${labels.length} columns in row 1; an import takes ${CSV_LIMITS.columns}.`,
      );
    if (labels.length === 0)
      throw unprocessable(
        "EMPTY_FILE",
        "Row 1 of the sheet is empty; the columns' names belong there.",
      );
    chooseColumns(labels, known, mapping);
    const header = await fingerprint(found.header.slice(0, labels.length));
    const { title, tab } = found;
    return {
      plan: { title, tab, labels, mapping: { ...known, ...mapping }, header },
      cursor: { nextRow: 2, batchRows: BATCH_ROWS, anchor: header, restarts: 0 },
    };
  } catch (error) {
    if (error instanceof SheetsFault) throw sheetError(deps, error);
    if (error instanceof CsvFault) throw unprocessable(error.code, error.message);
    throw error;
  }
}

export const columnsOf = ({ labels, mapping }: SheetPlan): Column[] =>
  chooseColumns(labels, mapping, {});

type Found = Pick<SheetPlan, "title" | "tab"> & { header: string[] };

async function lookAt(
  { sheets }: Deps,
  spreadsheet: Spreadsheet,
  gid: number | null,
): Promise<Found> {
  const tab = chooseTab(spreadsheet, gid);
  const [grid] =
    tab.rows === 0 || tab.columns === 0
      ? []
      : await sheets.account!.read(spreadsheet.id, [
          { tab: tab.title, rows: [1, 1], columns: [1, tab.columns] },
        ]);
  const { title, rows } = tab;
  return { title: spreadsheet.title, tab: { title, rows }, header: grid?.[0] ?? [] };
}

async function lookAtPublic(sheet: PublicSheet): Promise<Found> {
  const found = { title: sheet.title, tab: null };
  for await (const [first] of readCsv(sheet.csv, ","))
    if (first !== undefined) return { ...found, header: first.cells };
  return { ...found, header: [] };
}

/** Of a row's cells, by which it is known again. */
export const fingerprint = (cells: readonly string[]): Promise<string> =>
  sha256Hex(JSON.stringify(cells.slice(0, cells.findLastIndex((cell) => cell !== "") + 1)));
