import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import type { Column } from "./columns.ts";
import { CsvFault } from "#src/csv/fault.ts";
import type { CsvRecord } from "#src/csv/reader.ts";
import { isBlankRow, rowOfCells } from "./import-cells.ts";
import { chooseColumns } from "./import-columns.ts";
import type { Import, Source } from "./import-leads.ts";
import type { SourceRow } from "./import-tally.ts";
import { readCsv } from "#src/csv/read.ts";

/** Imports a CSV file while it arrives, or tries to; memory does not grow with the file. */
export async function importCsv<Report>(
  take: Import<Report>,
  deps: Deps,
  principal: Principal,
  datasetId: string,
  bytes: AsyncIterable<Uint8Array>,
  mapping: ColumnMapping,
): Promise<Report> {
  try {
    return await take(deps, principal, datasetId, () => openCsv(bytes), mapping);
  } catch (error) {
    if (error instanceof CsvFault) throw unprocessable(error.code, error.message);
    throw error;
  }
}

/** Columns and rows of a CSV file that arrives. Throws CsvFault. */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<Source> {
  const pieces = readCsv(bytes);
  for (;;) {
    const piece = await pieces.next();
    if (piece.done === true) throw unprocessable("EMPTY_FILE", "The file is empty.");
    const [header, ...rest] = piece.value;
    if (header === undefined) continue;
    const labels = header.cells.map((label) => label.trim());
    // Empty headers at the end come from spreadsheets that once had more columns.
    while (labels.at(-1) === "") labels.pop();
    if (labels.some((label) => label.includes("\u0000")))
      throw new CsvFault("NUL_CHARACTER", 1, "A header holds a NUL character (U+0000); remove it.");
    return {
      kind: "csv",
      open(known, mapping) {
        const columns = chooseColumns(labels, known, mapping);
        return { columns, rows: readRows(columns, rest, pieces) };
      },
    };
  }
}

async function* readRows(
  columns: Column[],
  first: CsvRecord[],
  pieces: AsyncIterable<CsvRecord[]>,
): AsyncGenerator<SourceRow[]> {
  yield toRows(columns, first);
  for await (const piece of pieces) yield toRows(columns, piece);
}

const toRows = (columns: Column[], records: CsvRecord[]): SourceRow[] =>
  records.filter(({ cells }) => !isBlankRow(cells)).map((record) => toRow(columns, record));

const toRow = (columns: Column[], { line, cells }: CsvRecord): SourceRow =>
  rowOfCells(columns, cells, `Line ${line}`);
