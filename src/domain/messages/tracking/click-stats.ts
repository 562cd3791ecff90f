import { campaignClickStats } from "#db/messages/tracking.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireFound } from "#src/domain/owned.ts";

export async function readClickStats(deps: Deps, { workspaceId }: Principal, campaignId: string) {
  const found = await campaignClickStats(deps.db, workspaceId, campaignId);
  const stats = requireFound(found, "Campaign");
  const rate = (count: number) =>
    stats.totalSent === 0 ? 0 : Math.round((10_000 * count) / stats.totalSent) / 100;
  return { ...stats, clickRate: rate(stats.clickedCount), openRate: rate(stats.openedCount) };
}
