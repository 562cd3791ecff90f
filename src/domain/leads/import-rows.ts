import type { Json } from "#db/schema/columns.ts";
import type { ColumnMapping, DatasetSource } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { type Column, keyOf } from "./columns.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import { importLeads, type ImportReport, type Source } from "./import-leads.ts";
import { IMPORT_LIMITS, type SourceRow, tooManyRows } from "./import-tally.ts";
import type { RawLead } from "./read-lead.ts";

type JsonRow = Record<string, unknown>;

/** Imports objects; their keys are understood as a CSV header is, and those of `custom` are custom. */
export function importRows(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  rows: readonly JsonRow[],
  mapping: ColumnMapping,
  kind: DatasetSource = "api",
): Promise<ImportReport> {
  if (rows.length > IMPORT_LIMITS.rows) throw tooManyRows();
  return importLeads(
    deps,
    principal,
    datasetId,
    async () => openRows(rows.map(flat), kind),
    mapping,
  );
}

/** `{custom: {size: 3}}` as `{"custom.size": 3}`. */
function flat(row: JsonRow): JsonRow {
  const { custom, ...rest } = row;
  if (typeof custom !== "object" || custom === null || Array.isArray(custom)) return row;
  const inner = Object.entries(custom).map(([key, value]) => [`custom.${key}`, value] as const);
  return { ...rest, ...Object.fromEntries(inner) };
}

function openRows(rows: readonly JsonRow[], kind: DatasetSource): Source {
  const found = new Set(rows.flatMap((row) => Object.keys(row)));
  if (found.size > CSV_LIMITS.columns)
    throw unprocessable(
      "TOO_MANY_COLUMNS",
      `The rows have more than ${CSV_LIMITS.columns} different keys.`,
    );
  const labels = [...found];
  return {
    kind,
    // Without rows there is nothing to complain of.
    labels: rows.length === 0 ? ["email"] : labels,
    async *rows(columns: Column[]): AsyncGenerator<SourceRow[]> {
      const byLabel = new Map(columns.map((column) => [column.label, column]));
      yield rows.map((row, index) => toRow(byLabel, row, index + 1));
    },
  };
}

/** Reads the keys that the row has: sparse rows of many keys cost what they hold. */
function toRow(columns: Map<string, Column>, row: JsonRow, place: number): SourceRow {
  const source = {
    where: `Row ${place}`,
    size: JSON.stringify(row).length,
    texts: () => [...columns.keys()].map((label) => scalarText(row[label])),
  };
  const raw: RawLead = { fields: {}, tags: [], custom: {} };
  for (const [label, value] of Object.entries(row)) {
    const { target } = columns.get(label)!;
    if (target.kind === "ignored" || isBlank(value)) continue;
    if (target.kind === "custom") {
      raw.custom[target.key] = value as Json;
      continue;
    }
    const texts = target.field === "tags" ? tagTexts(value) : [scalarText(value)];
    if (texts.includes(null))
      return {
        ...source,
        fault: { code: "INVALID_TEXT", message: `${keyOf(target)} is not text.` },
      };
    if (target.field === "tags") raw.tags = texts as string[];
    else raw.fields[target.field] = texts[0]!;
  }
  return { ...source, raw };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

function tagTexts(value: unknown): (string | null)[] {
  if (Array.isArray(value)) return value.map(scalarText);
  return typeof value === "string" ? value.split(/[,;|]/) : [null];
}

function scalarText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
