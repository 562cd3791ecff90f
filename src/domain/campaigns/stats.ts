import {
  campaignStats,
  statsBySender,
  statsBySpan,
  type StatsBy,
  type StatsRow,
  type WorkspaceStatsBy,
} from "#db/campaigns/stats.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requireWorkspace } from "#src/domain/access/workspace.ts";
import { unprocessable } from "#src/errors.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import { requireCampaign } from "./read.ts";
import { countDates, dateAfter, daysOf, hoursOf, spanOfDates } from "./spans.ts";

export { STATS_BY, WORKSPACE_STATS_BY } from "#db/campaigns/stats.ts";
export type { StatsRow } from "#db/campaigns/stats.ts";

export async function readStats(
  deps: Deps,
  principal: Principal,
  id: string,
  by: StatsBy,
): Promise<StatsRow[]> {
  const campaign = await requireCampaign(deps, principal, id);
  return campaignStats(deps.db, campaign, by);
}

/** The most dates that are counted at once, and how many where none are named. */
export const STATS_DATES = { most: 92, usual: 30 };
export const STATS_DATES_BY_HOUR = { most: 7, usual: 2 };

/** Dates of the workspace's zone, both counted. */
export interface StatsRange {
  from?: string | undefined;
  to?: string | undefined;
}

export interface WorkspaceStats {
  from: string;
  to: string;
  timezone: string;
  rows: StatsRow[];
}

/** What went out of all campaigns of the workspace in a span of dates, and what came of it since. */
export async function readWorkspaceStats(
  deps: Deps,
  principal: Principal,
  by: WorkspaceStatsBy,
  range: StatsRange,
): Promise<WorkspaceStats> {
  const { timezone } = await requireWorkspace(deps, principal);
  const zone = knownZone(timezone);
  const { from, to } = datesOf(localDate(deps.clock.now(), zone), range, by);
  const { workspaceId } = principal;
  const span = spanOfDates(from, to, zone);
  const rows =
    by === "day" || by === "hour"
      ? await statsBySpan(
          deps.db,
          workspaceId,
          by === "day" ? daysOf(from, to, zone) : hoursOf(span, zone),
        )
      : await statsBySender(deps.db, workspaceId, span, by);
  return { from, to, timezone: zone, rows };
}

/** The dates that are meant; 422 where they are none, or too many. */
function datesOf(
  today: string,
  { from: asked, to = today }: StatsRange,
  by: WorkspaceStatsBy,
): { from: string; to: string } {
  const { most, usual } = by === "hour" ? STATS_DATES_BY_HOUR : STATS_DATES;
  const from = asked ?? dateAfter(to, 1 - usual);
  if (from > to)
    throw unprocessable(
      "RANGE_REVERSED",
      `from (${from}) is later than to (${to}); give the earlier date as from.`,
    );
  if (countDates(from, to) > most)
    throw unprocessable(
      "RANGE_TOO_LONG",
      `${from} to ${to} are ${countDates(from, to)} days; by ${by} at most ${most} are counted at once.`,
    );
  return { from, to };
}
