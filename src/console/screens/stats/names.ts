import { useQuery } from "../../api/use.ts";
import type { StatsBy } from "../../pure/stats-rows.ts";

const MOST = { query: { limit: 200 } };

/** What ids of campaigns and senders are called; what is deleted has its id alone. */
export function useNames(by: StatsBy): (key: string) => string {
  const campaigns = useQuery("listCampaigns", by === "campaign" ? MOST : null);
  const aliases = useQuery("listMailAliases", by === "alias" ? MOST : null);
  const accounts = useQuery("listConnectedAccounts", by === "alias" ? MOST : null);
  const names = new Map<string, string>([
    ...(campaigns.data?.items ?? []).map((each) => [each.campaign_id, each.name] as const),
    ...(aliases.data?.items ?? []).map((each) => [each.id, each.email] as const),
    ...(accounts.data?.items ?? []).map((each) => [each.id, each.display_name] as const),
  ]);
  if (by === "domain") return (key) => key || "networks, and aliases that are gone";
  return (key) => names.get(key) ?? key;
}
