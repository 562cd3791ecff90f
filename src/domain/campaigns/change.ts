import { changeCampaign, sentSteps } from "#db/campaigns/change.ts";
import { type Campaign, softDeleteCampaign } from "#db/campaigns/campaigns.ts";
import { sourcesOf } from "#db/base/fragments/transitions.ts";
import type { CampaignStatus, Step } from "#db/schema/index.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { retryWhileChanged } from "#src/domain/owned.ts";
import { conflict, unprocessable } from "#src/errors.ts";
import { enqueuePrefetchFor } from "./enqueue-prefetch.ts";
import { delayPieces } from "./changed-delays.ts";
import { changesPacing, judgeChange, rewrittenSteps, sameValue } from "./change-rules.ts";
import { type CampaignConfig, missingFields, requireReferences } from "./config.ts";
import { armLaunchCheck } from "./launch/messages.ts";
import { requireCampaign } from "./read.ts";
import { fillSteps, referencesOf, stepFaults } from "./steps.ts";
import { windowColumns } from "#src/domain/engine/window-columns.ts";

export type CampaignPatch = Partial<CampaignConfig> & { externalId?: string };
export type Changes = Omit<CampaignPatch, "steps"> & { steps?: Step[] };

/**
 * Changes what the status lets change, else 409 CAMPAIGN_ACTIVE. A field that
 * already has the value counts as not given. A campaign that moves on while the
 * change is judged is judged anew.
 */
export async function patchCampaign(
  deps: Deps,
  principal: Principal,
  id: string,
  patch: CampaignPatch,
): Promise<Campaign> {
  const attempt = async () => changeAsRead(deps, await requireCampaign(deps, principal, id), patch);
  const message = "The campaign kept changing meanwhile; read it and try again.";
  return retryWhileChanged(attempt, "CAMPAIGN_ACTIVE", message);
}

/** Changes a campaign that is still as it was read; undefined where it is not. */
export async function changeAsRead(
  deps: Deps,
  before: Campaign,
  patch: CampaignPatch,
): Promise<Campaign | undefined> {
  const changes = changesOf(before, patch);
  if (Object.keys(changes).length === 0) return before;
  const after = await applyChanges(deps, before, changes);
  if (after?.status === "scheduled" && changes.startDate !== undefined)
    await armLaunchCheck(deps, after);
  if (after !== undefined && (changes.steps ?? changes.unreviewedLaunchPolicy) !== undefined)
    await enqueuePrefetchFor(deps, after);
  return after;
}

/** The fields that would really change, with the steps as they would be stored. */
export function changesOf(before: Campaign, { steps, ...patch }: CampaignPatch): Changes {
  const type = patch.type ?? before.type;
  const faults = stepFaults(steps ?? before.steps, type);
  if (faults.length > 0) {
    const { path, message } = faults[0]!;
    throw unprocessable("VALIDATION_ERROR", `steps.${path.join(".")}: ${message}`);
  }
  const wanted: Changes = {
    ...patch,
    ...(patch.aliasIds == null ? {} : { aliasIds: [...new Set(patch.aliasIds)] }),
    ...(steps === undefined ? {} : { steps: fillSteps(steps, type) }),
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !sameValue(value, before[field as never])),
  );
}

async function applyChanges(
  deps: Deps,
  before: Campaign,
  changes: Changes,
): Promise<Campaign | undefined> {
  const fields = Object.keys(changes) as (keyof Changes)[];
  const { blocked, unsentSteps } = judgeChange(
    before,
    changes,
    await sentOf(deps, before, changes),
  );
  const locked = blocked.filter(({ code }) => code === "FIELD_LOCKED");
  if (locked.length > 0)
    throw campaignActive(
      before.status,
      `${locked.map(({ field }) => wireName(field)).join(", ")} cannot change now.`,
    );
  const [fault] = missingFields({ ...before, ...changes });
  if (fault !== undefined) throw unprocessable("VALIDATION_ERROR", fault.message);
  await requireReferences(deps, before.workspaceId, {
    ...(changes.datasetId === undefined ? {} : { datasetId: changes.datasetId }),
    aliasIds: changes.aliasIds ?? [],
    ...(changes.connectedAccountId === undefined
      ? {}
      : { connectedAccountId: changes.connectedAccountId }),
    ...(changes.steps === undefined ? {} : referencesOf(changes.steps)),
  });

  const [ofSteps] = blocked;
  if (ofSteps !== undefined) throw campaignActive(before.status, ofSteps.reason);
  const now = deps.clock.now();
  const running = before.status === "active" && changesPacing(fields);
  const reschedules = before.status === "scheduled" && changes.startDate !== undefined;
  return changeCampaign(deps.db, {
    before,
    set: {
      ...changes,
      ...(running ? windowColumns({ ...before, ...changes }, now) : {}),
      ...(reschedules ? { scheduleGeneration: before.scheduleGeneration + 1 } : {}),
    },
    unsentSteps,
    rewrittenSteps: rewrittenSteps(before.steps, changes.steps ?? before.steps),
    delays: await delayPieces(deps, before, { ...before, ...changes }),
    now,
  });
}

/** The steps that were sent, where the change is of steps. */
export const sentOf = async (
  { db }: Pick<Deps, "db">,
  before: Campaign,
  { steps }: { steps?: Step[] },
): Promise<ReadonlySet<number>> =>
  steps === undefined || before.launchedAt === null ? new Set() : sentSteps(db, before.id);

const campaignActive = (status: CampaignStatus, why: string) =>
  conflict("CAMPAIGN_ACTIVE", `The campaign is ${status}: ${why}`, { detail: { status } });

export const wireName = (field: string) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Soft: what was sent stays on record. 409 CAMPAIGN_ACTIVE while it is scheduled or under way. */
export async function removeCampaign(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { status } = await requireCampaign(deps, principal, id);
  const deletable = sourcesOf("remove");
  if (!deletable.includes(status))
    throw campaignActive(status, `deleting is possible from ${deletable.join(", ")}.`);
  if (await softDeleteCampaign(deps.db, principal.workspaceId, id, deps.clock.now())) return;
  const now = await requireCampaign(deps, principal, id);
  throw campaignActive(now.status, "it changed while it was to be deleted.");
}
