import { saveSheetPage, type SheetImport } from "#db/people/sheet-imports.ts";
import { readCsv } from "#src/csv/read.ts";
import type { Deps } from "#src/deps.ts";
import type { Reading } from "./sheet-pages.ts";
import { PAGE_ROWS } from "./sheet-pages.ts";
import { columnsOf, fingerprint } from "./sheet-plan.ts";
import { takeSheetRows } from "./sheet-rows.ts";

/** Of one run, which the queue waits for; Google takes its time to make the file. */
const EXPORT_MS = 120_000;

/** Reads the public export from its first row, since it has no way to resume in the middle; at most so many rows. */
export async function readExport(deps: Deps, begun: SheetImport, most: number): Promise<Reading> {
  const { spreadsheetId, gid, plan } = begun;
  const columns = columnsOf(plan);
  const { csv } = await deps.sheets.openPublic(spreadsheetId, gid, EXPORT_MS);
  let at = begun;
  let page: string[][] = [];
  const flush = async (): Promise<boolean> => {
    const first = at.cursor.nextRow;
    const cursor = { ...at.cursor, nextRow: first + page.length };
    const leads = takeSheetRows(at.tally, columns, page, first);
    const now = deps.clock.now();
    const saved = await saveSheetPage(deps.db, at, { cursor, tally: at.tally, leads, now });
    page = [];
    if (saved !== undefined) at = saved;
    return saved !== undefined;
  };

  let isHeader = true;
  for await (const records of readCsv(csv, ",")) {
    for (const { cells } of records) {
      if (isHeader) {
        isHeader = false;
        if ((await fingerprint(cells.slice(0, plan.labels.length))) === plan.header) continue;
        return { import: at, end: "changed" };
      }
      page.push(cells);
      if (page.length < PAGE_ROWS) continue;
      if (!(await flush())) return { end: "overtaken" };
      if (at.cursor.nextRow - 2 > most) return { import: at, end: "more" };
    }
  }
  if (page.length > 0 && !(await flush())) return { end: "overtaken" };
  return { import: at, end: "read" };
}
