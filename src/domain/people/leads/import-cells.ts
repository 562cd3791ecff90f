import { withoutApostrophe } from "#src/csv/writer.ts";
import type { Column } from "./columns.ts";
import type { SourceRow } from "./import-tally.ts";
import type { RawLead } from "./read-lead.ts";

export const isBlankRow = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === "");

/** A row of a table: each cell where its column says. A cell without a column is a fault. */
export function rowOfCells(columns: Column[], cells: readonly string[], where: string): SourceRow {
  const row = {
    where,
    size: () => cells.reduce((sum, cell) => sum + cell.length, 0),
    texts: () => columns.map((_, index) => cleanCell(cells[index])),
  };
  if (!isBlankRow(cells.slice(columns.length)))
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
