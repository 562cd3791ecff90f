import type { Deps, Principal } from "#src/deps.ts";
import { type Charge, chargeForEach, settleFirst } from "#src/domain/billing/credits/charge.ts";
import { requireDataset } from "#src/domain/people/leads/datasets.ts";
import {
  type Import,
  importLeads,
  type ImportReport,
} from "#src/domain/people/leads/import-leads.ts";
import { importRows } from "#src/domain/people/leads/import-rows.ts";
import { findAffordable } from "./search.ts";

/** So many of a tag are ranked; what lies behind them is no better than chance. */
export const MOST_PROSPECTS = 1_000;

/** Takes the best prospects of the tags into the dataset. Each new lead costs a credit; one that the dataset has already costs none. */
export async function importProspects(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  { prospect_tags: tags, limit }: { prospect_tags: string[]; limit: number },
): Promise<ImportReport> {
  await requireDataset(deps, principal, datasetId);
  const found = await findAffordable(deps, principal, { tags, limit });
  const refIds = found.map(() => deps.ids.uuid());
  const rows = found.map(({ profileUrl, fullName, company, title, location, tags: all }) => ({
    profile_url: profileUrl,
    full_name: fullName,
    company,
    title,
    location,
    tags: all,
  }));
  const charge: Charge = { workspaceId: principal.workspaceId, refType: "prospect_found", refIds };
  const take: Import<ImportReport> = (...order) =>
    importLeads(...order, (created) => settleFirst(deps, charge, created));
  return chargeForEach(deps, principal, charge, async () => ({
    spent: "settled",
    value: await importRows(take, deps, principal, datasetId, rows, {}, "prospects"),
  }));
}
