import { type Campaign, findByExternalId } from "#db/campaigns/campaigns.ts";
import { countReachedLeads } from "#db/campaigns/reached-leads.ts";
import { countedIn } from "#db/engine/index.ts";
import { countOpenLeads } from "#db/engine/snapshot-leads.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { conflict } from "#src/errors.ts";
import { ownInterval } from "#src/domain/engine/window-columns.ts";
import { HOUR_MS } from "#src/platform/durations.ts";
import { knownZone, localDay } from "#src/platform/time-zone.ts";
import { changesOf, type Changes, sentOf, wireName } from "../change.ts";
import { type Blocked, changesPacing, judgeChange, namesOnly } from "../change-rules.ts";
import { type CampaignConfig } from "../config.ts";
import { draftOf } from "../create.ts";
import { type AsIf, type Forecast, forecastAsIf, type ForecastSend } from "../forecast/forecast.ts";
import type { Check } from "../preflight/checks.ts";
import { runPreflight } from "../preflight/preflight.ts";
import { requireCampaign } from "../read.ts";
import { fillSteps } from "../steps.ts";
import { type Difference, differences } from "./differences.ts";
import { type CampaignFile, readFile, writeFiles } from "./file.ts";
import { sealPlan } from "./token.ts";

/** What applying a file would do, before it is done. */
export interface CampaignPlan {
  /** Null where something is blocked: there is nothing to apply then. */
  token: string | null;
  expiresAt: Date;
  action: "create" | "change" | "none";
  /** Null of one that would be made. */
  campaignId: string | null;
  changes: Difference[];
  blocked: { path: string; code: Blocked["code"]; message: string }[];
  /** Leads whose next message is by what changes: of one that was not launched, all that a launch would reach. */
  affectedLeads: number;
  nextSends: ForecastSend[];
  /** What a launch of it would look at. */
  checks: Check[];
  forecast: Forecast;
}

const FORECAST_DAYS = 14;
const NEXT_SENDS = 10;

export interface Wanted {
  file: CampaignFile;
  /** The campaign that the file is of from now on; null for the one of its external id. */
  campaignId?: string | null | undefined;
}

/** What stands there, and what the file makes of it. */
export interface Judged {
  before: Campaign | null;
  after: Campaign;
  config: CampaignConfig & { externalId: string };
  changes: Changes;
}

/** Compares a file with what is there, and writes nothing. */
export async function planCampaign(
  deps: Deps,
  principal: Principal,
  { file, campaignId }: Wanted,
): Promise<CampaignPlan> {
  const config = await readFile(deps, principal, file);
  const judged = await judge(deps, principal, config, campaignId ?? null);
  const { before, after, changes } = judged;
  const now = deps.clock.now();
  const expiresAt = new Date(now.getTime() + HOUR_MS);
  const [{ blocked }, files, checks, forecast, leads] = await Promise.all([
    before === null
      ? { blocked: [] }
      : sentOf(deps, before, changes).then((sent) => judgeChange(before, changes, sent)),
    writeFiles(deps, principal, before === null ? [after] : [before, after]),
    runPreflight(deps, after, now),
    asChanged(deps, judged, now).then((asIf) => forecastAsIf(deps, asIf, FORECAST_DAYS)),
    countLeads(deps, judged),
  ]);
  const fields = Object.keys(changes) as (keyof Changes)[];
  const differs = differences(before === null ? {} : files[0], files.at(-1));
  const token =
    blocked.length > 0
      ? null
      : await sealPlan(deps, principal, {
          campaignId: before?.id ?? null,
          configVersion: before?.configVersion ?? null,
          status: before?.status ?? null,
          leads: isLaunched(before) ? null : leads,
          config,
          expiresAt,
        });
  return {
    token,
    expiresAt,
    action: before === null ? "create" : fields.length > 0 ? "change" : "none",
    campaignId: before?.id ?? null,
    changes: differs,
    blocked: blocked.map(({ field, code, reason }) => ({
      path: `/${FILE_NAMES[field] ?? wireName(field)}`,
      code,
      message: reason,
    })),
    affectedLeads: namesOnly(fields) && before !== null ? 0 : leads,
    nextSends: forecast.sends.slice(0, NEXT_SENDS),
    checks,
    forecast,
  };
}

/** Fields of a configuration that have another name in a file. */
const FILE_NAMES: Partial<Record<string, string>> = {
  datasetId: "dataset",
  aliasIds: "aliases",
  connectedAccountId: "connected_account",
};

/** 409 EXTERNAL_ID_TAKEN where another campaign than the one that is named has the file's. */
export async function judge(
  deps: Deps,
  principal: Principal,
  config: CampaignConfig & { externalId: string },
  campaignId: string | null,
): Promise<Judged> {
  const { workspaceId, userId } = principal;
  const [known, named] = await Promise.all([
    findByExternalId(deps.db, workspaceId, config.externalId),
    campaignId === null ? undefined : requireCampaign(deps, principal, campaignId),
  ]);
  if (known !== undefined && named !== undefined && known.id !== named.id)
    throw conflict(
      "EXTERNAL_ID_TAKEN",
      `The campaign ${known.id} has the external_id ${config.externalId}: give the file another one.`,
      { detail: { campaign_id: known.id } },
    );
  const before = named ?? known ?? null;
  if (before !== null) {
    const changes = changesOf(before, config);
    return { before, after: { ...before, ...changes }, config, changes };
  }
  const steps = fillSteps(config.steps, config.type);
  const aliasIds = config.aliasIds && [...new Set(config.aliasIds)];
  const row = draftOf(deps, { ...config, steps, aliasIds, workspaceId, userId });
  const firstChannel = steps[0]?.channel ?? null;
  return { before, after: { ...row, firstChannel, processedLeads: 0 }, config, changes: {} };
}

/** The campaign behind the change. Of a running one a change of its pacing begins a piece of window, as PATCH begins it. */
async function asChanged(
  { db }: Deps,
  { before, after, changes }: Judged,
  now: Date,
): Promise<AsIf> {
  const fields = Object.keys(changes) as (keyof Changes)[];
  const isChanged = before?.status === "active" && fields.length > 0;
  const isRezoned = before !== null && before.useLeadTimezone !== after.useLeadTimezone;
  const interval = isChanged && changesPacing(fields) ? ownInterval(after, now) : null;
  if (interval === null) return { campaign: after, isChanged, isRezoned };
  const { openFrom, openUntil, day: openDay } = interval;
  const counted = await countedIn(db, after.id, localDay(openFrom, knownZone(after.timezone)));
  return { campaign: { ...after, openFrom, openUntil, openDay, ...counted }, isChanged, isRezoned };
}

export const isLaunched = (campaign: Campaign | null): boolean => campaign?.launchedAt != null;

/** Those that the campaign has still to write to, or would have. */
export const countLeads = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { before, after }: Pick<Judged, "before" | "after">,
): Promise<number> =>
  isLaunched(before) ? countOpenLeads(db, after.id) : countReachedLeads(db, after, clock.now());
