import { campaignClickStats } from "#db/tracking.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { notFound } from "#src/errors.ts";

export async function readClickStats(deps: Deps, { workspaceId }: Principal, campaignId: string) {
  const stats = await campaignClickStats(deps.db, workspaceId, campaignId);
  if (stats === undefined) throw notFound("Campaign");
  const rate = (count: number) =>
    stats.totalSent === 0 ? 0 : Math.round((10_000 * count) / stats.totalSent) / 100;
  return { ...stats, clickRate: rate(stats.clickedCount), openRate: rate(stats.openedCount) };
}
