import type { ListedCampaign } from "../../api/schema.ts";
import { confirm } from "../../parts/confirm.tsx";
import { count } from "../../pure/words.ts";

type Deletable = Pick<ListedCampaign, "name" | "status" | "total_leads" | "summary"> & {
  lead_counts?: { total: number };
  stats?: { rows: { sent: number }[] };
};

/** A deletion names what goes with it, and what stays. */
export function askToDelete(campaign: Deletable): Promise<boolean> {
  const leads = campaign.lead_counts?.total ?? campaign.total_leads ?? 0;
  const sent =
    campaign.summary?.sent ?? campaign.stats?.rows.reduce((sum, row) => sum + row.sent, 0) ?? 0;
  return confirm({
    title: `Delete ${campaign.name}?`,
    body: "Its leads stay in their dataset, and what was sent stays on record.",
    facts: [
      ["People in it", count(leads, "person", "people")],
      ["Sent so far", count(sent, "message")],
    ],
    confirm: `Delete: ${count(leads, "person", "people")}, ${count(sent, "message")}`,
    isDangerous: true,
  });
}
