import { CsvFault } from "#src/csv/fault.ts";
import { readCsv } from "#src/csv/read.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import type { Deps } from "#src/deps.ts";
import {
  type CellRange,
  type PublicSheet,
  type SheetsAccount,
  SheetsFault,
  type Spreadsheet,
  type Tab,
} from "#src/providers/sheets/index.ts";
import { planColumns } from "./columns.ts";
import { IMPORT_LIMITS } from "./import-tally.ts";
import { adviceOf, type SheetStatus, STATUS_OF } from "./sheet-faults.ts";
import { labelsOf, openSheet, visibleTabs } from "./sheet-open.ts";
import type { SheetRef } from "./sheet-url.ts";

export interface TabSummary {
  sheet_id: number;
  title: string;
  /** Rows that hold data, the header not counted. */
  row_count: number;
  /** Columns that have a name. */
  column_count: number;
}

export interface SheetAccess {
  accessible: boolean;
  status: SheetStatus;
  spreadsheet_id: string;
  title: string | null;
  sheets: TabSummary[];
  headers: string[];
  share_with: string | null;
  message: string;
}

/** An answer is awaited by a person. */
const PUBLIC_MS = 20_000;
/** Tabs that are looked into; more are listed by the size of their grid. */
const COUNTED_TABS = 20;
const HEADER_LENGTH = 255;

/** How much of a sheet the service can read, and what to do if it cannot. Faults of the provider are answers too. */
export async function verifySheetAccess(deps: Deps, ref: SheetRef): Promise<SheetAccess> {
  const shareWith = deps.sheets.account?.email ?? null;
  const base = { spreadsheet_id: ref.spreadsheetId, share_with: shareWith };
  try {
    const opened = await openSheet(deps, ref, PUBLIC_MS);
    const found =
      opened.route === "account"
        ? await summarise(deps.sheets.account!, opened.spreadsheet)
        : await summarisePublic(opened.sheet, ref.gid);
    return { accessible: true, status: "ok", ...base, ...found, message: wordsOf(found) };
  } catch (error) {
    if (!(error instanceof SheetsFault)) throw error;
    if (error.kind === "unavailable")
      deps.log.error("sheets_unavailable", { error: error.message });
    const none = { title: null, sheets: [], headers: [] };
    const status = STATUS_OF[error.kind];
    return { accessible: false, status, ...base, ...none, message: adviceOf(error, shareWith) };
  }
}

type Found = Pick<SheetAccess, "title" | "sheets" | "headers">;

function wordsOf({ sheets: [first] }: Found): string {
  if (first === undefined) return "The spreadsheet can be read, but no tab of it has cells.";
  if (first.column_count === 0)
    return "The sheet can be read; its first tab has no header in row 1.";
  if (first.column_count > CSV_LIMITS.columns)
    return `The sheet can be read, but its first tab has ${first.column_count} columns; an import takes ${CSV_LIMITS.columns}.`;
  return `The sheet can be read. Rows of data in its first tab: ${first.row_count}.`;
}

const shown = (labels: string[]) =>
  labels.slice(0, CSV_LIMITS.columns).map((label) => label.slice(0, HEADER_LENGTH));

/** Headers of the tabs in one request, and in a second one the columns by which rows are counted. */
async function summarise(account: SheetsAccount, spreadsheet: Spreadsheet): Promise<Found> {
  const tabs = visibleTabs(spreadsheet).filter(({ rows, columns }) => rows > 0 && columns > 0);
  const counted = tabs.slice(0, COUNTED_TABS);
  const { id, title } = spreadsheet;
  const headers = await readHeaders(account, id, counted);
  const counts = await countRows(account, id, counted, headers);
  return {
    title,
    headers: shown(headers[0] ?? []),
    sheets: tabs.map((tab, index) => ({
      sheet_id: tab.id,
      title: tab.title,
      row_count: counts[index] ?? tab.rows - 1,
      column_count: headers[index]?.length ?? tab.columns,
    })),
  };
}

async function readHeaders(account: SheetsAccount, id: string, tabs: Tab[]): Promise<string[][]> {
  if (tabs.length === 0) return [];
  const ranges = tabs.map((tab): CellRange => ({
    tab: tab.title,
    rows: [1, 1],
    columns: [1, tab.columns],
  }));
  return (await account.read(id, ranges)).map(([header]) => labelsOf(header));
}

/**
 * Rows below the header with a value in the first or an identifying column: the grid's size counts empty rows, and all
 * cells may be ten million. Where even these are too many, the first tab alone is counted, or none.
 */
async function countRows(
  account: SheetsAccount,
  id: string,
  tabs: Tab[],
  headers: string[][],
): Promise<number[]> {
  for (const some of [tabs, tabs.slice(0, 1)]) {
    const asked = some.flatMap((tab, index) =>
      tab.rows < 2
        ? []
        : countedColumns(headers[index]!).map((column) => ({ index, range: below(tab, column) })),
    );
    if (asked.length === 0) return some.map(() => 0);
    try {
      const grids = await account.read(
        id,
        asked.map(({ range }) => range),
      );
      const filled = some.map(() => new Set<number>());
      for (const [at, grid] of grids.entries())
        for (const [row, [cell = ""]] of grid.entries())
          if (cell.trim() !== "") filled[asked[at]!.index]!.add(row);
      return filled.map(({ size }) => size);
    } catch (error) {
      if (!(error instanceof SheetsFault) || error.kind !== "too_large") throw error;
    }
  }
  return [];
}

const below = (tab: Tab, column: number): CellRange => ({
  tab: tab.title,
  rows: [2, Math.min(tab.rows, IMPORT_LIMITS.rows + 2)],
  columns: [column, column],
});

/** Numbers of the first column, and of those that hold email and profile URL. */
function countedColumns(labels: string[]): number[] {
  const columns = planColumns(labels.slice(0, CSV_LIMITS.columns), {});
  const who = typeof columns === "string" ? [] : columns;
  const found = who.flatMap(({ target }, index) =>
    target.kind === "field" && ["email", "profile_url"].includes(target.field) ? [index + 1] : [],
  );
  return [...new Set([1, ...found])];
}

async function summarisePublic(sheet: PublicSheet, gid: number | null): Promise<Found> {
  let labels: string[] | null = null;
  let rows = 0;
  try {
    for await (const records of readCsv(sheet.csv, ","))
      for (const { cells } of records)
        if (labels === null) labels = labelsOf(cells);
        else if (cells.some((cell) => cell.trim() !== "")) rows += 1;
  } catch (error) {
    if (error instanceof CsvFault) throw new SheetsFault("too_large", error.message);
    throw error;
  }
  const { title, tabTitle } = sheet;
  const found = labels ?? [];
  return {
    title,
    headers: shown(found),
    sheets: [
      {
        sheet_id: gid ?? 0,
        title: tabTitle ?? "",
        row_count: rows,
        column_count: found.length,
      },
    ],
  };
}
