import { campaignsUsing, usesDataset } from "#db/campaigns/uses.ts";
import {
  type DatasetRow,
  deleteDataset,
  getDataset,
  insertDataset,
  listDatasets,
  updateDataset,
} from "#db/datasets.ts";
import type { ColumnMapping } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict, notFound } from "#src/errors.ts";

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

export async function requireDataset(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<Dataset> {
  const found = await getDataset(deps.db, workspaceId, id, deps.clock.now());
  if (found === undefined) throw notFound("Dataset");
  return found;
}

export function createDataset(
  deps: Deps,
  { workspaceId, userId }: Principal,
  name: string,
): Promise<Dataset> {
  const owner = { id: deps.ids.uuid(), workspaceId, userId, now: deps.clock.now() };
  return insertDataset(deps.db, owner, name);
}

export async function changeDataset(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
  change: { name?: string; mapping?: ColumnMapping },
): Promise<Dataset> {
  const updated = await updateDataset(deps.db, workspaceId, id, change, deps.clock.now());
  if (updated === undefined) throw notFound("Dataset");
  return updated;
}

/** Deletes its leads with it; campaigns of the past keep their records. */
export async function removeDataset(
  deps: Deps,
  { workspaceId }: Principal,
  id: string,
): Promise<void> {
  if (await deleteDataset(deps.db, workspaceId, id, deps.clock.now())) return;
  const users = await campaignsUsing(deps.db, workspaceId, usesDataset(id));
  if (users.length === 0) throw notFound("Dataset");
  throw conflict("IN_USE", "Campaigns under way use this dataset; end or delete them first.", {
    detail: { campaign_ids: users },
  });
}
