import { type Campaign, insertCampaign } from "#db/campaigns/campaigns.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type CampaignConfig, requireReferences } from "./config.ts";
import { fillSteps, referencesOf } from "./steps.ts";

type NewCampaign = Parameters<typeof insertCampaign>[1];

/** The cursor of a launch that has read no row yet: below every row index. */
export const BEFORE_FIRST_ROW = -1;

/** A draft; nothing is sent before it is launched. */
export async function createCampaign(
  deps: Deps,
  { workspaceId, userId }: Principal,
  config: CampaignConfig & { externalId?: string },
): Promise<Campaign> {
  const steps = fillSteps(config.steps, config.type);
  const aliasIds = config.aliasIds === null ? null : [...new Set(config.aliasIds)];
  await requireReferences(deps, workspaceId, {
    datasetId: config.datasetId,
    aliasIds: aliasIds ?? [],
    connectedAccountId: config.connectedAccountId,
    ...referencesOf(steps),
  });
  return insertDraft(deps, { ...config, steps, aliasIds, workspaceId, userId });
}

type DraftConfig = Omit<NewCampaign, "id" | "createdAt" | "updatedAt" | keyof typeof UNTOUCHED>;

/** A draft that has this configuration, and to which nothing has happened. */
export async function insertDraft(deps: Deps, config: DraftConfig): Promise<Campaign> {
  return { ...(await insertCampaign(deps.db, draftOf(deps, config))), processedLeads: 0 };
}

/** The row of such a draft. */
export function draftOf<Config extends DraftConfig>(deps: Deps, config: Config) {
  const now = deps.clock.now();
  return { ...config, ...UNTOUCHED, id: deps.ids.uuid(), createdAt: now, updatedAt: now };
}

/** The columns that tell what happened to a campaign, as a new one has them. */
const UNTOUCHED = {
  status: "draft",
  configVersion: 1,
  launchCursor: BEFORE_FIRST_ROW,
  scheduleGeneration: 0,
  used: 0,
  usedNew: 0,
  totalLeads: null,
  launchJobId: null,
  launchRequestedAt: null,
  launchedAt: null,
  launchError: null,
  pausedReason: null,
  pausedFrom: null,
  reviewedAt: null,
  guardSince: null,
  messagesEndedAt: null,
  playgroundDiscoveryDismissedAt: null,
  openFrom: null,
  openUntil: null,
  openDay: null,
  deletedAt: null,
} as const satisfies Partial<Campaign>;
