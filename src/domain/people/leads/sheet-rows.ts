import type { StagedLead } from "#db/people/lead-imports.ts";
import type { ImportTally } from "#db/schema/index.ts";
import type { Column } from "./columns.ts";
import { isBlankRow, rowOfCells } from "./import-cells.ts";
import { takeRow } from "./import-tally.ts";

/** Cell texts of formulas that failed, or are not done. */
const NO_VALUE = new Set([
  "#N/A",
  "#REF!",
  "#VALUE!",
  "#DIV/0!",
  "#NAME?",
  "#NUM!",
  "#NULL!",
  "#ERROR!",
  "Loading...",
]);

/**
 * The leads of some rows, the first of which has that number in the sheet; the tally goes on with them. Cells beyond
 * the header have no name and are left out.
 */
export function takeSheetRows(
  tally: ImportTally,
  columns: Column[],
  rows: readonly string[][],
  firstRow: number,
): StagedLead[] {
  const leads: StagedLead[] = [];
  for (const [index, shown] of rows.entries()) {
    const cells = shown.slice(0, columns.length).map((text) => (NO_VALUE.has(text) ? "" : text));
    if (isBlankRow(cells)) continue;
    const lead = takeRow(tally, rowOfCells(columns, cells, `Row ${firstRow + index}`));
    if (lead !== null) leads.push(lead);
  }
  return leads;
}
