import * as z from "zod";
import {
  beginSheetImport,
  findSheetImport,
  lastSheetImport,
  type SheetImport,
  stalledSheetImports,
} from "#db/people/sheet-imports.ts";
import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";
import { define, oneByOne, wakeUp } from "#src/domain/job.ts";
import { newOwned } from "#src/domain/owned.ts";
import { requireDataset } from "./datasets.ts";
import { type ImportReport, reportOf, withErased } from "./import-leads.ts";
import { emptyTally } from "./import-tally.ts";
import { type RunLimits, runSheetImport, type SheetRun } from "./sheet-job.ts";
import { planSheet } from "./sheet-plan.ts";
import type { SheetRef } from "./sheet-url.ts";

export type { SheetImport };

const IMPORT_SHEET = "import-sheet";

/** So many rows beside the header are read while the caller waits; a larger grid by the queue. */
const AWAITED_ROWS = 5_000;
const AWAITED: RunLimits = { reads: 4, exportRows: AWAITED_ROWS };
/** 15,000 rows are 1 s of CPU; an export has to be read at one go, 250,000 rows are 13 s. */
const QUEUED: RunLimits = { reads: 6, exportRows: Infinity };

/** An import that has not moved for this long has lost its run. */
const STALLED_MS = 5 * 60_000;

export interface SheetOrder extends SheetRef {
  url: string;
  mapping: ColumnMapping;
}

/**
 * Imports a sheet: answers the report of a small one, or else the import that goes on in the queue. All usable rows are
 * taken over at once, or none.
 */
export async function importSheet(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  { url, spreadsheetId, gid, mapping }: SheetOrder,
): Promise<{ report: ImportReport } | { underWay: SheetImport }> {
  const dataset = await requireDataset(deps, principal, datasetId);
  const planned = await planSheet(deps, { spreadsheetId, gid }, dataset.mapping, mapping);
  const order = {
    datasetId,
    sourceUrl: url,
    spreadsheetId,
    gid,
    mapping,
    ...planned,
    tally: emptyTally(),
  };
  const stalledBefore = new Date(deps.clock.now().getTime() - STALLED_MS);
  const begun = await beginSheetImport(deps.db, newOwned(deps, principal), order, stalledBefore);
  if (begun === undefined) throw inProgress();
  const { tab } = planned.plan;
  if (tab !== null && tab.rows - 1 > AWAITED_ROWS) {
    await queue(deps, begun);
    return { underWay: begun };
  }
  return answerOf(deps, begun.id, await runAndQueue(deps, begun.id, AWAITED));
}

const inProgress = () =>
  conflict(
    "IMPORT_IN_PROGRESS",
    "A sheet is being imported into this dataset; wait until it is done.",
  );

async function answerOf(deps: Deps, id: string, run: SheetRun) {
  switch (run.kind) {
    case "done":
      return { report: reportOf(withErased(run.import.tally, run.counts), run.counts) };
    case "failed":
      throw run.error;
    case "more":
    case "waits":
      return { underWay: run.import };
    case "superseded": {
      const now = await findSheetImport(deps.db, id);
      if (now === undefined) throw inProgress();
      return { underWay: now };
    }
  }
}

export async function runQueuedImport(deps: Deps, id: string): Promise<SheetRun["kind"]> {
  return (await runAndQueue(deps, id, QUEUED)).kind;
}

async function runAndQueue(deps: Deps, id: string, limits: RunLimits): Promise<SheetRun> {
  const run = await runSheetImport(deps, id, limits);
  if (run.kind === "more") await queue(deps, run.import);
  if (run.kind === "waits") await queue(deps, run.import, run.seconds);
  return run;
}

/** Asks for the next run of an import. */
function queue(deps: Deps, { id, version }: SheetImport, seconds = 0): Promise<void> {
  const now = deps.clock.now().getTime();
  return wakeUp(deps, {
    callback: IMPORT_SHEET,
    payload: { import_id: id, version: 1 },
    deduplicationId: `sheet-${id}-${version}-${now}`,
    ...(seconds === 0 ? {} : { notBefore: new Date(now + seconds * 1000) }),
  });
}

export const importQueued = define(IMPORT_SHEET, {
  payload: z.object({ import_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { import_id }) => runQueuedImport(deps, import_id),
  lost: {
    afterMs: STALLED_MS,
    find: ({ db }, before) => stalledSheetImports(db, before, 100),
    requeue: oneByOne((deps, each: SheetImport) => queue(deps, each)),
  },
});

/** The dataset's last import of a sheet, or the one under way. */
export async function requireSheetImport(
  deps: Deps,
  principal: Principal,
  datasetId: string,
): Promise<SheetImport> {
  await requireDataset(deps, principal, datasetId);
  const found = await lastSheetImport(deps.db, principal.workspaceId, datasetId);
  if (found === undefined) throw notFound("Import");
  return found;
}
