import type { ColumnMapping } from "#db/schema/index.ts";
import { unprocessable } from "#src/errors.ts";
import { type Column, planColumns } from "./columns.ts";

/** The target of each column. Throws a 422 that names the columns found where none identifies a lead. */
export function chooseColumns(
  labels: string[],
  known: ColumnMapping,
  mapping: ColumnMapping,
): Column[] {
  requireMapped(labels, mapping);
  const columns = planColumns(labels, { ...known, ...mapping });
  if (typeof columns === "string") throw unprocessable("VALIDATION_ERROR", columns);
  const identifies = columns.some(
    ({ target }) =>
      target.kind === "field" && (target.field === "email" || target.field === "profile_url"),
  );
  if (!identifies) throw missingColumns(labels);
  return columns;
}

/** Throws a 422 where the mapping names what is not there. */
export function requireMapped(labels: readonly string[], mapping: ColumnMapping): void {
  const same = (label: string) => label.trim().toLowerCase();
  const found = new Set(labels.map(same));
  const unknown = Object.keys(mapping).filter((label) => !found.has(same(label)));
  if (unknown.length > 0)
    throw unprocessable(
      "VALIDATION_ERROR",
      `The mapping names columns that are not there: ${unknown.slice(0, 10).join(", ")}. Found: ${inWords(labels)}.`,
    );
}

/** The 422 for a table without a column to reach a lead by. */
export const missingColumns = (labels: readonly string[]) =>
  unprocessable(
    "MISSING_COLUMNS",
    `No column holds an email or a profile_url. Found: ${inWords(labels)}. Name the columns in the first line, or say what they are with a mapping.`,
    { detail: { columns: labels.slice(0, 500) } },
  );

const inWords = (labels: readonly string[]): string =>
  labels.length === 0
    ? "no columns at all"
    : labels
        .slice(0, 40)
        .map((label) => `"${label.slice(0, 60)}"`)
        .join(", ");
