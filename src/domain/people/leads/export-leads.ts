import { customKeys, type LeadRow, listLeads } from "#db/people/leads.ts";
import { LEAD_TEXTS } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { exportLabel } from "./columns.ts";
import { csvLine } from "#src/csv/writer.ts";
import { requireDataset } from "./datasets.ts";
import { TEXT_FIELDS } from "./lead-columns.ts";

const PAGE_ROWS = 1000;

/** The dataset as CSV, a page of rows at a time. Throws before the first piece if there is no such dataset. */
export async function exportLeads(
  deps: Deps,
  principal: Principal,
  datasetId: string,
): Promise<AsyncGenerator<string>> {
  await requireDataset(deps, principal, datasetId);
  const keys = await customKeys(deps.db, principal.workspaceId, datasetId);
  return writeLeads(deps, principal, datasetId, keys);
}

async function* writeLeads(
  deps: Deps,
  { workspaceId }: Principal,
  datasetId: string,
  keys: string[],
): AsyncGenerator<string> {
  yield csvLine(["row_index", ...TEXT_FIELDS, "tags", ...keys.map(exportLabel), "verification"]);
  for (let after = 0; ;) {
    const rows = await listLeads(deps.db, workspaceId, datasetId, { after, limit: PAGE_ROWS });
    if (rows.length > 0) yield rows.map((row) => csvLine(cellsOf(row, keys))).join("");
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.rowIndex;
  }
}

function cellsOf(row: LeadRow, keys: string[]): (string | null)[] {
  return [
    String(row.rowIndex),
    row.email,
    ...LEAD_TEXTS.map(({ key }) => row[key]),
    row.tags.length === 0 ? null : row.tags.join(","),
    ...keys.map((key) => jsonCell(row.custom[key])),
    jsonCell(row.verification),
  ];
}

function jsonCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
