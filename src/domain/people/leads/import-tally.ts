import type { StagedLead } from "#db/people/lead-imports.ts";
import type { ImportTally } from "#db/schema/index.ts";
import { unprocessable } from "#src/errors.ts";
import { cutText } from "./columns.ts";
import { type RawLead, readLead } from "./read-lead.ts";

export const IMPORT_LIMITS = {
  rows: 250_000,
  /** Rejected rows that a report names; it counts all of them. */
  rejections: 1000,
};
/** Columns are described by what the first rows hold. */
export const SAMPLED_ROWS = 200;
export const SAMPLE_LENGTH = 200;

/** A row as its source understands it. */
export type SourceRow = {
  /** How a message names the place, e.g. `Line 12`. */
  where: string;
  /** Characters of a row that became a lead, for the size of chunks. */
  size(): number;
  /** The first text of each column, for the dataset's description. */
  texts(): (string | null)[];
} & ({ raw: RawLead } | { fault: { code: string; message: string } });

export const emptyTally = (): ImportTally => ({
  total: 0,
  rejected: 0,
  rejections: [],
  samples: [],
});

/**
 * Counts the row, which is not blank; its number is its place among those, from 0: neither the header nor blank lines
 * count. Returns its lead, or null where it is rejected.
 */
export function takeRow(tally: ImportTally, row: SourceRow): StagedLead | null {
  tally.total += 1;
  if (tally.total > IMPORT_LIMITS.rows) throw tooManyRows();
  if (tally.total <= SAMPLED_ROWS) sample(tally.samples, row.texts());
  const read = "raw" in row ? readLead(row.raw) : { ok: false as const, ...row.fault };
  if (read.ok) return { place: tally.total - 1, lead: read.lead };
  reject(tally, read, row.where);
  return null;
}

export const tooManyRows = () =>
  unprocessable(
    "TOO_MANY_ROWS",
    `One import takes at most ${IMPORT_LIMITS.rows} rows; split the file.`,
  );

function sample(samples: (string | null)[], texts: (string | null)[]): void {
  for (const [index, text] of texts.entries())
    samples[index] ??= text === null ? null : cutText(text, SAMPLE_LENGTH);
}

function reject(tally: ImportTally, fault: { code: string; message: string }, where: string): void {
  tally.rejected += 1;
  if (tally.rejections.length >= IMPORT_LIMITS.rejections) return;
  const { code, message } = fault;
  tally.rejections.push({ row_index: tally.total - 1, code, message: `${where}: ${message}` });
}
