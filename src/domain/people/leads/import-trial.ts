import { weighLeads } from "#db/people/lead-imports.ts";
import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { cutText, keyOf } from "./columns.ts";
import { requireDataset } from "./datasets.ts";
import { type ImportReport, reportOf, type Source, withErased } from "./import-leads.ts";
import { emptyTally, SAMPLE_LENGTH, SAMPLED_ROWS, takeRow } from "./import-tally.ts";

/** What a column would become, and what its first rows hold. */
export interface TriedColumn {
  header: string;
  /** A field of a lead, `custom.<key>`, or null for what is left out. */
  guess: string | null;
  samples: string[];
}

export interface ImportTrial extends ImportReport {
  columns: TriedColumn[];
}

const SAMPLES = 3;
/** Rows whose leads are looked for at a time. */
const PIECE_ROWS = 1000;

/** What an import would do now, from its first row to its last; nothing of it is kept. */
export async function tryImport(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  openSource: () => Promise<Source>,
  mapping: ColumnMapping,
): Promise<ImportTrial> {
  const dataset = await requireDataset(deps, principal, datasetId);
  const source = await openSource();
  const { columns, rows: pieces } = source.open(dataset.mapping, mapping);
  const tally = emptyTally();
  const samples: Set<string>[] = [];
  const seen = new Set<string>();
  const counts = { created: 0, updated: 0, duplicate: 0, erased: [] as number[] };
  let waiting: { place: number; identityKey: string; emailKey: string | null }[] = [];
  const weigh = async () => {
    if (waiting.length === 0) return;
    const of = { workspaceId: principal.workspaceId, datasetId };
    const { known, erased } = await weighLeads(deps.db, of, waiting);
    for (const { place, identityKey, emailKey } of waiting) {
      if (emailKey !== null && erased.has(emailKey)) counts.erased.push(place);
      else if (seen.has(identityKey)) counts.duplicate += 1;
      else counts[known.has(identityKey) ? "updated" : "created"] += 1;
      if (emailKey === null || !erased.has(emailKey)) seen.add(identityKey);
    }
    waiting = [];
  };
  for await (const rows of pieces) {
    for (const row of rows) {
      const staged = takeRow(tally, row);
      if (tally.total <= SAMPLED_ROWS) keepSamples(samples, row.texts());
      if (staged === null) continue;
      const { identityKey, emailKey } = staged.lead;
      waiting.push({ place: staged.place, identityKey, emailKey });
      if (waiting.length >= PIECE_ROWS) await weigh();
    }
  }
  await weigh();
  return {
    ...reportOf(withErased(tally, counts), counts),
    columns: columns.map(({ label, target }, index) => ({
      header: label,
      guess: keyOf(target),
      samples: [...(samples[index] ?? [])],
    })),
  };
}

function keepSamples(samples: Set<string>[], texts: (string | null)[]): void {
  for (const [index, text] of texts.entries()) {
    const ofColumn = (samples[index] ??= new Set());
    if (text !== null && ofColumn.size < SAMPLES) ofColumn.add(cutText(text, SAMPLE_LENGTH));
  }
}
