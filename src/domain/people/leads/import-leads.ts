import {
  dropStagedLeads,
  dropStaleImports,
  ERASED,
  type ImportCounts,
  type ImportTakeover,
  type StagedLead,
  stageLeads,
  takeOverImport,
} from "#db/people/lead-imports.ts";
import type { ColumnMapping, DatasetSource, ImportTally } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";
import { type Column, describeColumns } from "./columns.ts";
import { requireDataset } from "./datasets.ts";
import { emptyTally, type SourceRow, takeRow } from "./import-tally.ts";

const CHUNK_ROWS = 1000;
const CHUNK_CHARACTERS = 1024 * 1024;
/** Far longer than any invocation lives. */
const STALE_MS = 3_600_000;
export type ImportReport = Omit<ImportCounts, "erased"> & Omit<ImportTally, "samples">;

/** The rows and columns that an import reads. */
export interface Source {
  kind: DatasetSource;
  /** Throws the 422 that says why the rows cannot be read by this. */
  open(known: ColumnMapping, mapping: ColumnMapping): OpenSource;
}

export interface OpenSource {
  /** All of them when all rows are read; a row's texts follow their order. */
  columns: readonly Column[];
  /** In pieces. */
  rows: AsyncIterable<SourceRow[]>;
}

/** What is done with a source's rows: `importLeads`, or `tryImport`. */
export type Import<Report> = (
  deps: Deps,
  principal: Principal,
  datasetId: string,
  openSource: () => Promise<Source>,
  mapping: ColumnMapping,
) => Promise<Report>;

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
  besides?: ImportTakeover["besides"],
): Promise<ImportReport> {
  const { workspaceId, userId } = principal;
  const dataset = await requireDataset(deps, principal, datasetId);
  await dropStaleImports(deps.db, new Date(deps.clock.now().getTime() - STALE_MS));

  const importId = deps.ids.uuid();
  try {
    const source = await openSource();
    const { columns, rows } = source.open(dataset.mapping, mapping);
    const staged = await stageRows(deps, { importId, datasetId }, rows);
    const counts = await takeOverImport(deps.db, {
      importId,
      workspaceId,
      userId,
      datasetId,
      chunks: staged.chunks,
      columns: describeColumns(columns, staged.tally.samples),
      mapping,
      source: source.kind,
      sourceUrl: null,
      now: deps.clock.now(),
      besides,
    });
    if (counts === null) throw notFound("Dataset");
    return reportOf(withErased(staged.tally, counts), counts);
  } catch (error) {
    deps.background(dropStagedLeads(deps.db, importId));
    throw error;
  }
}

/** Rows of erased people are refused when the import is committed, and reported with the other refused rows. */
export function withErased(tally: ImportTally, { erased }: ImportCounts): ImportTally {
  const { code, message, named } = ERASED;
  const refused = erased.slice(0, named).map((place) => ({ row_index: place, code, message }));
  return {
    ...tally,
    rejected: tally.rejected + erased.length,
    rejections: [...tally.rejections, ...refused],
  };
}

export function reportOf(
  tally: ImportTally,
  counts: Pick<ImportCounts, "created" | "updated" | "duplicate">,
): ImportReport {
  const { total, rejected, rejections } = tally;
  const { created, updated, duplicate } = counts;
  return { total, created, updated, duplicate, rejected, rejections };
}

interface Staged {
  chunks: number;
  tally: ImportTally;
}

async function stageRows(
  deps: Deps,
  target: { importId: string; datasetId: string },
  pieces: AsyncIterable<SourceRow[]>,
): Promise<Staged> {
  const tally = emptyTally();
  let chunks = 0;
  let leads: StagedLead[] = [];
  let characters = 0;
  const flush = async () => {
    if (leads.length === 0) return;
    await stageLeads(deps.db, { ...target, chunk: chunks, now: deps.clock.now() }, leads);
    chunks += 1;
    leads = [];
    characters = 0;
  };

  for await (const rows of pieces) {
    for (const row of rows) {
      const lead = takeRow(tally, row);
      if (lead === null) continue;
      leads.push(lead);
      characters += row.size();
      if (leads.length >= CHUNK_ROWS || characters >= CHUNK_CHARACTERS) await flush();
    }
  }
  await flush();
  return { chunks, tally };
}
