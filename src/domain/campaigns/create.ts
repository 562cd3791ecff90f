import { type Campaign, insertCampaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type CampaignConfig, requireReferences } from "./config.ts";
import { fillSteps, referencesOf } from "./steps.ts";

/** The cursor of a launch that has read no row yet: below every row index. */
export const BEFORE_FIRST_ROW = -1;

/**
 * A draft; nothing is sent before it is launched. A connected account is not
 * looked up: the launch checks it, and says what is missing.
 */
export async function createCampaign(
  deps: Deps,
  { workspaceId, userId }: Principal,
  config: CampaignConfig,
): Promise<Campaign> {
  const steps = fillSteps(config.steps, config.type);
  const aliasIds = config.aliasIds === null ? null : [...new Set(config.aliasIds)];
  await requireReferences(deps, workspaceId, {
    datasetId: config.datasetId,
    aliasIds: aliasIds ?? [],
    ...referencesOf(steps),
  });
  const now = deps.clock.now();
  const row = await insertCampaign(deps.db, {
    ...config,
    steps,
    aliasIds,
    id: deps.ids.uuid(),
    workspaceId,
    userId,
    status: "draft",
    configVersion: 1,
    launchCursor: BEFORE_FIRST_ROW,
    scheduleGeneration: 0,
    used: 0,
    usedNew: 0,
    createdAt: now,
    updatedAt: now,
  });
  return { ...row, processedLeads: 0 };
}
