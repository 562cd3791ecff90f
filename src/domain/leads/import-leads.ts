import {
  dropStagedLeads,
  dropStaleImports,
  type ImportCounts,
  type StagedLead,
  stageLeads,
  takeOverImport,
} from "#db/lead-imports.ts";
import type { ColumnMapping, DatasetSource } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { type Column, describeColumns, planColumns } from "./columns.ts";
import { requireDataset } from "./datasets.ts";
import { type RawLead, readLead } from "./read-lead.ts";

export const IMPORT_LIMITS = {
  rows: 250_000,
  /** Rejected rows that a report names; it counts all of them. */
  rejections: 1000,
};
const CHUNK_ROWS = 1000;
const CHUNK_CHARACTERS = 1024 * 1024;
/** Far longer than any invocation lives. */
const STALE_MS = 3_600_000;
/** Columns are described by what the first rows hold. */
const SAMPLED_ROWS = 200;

export interface Rejection {
  /** Which data row of the file or list it is, counted from 1; neither the header nor blank lines count. */
  row_index: number;
  code: string;
  message: string;
}

export interface ImportReport extends ImportCounts {
  total: number;
  rejected: number;
  rejections: Rejection[];
}

/** A row as its source understands it. */
export type SourceRow = {
  /** How a message names the place, e.g. `Line 12`. */
  where: string;
  /** Characters, for the size of chunks. */
  size: number;
  /** The first text of each column, for the dataset's description. */
  texts(): (string | null)[];
} & ({ raw: RawLead } | { fault: { code: string; message: string } });

/** Rows of an import in pieces, known once the header is. */
export interface Source {
  kind: DatasetSource;
  labels: string[];
  rows(columns: Column[]): AsyncIterable<SourceRow[]>;
}

/**
 * Imports all usable rows of the source, or none at all if reading breaks off:
 * rows are put aside in chunks as they come, and one transaction takes them over.
 * A row that cannot be used is named in the report. Safe to repeat.
 */
export async function importLeads(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  openSource: () => Promise<Source>,
  mapping: ColumnMapping,
): Promise<ImportReport> {
  const { workspaceId, userId } = principal;
  const dataset = await requireDataset(deps, principal, datasetId);
  await dropStaleImports(deps.db, new Date(deps.clock.now().getTime() - STALE_MS));

  const importId = deps.ids.uuid();
  try {
    const source = await openSource();
    const columns = columnsOf(source.labels, dataset.mapping, mapping);
    const staged = await stageRows(deps, { importId, datasetId }, source.rows(columns));
    const counts = await takeOverImport(deps.db, {
      importId,
      workspaceId,
      userId,
      datasetId,
      chunks: staged.chunks,
      columns: describeColumns(columns, staged.samples),
      mapping,
      source: source.kind,
      now: deps.clock.now(),
    });
    if (counts === null) throw notFound("Dataset");
    const { total, rejected, rejections } = staged;
    return { total, ...counts, rejected, rejections };
  } catch (error) {
    deps.background(dropStagedLeads(deps.db, importId));
    throw error;
  }
}

/** What each column becomes. Throws a 422 that names what was found where no column says who a lead is. */
function columnsOf(labels: string[], known: ColumnMapping, mapping: ColumnMapping): Column[] {
  const same = (label: string) => label.trim().toLowerCase();
  const found = new Set(labels.map(same));
  const unknown = Object.keys(mapping).filter((label) => !found.has(same(label)));
  const inWords = labels.map((label) => `"${label.slice(0, 60)}"`).slice(0, 40);
  const foundText = labels.length === 0 ? "no columns at all" : inWords.join(", ");
  if (unknown.length > 0)
    throw unprocessable(
      "VALIDATION_ERROR",
      `The mapping names columns that are not there: ${unknown.slice(0, 10).join(", ")}. Found: ${foundText}.`,
    );
  const columns = planColumns(labels, { ...known, ...mapping });
  if (typeof columns === "string") throw unprocessable("VALIDATION_ERROR", columns);
  const identifies = columns.some(
    ({ target }) =>
      target.kind === "field" && (target.field === "email" || target.field === "profile_url"),
  );
  if (!identifies)
    throw unprocessable(
      "MISSING_COLUMNS",
      `No column holds an email or a profile_url. Found: ${foundText}. Name the columns in the first line, or say what they are with a mapping.`,
      { detail: { columns: labels.slice(0, 500) } },
    );
  return columns;
}

interface Staged {
  chunks: number;
  total: number;
  rejected: number;
  rejections: Rejection[];
  samples: (string | null)[];
}

async function stageRows(
  deps: Deps,
  target: { importId: string; datasetId: string },
  pieces: AsyncIterable<SourceRow[]>,
): Promise<Staged> {
  const staged: Staged = { chunks: 0, total: 0, rejected: 0, rejections: [], samples: [] };
  let leads: StagedLead[] = [];
  let characters = 0;
  const flush = async () => {
    if (leads.length === 0) return;
    const chunk = { ...target, chunk: staged.chunks, now: deps.clock.now() };
    await stageLeads(deps.db, chunk, leads);
    staged.chunks += 1;
    leads = [];
    characters = 0;
  };

  for await (const rows of pieces) {
    for (const row of rows) {
      staged.total += 1;
      if (staged.total > IMPORT_LIMITS.rows) throw tooManyRows();
      if (staged.total <= SAMPLED_ROWS) sample(staged.samples, row.texts());
      const read = "raw" in row ? readLead(row.raw) : { ok: false as const, ...row.fault };
      if (!read.ok) {
        reject(staged, read, row.where);
        continue;
      }
      leads.push({ place: staged.total, lead: read.lead });
      characters += row.size;
      if (leads.length >= CHUNK_ROWS || characters >= CHUNK_CHARACTERS) await flush();
    }
  }
  await flush();
  return staged;
}

export const tooManyRows = () =>
  unprocessable(
    "TOO_MANY_ROWS",
    `One import takes at most ${IMPORT_LIMITS.rows} rows; split the file.`,
  );

function sample(samples: (string | null)[], texts: (string | null)[]): void {
  for (const [index, text] of texts.entries()) samples[index] ??= text;
}

function reject(staged: Staged, fault: { code: string; message: string }, where: string): void {
  staged.rejected += 1;
  if (staged.rejections.length >= IMPORT_LIMITS.rejections) return;
  const { code, message } = fault;
  staged.rejections.push({ row_index: staged.total, code, message: `${where}: ${message}` });
}
