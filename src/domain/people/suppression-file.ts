import { type SuppressionRow, listSuppressions } from "#db/people/suppressions.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { CsvFault } from "#src/csv/fault.ts";
import type { CsvRecord } from "#src/csv/reader.ts";
import { csvLine, withoutApostrophe } from "#src/csv/writer.ts";
import { readCsv } from "#src/csv/read.ts";
import {
  importSuppressions,
  type SuppressionImportReport,
  type SuppressionInput,
} from "./suppression-import.ts";
import { suppressedValue } from "./suppressions.ts";

const PAGE_ROWS = 1000;

/** The names that other programs give to the column of values: of several, the first of these is read. */
const VALUE_HEADERS = [/^value$/, /\be ?mail( address)?$/, /^address$/, /^domain$/];
const HEADERS = new Map<string, keyof SuppressionInput>(
  Object.entries({
    kind: "kind",
    type: "kind",
    reason: "reason",
    expires_at: "expiresAt",
  }),
);

type Column = keyof SuppressionInput | "domain" | undefined;

/** Imports a CSV file of addresses and domains while it arrives; one without a header has them in its first column. */
export async function importSuppressionFile(
  deps: Deps,
  principal: Principal,
  bytes: AsyncIterable<Uint8Array>,
): Promise<SuppressionImportReport> {
  try {
    return await importSuppressions(deps, principal, readWishes(bytes));
  } catch (error) {
    if (error instanceof CsvFault) throw unprocessable(error.code, error.message);
    throw error;
  }
}

async function* readWishes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SuppressionInput[]> {
  let columns: Column[] | null = null;
  for await (const piece of readCsv(bytes)) {
    const records = piece.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
    if (columns === null && records.length > 0) {
      const [first] = records as [CsvRecord];
      columns = columnsOf(first.cells.map((label) => label.trim().toLowerCase()));
      if (columns.includes("value")) records.shift();
      else if (suppressedValue(first.cells[0]!) !== null) columns = ["value"];
      else
        throw unprocessable(
          "VALIDATION_ERROR",
          "The file has no column named value, email or domain; name the column of addresses so.",
        );
    }
    yield records.map(({ cells }) => toWish(columns!, cells));
  }
  if (columns === null) throw unprocessable("EMPTY_FILE", "The file is empty.");
}

/**
 * One column is the value: beside a person's address, their domain or their street is not who is to be suppressed. A row
 * that has no address has its domain.
 */
function columnsOf(labels: string[]): Column[] {
  const words = labels.map((label) => label.replaceAll(/[\s_-]+/g, " "));
  const header = VALUE_HEADERS.find((name) => words.some((label) => name.test(label)));
  const valueAt = header === undefined ? -1 : words.findIndex((label) => header.test(label));
  return labels.map((label, at) => {
    if (at === valueAt) return "value";
    return valueAt !== -1 && label === "domain" ? "domain" : HEADERS.get(label);
  });
}

function toWish(columns: Column[], cells: string[]): SuppressionInput {
  const wish: SuppressionInput = { value: "" };
  let domain = "";
  for (const [index, column] of columns.entries()) {
    const text = withoutApostrophe(cells[index] ?? "").trim();
    if (column === undefined || text === "") continue;
    if (column === "domain") domain = text;
    else wish[column] = text;
  }
  return wish.value === "" ? { ...wish, value: domain } : wish;
}

const CELLS: Record<string, (row: SuppressionRow) => string | null> = {
  value: (row) => row.value,
  kind: (row) => row.kind,
  reason: (row) => row.reason,
  expires_at: (row) => row.expiresAt?.toISOString() ?? null,
  created_at: (row) => row.createdAt.toISOString(),
  source_campaign_id: (row) => row.sourceCampaignId,
};

/** Everything that is suppressed, as CSV that can be imported again. Erased values, of which only the hash is left, are not in it. */
export async function* exportSuppressions(
  deps: Deps,
  { workspaceId }: Principal,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(CELLS));
  let after: string | undefined;
  for (;;) {
    const found = await listSuppressions(deps.db, workspaceId, {}, { after, limit: PAGE_ROWS });
    const rows = found.slice(0, PAGE_ROWS);
    yield rows
      .filter(({ value }) => value !== null)
      .map((row) => csvLine(Object.values(CELLS).map((cell) => cell(row))))
      .join("");
    if (found.length <= PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}
