import type { Json } from "#db/schema/columns.ts";
import type { ColumnMapping, DatasetSource } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { keyOf, type Target } from "./columns.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import { missingColumns, requireMapped } from "./import-columns.ts";
import type { Import, Source } from "./import-leads.ts";
import { IMPORT_LIMITS, type SourceRow, tooManyRows } from "./import-tally.ts";
import type { RawLead } from "./read-lead.ts";
import { createKeyReader, type KeyReader } from "./row-keys.ts";
import { type ColumnList, createColumnList, scalarText } from "./column-list.ts";

/** Rows that are read before the first of them is put aside. */
const PIECE_ROWS = 1000;

type JsonRow = Record<string, unknown>;

/** Imports objects; each row's keys are understood as a CSV header is, and those of `custom` are custom. */
export function importRows<Report>(
  take: Import<Report>,
  deps: Deps,
  principal: Principal,
  datasetId: string,
  rows: readonly JsonRow[],
  mapping: ColumnMapping,
  kind: DatasetSource = "api",
): Promise<Report> {
  if (rows.length > IMPORT_LIMITS.rows) throw tooManyRows();
  return take(deps, principal, datasetId, async () => openRows(rows.map(flat), kind), mapping);
}

/** `{custom: {size: 3}}` as `{"custom.size": 3}`. */
function flat(row: JsonRow): JsonRow {
  const { custom, ...rest } = row;
  if (typeof custom !== "object" || custom === null || Array.isArray(custom)) return row;
  const inner = Object.entries(custom).map(([key, value]) => [`custom.${key}`, value] as const);
  return { ...rest, ...Object.fromEntries(inner) };
}

/** Each row by its own keys. */
export function openRows(rows: readonly JsonRow[], kind: DatasetSource): Source {
  const labels = distinctKeys(rows);
  return {
    kind,
    open(known, mapping) {
      const keys = createKeyReader({ ...known, ...mapping });
      // Without rows there is nothing to complain of.
      if (rows.length > 0) {
        requireMapped(labels, mapping);
        if (!labels.some(keys.identifies)) throw missingColumns(labels);
      }
      const columns = createColumnList();
      return { columns: columns.all, rows: readRows(rows, keys, columns) };
    },
  };
}

function distinctKeys(rows: readonly JsonRow[]): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    for (const key of Object.keys(row)) found.add(key);
    if (found.size > CSV_LIMITS.columns)
      throw unprocessable(
        "TOO_MANY_COLUMNS",
        `The rows have more than ${CSV_LIMITS.columns} different keys.`,
      );
  }
  return [...found];
}

async function* readRows(
  rows: readonly JsonRow[],
  keys: KeyReader,
  columns: ColumnList,
): AsyncGenerator<SourceRow[]> {
  for (let from = 0; from < rows.length; from += PIECE_ROWS)
    yield rows
      .slice(from, from + PIECE_ROWS)
      .map((row, index) => toRow(keys, columns, row, from + index + 1));
}

/** Reads the keys that the row has: sparse rows of many keys cost what they hold. */
function toRow(keys: KeyReader, columns: ColumnList, row: JsonRow, place: number): SourceRow {
  const read = keys.read(Object.keys(row));
  const targets = typeof read === "string" ? new Map<string, Target>() : read;
  columns.note(targets);
  const source = {
    where: `Row ${place}`,
    texts: () => columns.place(targets, row),
  };
  if (typeof read === "string")
    return { ...source, size: () => 0, fault: { code: "DUPLICATE_COLUMN", message: read } };
  const lead = leadOf(targets, row);
  // Asked of what is kept alone: the rest of a row may be nested more deeply than can be written.
  return { ...source, ...lead, size: () => JSON.stringify(lead).length };
}

function leadOf(targets: ReadonlyMap<string, Target>, row: JsonRow) {
  const raw: RawLead = { fields: {}, tags: [], custom: {} };
  for (const [label, target] of targets) {
    const value = row[label];
    if (target.kind === "ignored" || isBlank(value)) continue;
    if (target.kind === "custom") {
      raw.custom[target.key] = value as Json;
      continue;
    }
    const texts = target.field === "tags" ? tagTexts(value) : [scalarText(value)];
    if (texts.includes(null))
      return { fault: { code: "INVALID_TEXT", message: `${keyOf(target)} is not text.` } };
    if (target.field === "tags") raw.tags = texts as string[];
    else raw.fields[target.field] = texts[0]!;
  }
  return { raw };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

function tagTexts(value: unknown): (string | null)[] {
  if (Array.isArray(value)) return value.map(scalarText);
  return typeof value === "string" ? value.split(/[,;|]/) : [null];
}
