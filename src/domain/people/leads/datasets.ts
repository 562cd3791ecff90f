import {
  type DatasetRow,
  deleteDataset,
  getDataset,
  insertDataset,
  listDatasets,
  updateDataset,
} from "#db/people/datasets.ts";
import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { newOwned, removes, requireFound, requires } from "#src/domain/owned.ts";

export type Dataset = DatasetRow;

/** One more than `limit`, if there are that many, so that the caller sees whether there is a next page. */
export function pageOfDatasets(
  deps: Deps,
  { workspaceId }: Principal,
  page: { before: string | null; limit: number },
): Promise<Dataset[]> {
  const { before, limit } = page;
  return listDatasets(deps.db, workspaceId, { before, limit: limit + 1, now: deps.clock.now() });
}

export const requireDataset = requires("Dataset", getDataset);

export const createDataset = (deps: Deps, principal: Principal, name: string): Promise<Dataset> =>
  insertDataset(deps.db, newOwned(deps, principal), name);

export async function changeDataset(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  change: { name?: string; mapping?: ColumnMapping },
): Promise<Dataset> {
  const updated = await updateDataset(deps.db, workspaceId, id, change, deps.clock.now());
  return requireFound(updated, "Dataset");
}

/** Deletes its leads with it; campaigns of the past keep their records. */
export const removeDataset = removes(
  "Dataset",
  "Campaigns under way use this dataset; end or delete them first.",
  deleteDataset,
);
