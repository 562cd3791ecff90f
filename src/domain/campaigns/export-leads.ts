import { type LeadPlace, listCampaignLeads, placeOf } from "#db/campaigns/lead-list.ts";
import type { CampaignLead } from "#db/campaigns/leads.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { csvLine } from "#src/csv/writer.ts";
import { requireCampaign } from "./read.ts";

const PAGE_ROWS = 1000;

const COLUMNS: Record<string, (lead: CampaignLead) => string | null> = {
  row_index: (lead) => String(lead.rowIndex),
  email: (lead) => lead.email,
  profile_url: (lead) => lead.profileUrl,
  status: (lead) => lead.status,
  current_step: (lead) => String(lead.currentStep),
  next_step: (lead) => (lead.nextStep === null ? null : String(lead.nextStep)),
  next_action_at: (lead) => lead.nextActionAt?.toISOString() ?? null,
  stop_reason: (lead) => lead.stopReason,
  last_error: (lead) => lead.lastError,
  hold_reason: (lead) => lead.holdReason,
  hold_until: (lead) => lead.holdUntil?.toISOString() ?? null,
  timezone: (lead) => lead.timezone,
  alias_id: (lead) => (lead.aliasId === lead.connectedAccountId ? null : lead.aliasId),
  connected_account_id: (lead) => lead.connectedAccountId,
  campaign_lead_id: (lead) => lead.id,
  lead_id: (lead) => lead.leadId,
  dataset_id: (lead) => lead.datasetId,
};

/** Where each lead of a campaign stands, as CSV in dataset order. Throws before the first piece if there is no such campaign. */
export async function exportCampaignLeads(
  deps: Deps,
  principal: Principal,
  campaignId: string,
): Promise<AsyncGenerator<string>> {
  await requireCampaign(deps, principal, campaignId);
  return writeLeads(deps, principal, campaignId);
}

async function* writeLeads(
  deps: Deps,
  { workspaceId }: Principal,
  campaignId: string,
): AsyncGenerator<string> {
  const read = Object.values(COLUMNS);
  yield csvLine(Object.keys(COLUMNS));
  const order = "row_index";
  let after: LeadPlace | undefined;
  for (;;) {
    const page = { order, after, limit: PAGE_ROWS } as const;
    const found = await listCampaignLeads(deps.db, workspaceId, campaignId, page);
    const rows = found?.rows.slice(0, PAGE_ROWS) ?? [];
    yield rows.map((lead) => csvLine(read.map((cell) => cell(lead)))).join("");
    if (found === undefined || found.rows.length <= PAGE_ROWS) return;
    after = placeOf(rows.at(-1)!, order);
  }
}
