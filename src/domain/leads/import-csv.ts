import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import type { Column } from "./columns.ts";
import { CsvFault } from "#src/csv/fault.ts";
import type { CsvRecord } from "#src/csv/reader.ts";
import { withoutApostrophe } from "#src/csv/writer.ts";
import { importLeads, type ImportReport, type Source, type SourceRow } from "./import-leads.ts";
import type { RawLead } from "./read-lead.ts";
import { readCsv } from "#src/csv/read.ts";

/** Imports a CSV file while it arrives; memory does not grow with the file. */
export async function importCsv(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  bytes: AsyncIterable<Uint8Array>,
  mapping: ColumnMapping,
): Promise<ImportReport> {
  try {
    return await importLeads(deps, principal, datasetId, () => openCsv(bytes), mapping);
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
    return { kind: "csv", labels, rows: (columns) => readRows(columns, rest, pieces) };
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
  records
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .map((record) => toRow(columns, record));

function toRow(columns: Column[], { line, cells }: CsvRecord): SourceRow {
  const row = {
    where: `Line ${line}`,
    size: cells.reduce((sum, cell) => sum + cell.length, 0),
    texts: () => columns.map((_, index) => cleanCell(cells[index])),
  };
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ""))
    return {
      ...row,
      fault: {
        code: "TOO_MANY_CELLS",
        message: `the row has ${cells.length} cells, the header ${columns.length}; is a quote missing?`,
      },
    };
  const raw: RawLead = { fields: {}, tags: [], custom: {} };
  // By the row's cells: short rows under a wide header cost what they hold.
  for (const [index, cell] of cells.slice(0, columns.length).entries()) {
    const { target } = columns[index]!;
    const text = cleanCell(cell);
    if (text === null || target.kind === "ignored") continue;
    if (target.kind === "custom") raw.custom[target.key] = text;
    else if (target.field === "tags") raw.tags = text.split(/[,;|]/);
    else raw.fields[target.field] = text;
  }
  return { ...row, raw };
}

function cleanCell(cell: string | undefined): string | null {
  const text = withoutApostrophe(cell ?? "").trim();
  return text === "" ? null : text;
}
